"""Each way in which it is known that something was got over is told by its name, and by no other."""

import pytest

from schedmate.readers.failures.survival.outcomes import HOW_KNOWN
from tests.readers.failures.causes.each_rule.row import ROOT, marked, raised, steps
from tests.readers.failures.moves import verdict_of

OPENING = ("reading the configuration of the lab", "building the model, 1.3 billion parameters")
CLOCKED = "2031-05-04 10:00:0{} step 2.{:03}"
OF_DUMP = "[Sat Apr {} 02:25:02 2031] INFO: task python:28005 blocked for more than 120 seconds."
ROWS = {
    "began anew": [
        *("==> rank_0.log <==", *OPENING, *steps(1, 9, CLOCKED)),
        *("==> rank_1.log <==", *OPENING, "[rank1]: KeyError: 'lr'" + ROOT),
        *("[wrapper] job 611 requeued (restart count 1) after preemption", *OPENING, *steps(4, 9, CLOCKED)),
        "srun: error: n7: task 1: Exited with exit code 1",
    ],
    "pod came": [
        "LAST SEEN   TYPE      REASON             OBJECT            MESSAGE",
        "9m          Warning   FailedScheduling   pod/fit-w-3       0/9 nodes are available: 9 Insufficient gpus."
        + ROOT,
        "8m          Normal    Scheduled          pod/fit-w-3       Successfully assigned ml/fit-w-3 to node-4",
        "2m          Warning   DeadlineExceeded   job/fit           Job was active longer than specified deadline",
    ],
    "clock of a dump": [
        *(f"[Sat Apr 12 02:25:0{at} 2031] docker0: port 1(veth12ab) entered disabled state" for at in range(3)),
        OF_DUMP.format(19) + ROOT,
        "[Sat Apr 19 09:25:02 2031] audit: pid=28005 uid=0 comm=python res=1",
    ],
    "steps behind": [*steps(1, 5), "CUDA error: an illegal memory access was encountered" + ROOT, *steps(6, 9)],
    "long before": [
        "of the run before:",
        "State: TIMEOUT (exit code 0)" + ROOT,
        "going on from step 40",
        *steps(41, 42),
    ],
    "came back": [
        *steps(1, 9),
        "Jul 24 07:25:47 n17 kernel: [950349.914853] mlx5_core 0000:c1:00.0 eth4: Link down" + ROOT,
        "Jul 24 07:25:49 n17 kernel: [950351.414853] mlx5_core 0000:c1:00.0 eth4: Link up",
        *raised("KeyError: 'lr'"),
    ],
}
"""By each way a log, and the line of it that was got over."""


def test_every_way_has_its_row():
    assert list(ROWS) == list(HOW_KNOWN)


@pytest.mark.parametrize(("way", "lines"), ROWS.items(), ids=list(ROWS))
def test_it_is_told_of_what_was_got_over(tmp_path, way, lines):
    text, over, _ = marked(lines)
    verdict = verdict_of(tmp_path / "job.log", text)
    one = next(one for one in verdict.suspects if one.sighting.number == over)
    assert (one.survived, one.history[0].rule) == (True, way)
    assert [step.rule for step in one.history if step.rule in HOW_KNOWN] == [way]
