"""Words of a daemon that nobody catalogued give way to whoever states how the job ended."""

import pytest

from schedmate import diagnose

STEPS = [f"[rank0]: iter {step}/9000 loss {3 - step / 100:.3f}" for step in range(1, 80)]
SAID = "Jan 09 02:11:40 n17 modulesd[412]: DIMM 4 has lost a row"
KEY = ["Traceback (most recent call last):", '  File "/app/run.py", line 8, in <module>', "KeyError: 'answers'"]
LIMIT = "slurmstepd: error: *** JOB 812 ON n17 CANCELLED AT 2026-01-09T02:15:00 DUE TO TIME LIMIT ***"
BY_HAND = "slurmstepd: error: *** JOB 812 ON n17 CANCELLED AT 2026-01-09T02:15:00 ***"
DONE = "INFO Training finished. The weights lie in runs/9."
LOST = "[rank3]: ConnectionResetError: [Errno 104] Connection reset by peer"


def read(tmp_path, *lines):
    (tmp_path / "job.log").write_text("\n".join([*STEPS, *lines]) + "\n")
    return diagnose(tmp_path / "job.log")


@pytest.mark.parametrize(
    ("after", "told"),
    [
        (KEY, "python.key_error"),
        ([LIMIT], "scheduler.slurm_time_limit"),
        ([BY_HAND], "scheduler.slurm_cancelled"),
        ([DONE], None),
        ([], "machines.node"),
        ([LOST, LOST], "machines.node"),
    ],
)
def test_who_is_believed(tmp_path, after, told):
    assert read(tmp_path, SAID, *after).failure_id == told


def test_an_exception_is_as_sure_as_without_them(tmp_path):
    assert read(tmp_path, SAID, *KEY).confidence == read(tmp_path, *KEY).confidence


def test_behind_a_good_end_they_are_nothing(tmp_path):
    assert read(tmp_path, DONE, SAID).category == "none"
    assert read(tmp_path, "[rank0]: iter 9000/9000 loss 0.900", SAID).category == "none"


def test_a_machine_is_checked_but_not_taken_out(tmp_path):
    kinds = {step.kind for step in read(tmp_path, SAID).actions}
    assert "health_check" in kinds
    assert not kinds & {"isolate", "replace"}
