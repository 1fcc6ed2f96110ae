"""srun says `forcing job termination` where it was itself asked to end."""

import schedmate

STEPS = [f"epoch 1 step {at} loss 1.{99 - at}" for at in range(1, 60)]
DOWN = [
    "srun: Job step aborted: Waiting up to 32 seconds for job step to finish.",
    "slurmstepd: error: *** STEP 13542.0 ON node07 CANCELLED AT 2031-05-14T05:32:53 ***",
    "srun: error: node07: task 0: Killed",
]


def read(tmp_path, lines):
    log = tmp_path / "job.log"
    log.write_text("\n".join(lines) + "\n")
    return schedmate.diagnose(log)


def test_a_step_that_srun_ends_because_it_was_asked_to_is_nobodys_error(tmp_path):
    answer = read(tmp_path, [*STEPS, "srun: forcing job termination", *DOWN])
    assert (answer.category, answer.root_line) == ("other", len(STEPS) + 1)


def test_an_error_of_a_task_before_it_stays_the_cause(tmp_path):
    raised = ["Traceback (most recent call last):", '  File "run.py", line 3, in <module>', "KeyError: 'tides'"]
    answer = read(tmp_path, [*STEPS, *raised, "srun: error: node07: task 0: Exited with exit code 1", *DOWN])
    assert (answer.category, answer.root_line) == ("script", len(STEPS) + 3)
