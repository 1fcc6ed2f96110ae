"""A job's output that a journal keeps reads as it was printed; a daemon in it keeps its name."""

import pytest

from schedmate import diagnose

RAISED = (
    "Traceback (most recent call last):",
    '  File "/home/user/train.py", line 88, in <module>',
    "    main()",
    "zoo.Hungry: no bananas left in the store",
)
STEPS = [f"epoch 1 step {step} loss {3 - step / 100:.3f}" for step in range(30)]
STAMPS = "Nov 24 17:{minute:02d}:{second:02d} gpu07 ", "2026-11-24T17:{minute:02d}:{second:02d}+0000 gpu07 "


def kept(lines, name, stamp=STAMPS[0]):
    stamps = (stamp.format(minute=at // 60, second=at % 60) for at in range(len(lines)))
    return [f"{before}{name}[4711]: {line}" for before, line in zip(stamps, lines, strict=True)]


def read(tmp_path, lines):
    path = tmp_path / "job.log"
    path.write_text("\n".join(lines) + "\n")
    return diagnose(path)


@pytest.mark.parametrize("stamp", STAMPS)
@pytest.mark.parametrize("name", ["python3", "run.sh", "nightly-job"])
@pytest.mark.parametrize(
    "lines",
    [
        [*STEPS, *RAISED],
        [*STEPS, "Killed"],
        [*STEPS, "run.sh: 7: run.sh: Bad substitution"],
        [*STEPS, "mpirun noticed that process rank 1 with PID 307 on node wks3 exited on signal 9 (Killed)."],
    ],
)
def test_an_answer_does_not_move_where_a_journal_keeps_the_log(tmp_path, stamp, name, lines):
    plain, dressed = read(tmp_path, lines), read(tmp_path, kept(lines, name, stamp))
    assert plain.category != "none"
    assert (dressed.failure_id, dressed.root_line) == (plain.failure_id, plain.root_line)


def test_what_another_speaker_says_in_the_journal_is_that_speakers(tmp_path):
    lines = [*kept(STEPS, "python3"), *kept(["rack 12 lost its power feed, hosts go down"], "facility-watch")]
    found = read(tmp_path, lines)
    assert (found.category, found.root_line) == ("infrastructure", len(STEPS) + 1)
