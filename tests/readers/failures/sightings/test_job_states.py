"""What a scheduler's report says of a job that is over: Slurm's seff and mails, HTCondor's log of events."""

import pytest

from schedmate import diagnose

STEPS = ["epoch 1 loss 0.9", "epoch 2 loss 0.8", "epoch 3 loss 0.7"]
BEGUN = [
    "000 (771.000.000) 03/01 10:00:00 Job submitted from host: <10.0.0.1:9618>",
    "001 (771.000.000) 03/01 10:01:00 Job executing on host: <10.0.0.2:9618>",
]
OVER = [*BEGUN, "005 (771.000.000) 03/01 10:21:00 Job terminated."]
HELD = [*BEGUN, "012 (771.000.000) 03/01 10:21:00 Job was held."]
MEMORY = "\tError from slot1@kiln07: Job has gone over memory limit of 16384 megabytes. Peak usage: 16500 megabytes."


@pytest.mark.parametrize(
    ("lines", "category"),
    [
        ([*STEPS, "Job ID: 771", "State: TIMEOUT (exit code 0)"], "other"),
        ([*STEPS, "Job ID: 771", "State: CANCELLED (exit code 0)"], "other"),
        ([*STEPS, "Job ID: 771", "State: PREEMPTED (exit code 0)"], "infrastructure"),
        ([*STEPS, "Job ID: 771", "State: OUT_OF_MEMORY (exit code 0)"], "infrastructure"),
        ([*STEPS, "Slurm Job_id=771 Name=fit Ended, Run time 10:00:00, TIMEOUT, ExitCode 0"], "other"),
        ([*OVER, "\t(1) Normal termination (return value 1)"], "script"),
        ([*OVER, "\t(0) Abnormal termination (signal 9)"], "infrastructure"),
        ([*OVER, "\t(0) Abnormal termination (signal 11)"], "framework"),
        ([*HELD, MEMORY], "infrastructure"),
        ([*STEPS, "Job ID: 771", "State: COMPLETED (exit code 0)"], "none"),
        ([*OVER, "\t(1) Normal termination (return value 0)"], "none"),
        ([*STEPS, "State: TIMEOUT of the lease was raised"], "none"),
    ],
)
def test_the_state_decides_where_nothing_else_does(tmp_path, lines, category):
    (tmp_path / "job.log").write_text("\n".join(lines) + "\n")
    found = diagnose(tmp_path / "job.log")
    assert (found.category, found.root_line) == (category, None if category == "none" else len(lines))
