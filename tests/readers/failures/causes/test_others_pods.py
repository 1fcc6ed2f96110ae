"""Rows of a table of pods count for nothing where they tell of pods that are none of the job's."""

import pytest

from schedmate import diagnose

STEPS = [f"fit-worker-0 main step {step} loss 2.{step:03d} lr 0.01" for step in range(40)]
HEAD = "NAMESPACE   NAME             READY   STATUS             RESTARTS      AGE"
OTHERS = [
    "lab         notebook-x7k2    0/1     OOMKilled          7 (2h ago)    12d",
    "team-b      sweep-old-4      0/1     ImagePullBackOff   0             31d",
    "team-b      board-0          1/1     Running            1             62d",
]
OWN = "lab         fit-worker-0     0/1     OOMKilled          1             3h"
RAISED = [
    "fit-worker-0 main Traceback (most recent call last):",
    'fit-worker-0 main   File "/app/fit.py", line 9, in <module>',
    "fit-worker-0 main     run(options)",
    "fit-worker-0 main KeyError: 'labels'",
]


def read(tmp_path, lines):
    (tmp_path / "job.log").write_text("\n".join(lines) + "\n")
    return diagnose(tmp_path / "job.log")


def test_pods_of_others_explain_nothing(tmp_path):
    assert read(tmp_path, [*STEPS, *RAISED, "", HEAD, *OTHERS]).root_line == len(STEPS) + 4
    assert read(tmp_path, [*STEPS, "", HEAD, *OTHERS]).category == "none"


def test_the_jobs_own_pod_does(tmp_path):
    found = read(tmp_path, [*STEPS, "", HEAD, OTHERS[1], OWN, OTHERS[2]])
    assert (found.failure_id, found.root_line) == ("limits.k8s_memory", len(STEPS) + 4)


@pytest.mark.parametrize("rows", [OTHERS[:1], ["notebook-x7k2    0/1     OOMKilled          7    12d"]])
def test_a_pod_that_is_alone_in_a_table_may_be_the_jobs(tmp_path, rows):
    assert (
        read(tmp_path, [*(line.removeprefix("fit-worker-0 main ") for line in STEPS), HEAD, *rows]).category != "none"
    )


def test_events_of_others_pods_explain_nothing_either(tmp_path):
    events = [
        "9m    Warning   FailedMount   pod/notebook-x7k2   Unable to attach or mount volumes: timed out",
        "8m    Normal    Started       pod/fit-worker-0    Started container main",
    ]
    assert read(tmp_path, [*STEPS, *RAISED, *events]).root_line == len(STEPS) + 4


STAMPED = "2031-03-01T09:11:41Z Warning pod/{} FailedScheduling 0/9 nodes are available: 9 Insufficient nvidia.com/gpu."


@pytest.mark.parametrize("pod", ["notebook-x7k2", "board-k8x4"])
def test_where_lines_bear_the_names_of_their_pods_others_are_none_of_the_jobs(tmp_path, pod):
    lines = [f"[pod/{line.replace(' main', '/main]', 1)}" for line in [*STEPS, *RAISED]]
    assert read(tmp_path, [*lines, STAMPED.format(pod)]).root_line == len(lines)
    assert read(tmp_path, [*lines[: len(STEPS)], STAMPED.format(pod)]).category == "none"
    found = read(tmp_path, [*lines[: len(STEPS)], STAMPED.format("fit-worker-1")])
    assert (found.failure_id, found.root_line) == ("scheduler.k8s_unschedulable", len(STEPS) + 1)
