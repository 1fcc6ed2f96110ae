"""What Python and Slurm print while a job that ended well is cleared away is no failure."""

import pytest

from schedmate import diagnose

STEPS = [f"epoch 1 step {step} loss {3 - step / 100:.3f}" for step in range(1, 80)]
RECORD = '{"key": "run_stop", "time_ms": 1711111111111, "metadata": {"lineno": 90, "status": "STATUS"}}'
FINALIZER = [
    "Traceback (most recent call last):",
    '  File "/usr/lib/python3.10/multiprocessing/util.py", line 300, in _run_finalizers',
    "    finalizer()",
    '  File "/usr/lib/python3.10/multiprocessing/synchronize.py", line 87, in _cleanup',
    "    sem_unlink(name)",
    "FileNotFoundError: [Errno 2] No such file or directory",
]
AFTER = {
    "finalizers": FINALIZER * 3,
    "atexit": ["Error in atexit._run_exitfuncs:", "OSError: [Errno 116] Stale file handle"],
    "a process that is gone": [
        "slurmstepd: error: _is_a_lwp: open() /proc/4711/status failed: No such file or directory"
    ],
    "a reader that is gone": [
        "slurmstepd: error: _is_a_lwp: 1 read() attempts on /proc/4711/status failed: No such process"
    ],
}


def read(tmp_path, lines):
    (tmp_path / "job.log").write_text("\n".join(lines) + "\n")
    return diagnose(tmp_path / "job.log")


@pytest.mark.parametrize("after", AFTER.values(), ids=AFTER)
@pytest.mark.parametrize("told", [[], [RECORD.replace("STATUS", "success")]], ids=["says nothing", "says success"])
def test_what_is_printed_while_a_job_is_cleared_away_is_no_failure(tmp_path, after, told):
    found = read(tmp_path, [*STEPS, *told, *after])
    assert found.category == "none"
    assert not told or found.confidence > 0.8


def test_a_stale_file_handle_that_nothing_passed_over_is_one(tmp_path):
    found = read(tmp_path, [*STEPS, "OSError: [Errno 116] Stale file handle"])
    assert (found.category, found.root_line) == ("infrastructure", len(STEPS) + 1)
