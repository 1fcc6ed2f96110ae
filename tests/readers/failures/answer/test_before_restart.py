"""A job that was started again and is at work: why its run before died is told, and its machine looked after."""

import pytest

from schedmate import diagnose
from schedmate.readers.failures.advice.headline import headline

STEPS = [f"epoch 1 step {step} loss 2.{step:03d}" for step in range(1, 40)]
AGAIN = [f"epoch 1 step {step} loss 2.{step:03d}" for step in range(21, 60)]
XID = "Mar  4 11:20:31 n17 kernel: NVRM: Xid (PCI:0000:1b:00): 79, pid=4711, name=python, GPU has fallen off the bus."
LOST = "[rank5]: torch.distributed.DistBackendError: NCCL error: remote process exited or there was a network error"
SAID = [
    "[supervise] attempt 1 ended with status 1, restart 2/5",
    "10:00:03Z  Warning  PyTorchJobRestarting  pytorchjob/acme  PyTorchJob acme is restarting because one died",
    "2031-04-05T10:00:03Z  Normal  SuccessfulCreatePod  pytorchjob/acme  Created pod: acme-worker-0",
    "Job 4711 requeued, SLURM_RESTART_COUNT=1",
    "[starter] fit.py exited 134, restart 1 of 3, from /ckpt/step20",
]


def read(tmp_path, *lines):
    (tmp_path / "job.log").write_text("\n".join(lines) + "\n")
    return diagnose(tmp_path / "job.log")


@pytest.mark.parametrize("last", [AGAIN, [*AGAIN, "INFO Training finished. Model saved."]])
def test_a_machine_that_was_taken_away_as_announced_is_nothing_to_look_after(tmp_path, last):
    notice = "imds-sidecar: spot interruption notice, action=terminate in 120 s"
    assert read(tmp_path, *STEPS, notice, LOST, SAID[0], *last).category == "none"


@pytest.mark.parametrize("said", SAID)
def test_it_says_why_the_run_before_died(tmp_path, said):
    found = read(tmp_path, *STEPS, XID, LOST, said, *AGAIN)
    assert (found.failure_id, found.root_line, found.attempts) == ("gpu.xid_79", len(STEPS) + 1, 2)
    assert found.running_again_line in (len(STEPS) + 3, len(STEPS) + 4)
    assert headline(found).startswith("it was started again at line ")


def test_the_machine_is_looked_after_and_the_job_left_alone(tmp_path):
    found = read(tmp_path, *STEPS, XID, LOST, SAID[0], *AGAIN)
    kinds = [action.kind for action in found.actions]
    assert "isolate" in kinds
    assert not {"restart", "requeue", "hold", "replace"} & set(kinds)


def test_what_the_second_run_met_and_got_over_changes_nothing(tmp_path):
    handled = "WARNING: sample 7 is corrupt, skipped"
    found = read(tmp_path, *STEPS, XID, LOST, SAID[0], *AGAIN[:20], handled, *AGAIN[20:])
    assert found.failure_id == "gpu.xid_79"


def test_a_second_run_that_dies_is_the_one_that_counts(tmp_path):
    full = "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB"
    found = read(tmp_path, *STEPS, XID, LOST, SAID[0], *AGAIN, full)
    assert (found.failure_id, found.running_again_line) == ("cuda.out_of_memory", None)


WRONG = ["Traceback (most recent call last):", '  File "/app/a.py", line 1, in <module>', "KeyError: 'labels'"]
DONE = ["INFO Training finished. Model saved.", "Done.", "saved final model to out/final.pt"]
ALL_STEPS = [f"step {step}/59 loss 2.{step:03d}" for step in range(21, 60)]


@pytest.mark.parametrize("last", [ALL_STEPS, *([*AGAIN, done] for done in DONE)])
def test_a_second_run_that_ended_well_ends_the_matter_but_for_the_machine(tmp_path, last):
    assert read(tmp_path, *STEPS, *WRONG, SAID[0], *last).category == "none"
    found = read(tmp_path, *STEPS, XID, LOST, SAID[0], *last)
    assert (found.failure_id, found.running_again_line) == ("gpu.xid_79", len(STEPS) + 3)


def test_pods_that_are_made_at_the_start_begin_no_second_run(tmp_path):
    found = read(tmp_path, SAID[2], SAID[2].replace("0", "1"), *STEPS, XID, LOST)
    assert (found.failure_id, found.attempts, found.running_again_line) == ("gpu.xid_79", 1, None)


def test_a_log_that_begins_with_the_restart_tells_of_no_run_before(tmp_path):
    found = read(tmp_path, "Job 4711 requeued, SLURM_RESTART_COUNT=1", *AGAIN)
    assert (found.category, found.running_again_line) == ("none", None)


def test_of_a_job_that_is_said_to_have_ended_the_last_run_counts(tmp_path):
    read(tmp_path, *STEPS, XID, LOST, SAID[0], *AGAIN)
    found = diagnose(tmp_path / "job.log", exited="137")
    assert (found.failure_id == "gpu.xid_79", found.running_again_line) == (False, None)
    assert diagnose(tmp_path / "job.log", exited="0").category == "none"


def test_who_was_at_the_limit_of_his_time_and_is_queued_again_is_well(tmp_path):
    limit = "slurmstepd: error: *** JOB 4711 ON n3 CANCELLED AT 2031-04-05T10:00:00 DUE TO TIME LIMIT ***"
    assert read(tmp_path, *STEPS, limit, SAID[-1], *AGAIN).category == "none"


def test_pods_that_are_made_for_a_restart_that_was_told_begin_no_third_run(tmp_path):
    late = "epoch 1 step 40 loss 2.040"
    found = read(tmp_path, *STEPS, XID, LOST, SAID[1], late, SAID[2], *AGAIN)
    assert (found.failure_id, found.attempts, found.running_again_line) == ("gpu.xid_79", 2, len(STEPS) + 3)


def test_what_machines_and_the_dying_say_behind_a_restart_is_of_the_run_before(tmp_path):
    dying = ["[rank3]: Fatal Python error: Aborted", "Exception ignored in: <function Loader.__del__ at 0x7f>"]
    dump = [
        f"Mar  4 11:2{minute}:00 n9 kernel: [10{minute}.000001] mlx5_core 0000:41:00.0 ib1: Link down"
        for minute in (1, 2, 3)
    ]
    found = read(tmp_path, *STEPS, XID, LOST, SAID[1], *dying, "-- kernel messages of n9 --", *dump)
    assert (found.failure_id, found.root_line, found.attempts) == ("gpu.xid_79", len(STEPS) + 1, 1)
