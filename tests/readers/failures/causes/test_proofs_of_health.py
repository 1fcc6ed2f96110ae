"""A job's script says that the job is finished behind whatever became of the program; a scheduler knows."""

import pytest

from schedmate import diagnose

RAISED = ["Traceback (most recent call last):", '  File "fit.py", line 6, in <module>', "    main()", "KeyError: 'x'"]
ENDS = {
    "raised": (RAISED, "script"),
    "misused": (["usage: fit.py [-h]", "fit.py: error: unrecognized arguments: --epochs 3"], "script"),
    "killed": (["run.sh: line 3:  4711 Killed                  python fit.py"], "infrastructure"),
    "crashed": (["run.sh: line 3:  4711 Segmentation fault      python fit.py"], "framework"),
}
SUMMARY = [
    *RAISED,
    "torch.distributed.elastic.multiprocessing.errors.ChildFailedError: ",
    *("=" * 60, "fit.py FAILED", "Root Cause (first observed failure):", "[0]:", "  rank      : 0 (local_rank: 0)"),
    *("  exitcode  : 1 (pid: 4711)", "  error_file: <N/A>", "=" * 60),
]
ENDS["given up"] = (SUMMARY, "script")
ECHOED = ["Job finished at Mon Mar  1 10:10:00 UTC 2031", "Job completed", "Training complete!", "train_rc=0"]
EPOCHS = [f"epoch {epoch} loss 0.{90 - epoch}" for epoch in range(1, 5)]


def read(tmp_path, *lines):
    (tmp_path / "job.out").write_text("\n".join(lines) + "\n")
    return diagnose(tmp_path / "job.out")


@pytest.mark.parametrize(("end", "category"), ENDS.values(), ids=ENDS)
@pytest.mark.parametrize("echoed", ECHOED)
def test_what_a_script_says_behind_a_bad_end_proves_nothing(tmp_path, end, category, echoed):
    found = read(tmp_path, "Job started at Mon Mar  1 10:00:00 UTC 2031", EPOCHS[0], *end, echoed)
    assert found.category == category
    assert found.root_line > 2


@pytest.mark.parametrize("echoed", ECHOED)
def test_it_does_where_nothing_ended_badly_or_a_program_ran_behind_it(tmp_path, echoed):
    assert read(tmp_path, *EPOCHS, echoed).confidence > 0.8
    assert read(tmp_path, *RAISED, *EPOCHS, echoed).category == "none"


def test_what_a_scheduler_says_of_the_exit_code_goes_before(tmp_path):
    assert read(tmp_path, EPOCHS[0], *RAISED, "Successfully completed.").category == "none"


def test_words_far_behind_a_bad_end_are_those_of_a_program_that_ran_after_it(tmp_path):
    """A script says little behind what failed; whoever says more was at work."""
    said = [f"table {number} of the report is written" for number in range(20)]
    near = read(tmp_path, *EPOCHS, *RAISED, *said[:2], "Training completed successfully")
    far = read(tmp_path, *EPOCHS, *RAISED, *said, "Training completed successfully")
    assert (near.category, far.category) == ("script", "none")


def test_all_that_a_launcher_says_of_other_tasks_is_no_program_that_ran(tmp_path):
    ended = [
        "srun: error: kiln07: task 17: Aborted (core dumped)",
        "slurmstepd: error: *** STEP 77.0 ON kiln01 CANCELLED AT 2031-03-04T11:22:33 ***",
        *(f"srun: error: kiln{node:02}: tasks {4 * node}-{4 * node + 3}: Terminated" for node in range(1, 20)),
        "srun: Force Terminated StepId=77.0",
    ]
    found = read(tmp_path, *EPOCHS, "mlx5: kiln07: transport retry counter exceeded, error 12", *ended, ECHOED[0])
    assert found.category == "infrastructure"


LEAVING = (
    "E0512 00:20:42.008164 4421 agent.cc:584] Failed to disconnect from coordination service: UNAVAILABLE: shut down"
)


def test_what_processes_meet_as_they_take_leave_harmed_nobody(tmp_path):
    steps = [f"completed step: {step}, loss: 4.{step}" for step in range(40)]
    assert read(tmp_path, *steps, "completed training, 40 steps", LEAVING).category == "none"
    assert read(tmp_path, *steps, LEAVING).category != "none"


SUCCEEDED = "2031-03-01 10:12:00,102\tSUCC cli.py:66 -- Job 'raysubmit_9dA2' succeeded"
WORKERS = [f"(Grader pid=442) {line}" for line in RAISED]


def test_what_a_worker_says_behind_the_word_that_the_job_succeeded_came_late(tmp_path):
    steps = [f"(Fit pid=311) step {step}/40 - loss 2.{step:03d}" for step in range(41)]
    assert read(tmp_path, *steps, SUCCEEDED, *WORKERS).category == "none"
    assert read(tmp_path, *steps, SUCCEEDED, *RAISED).category == "script"
    assert read(tmp_path, *steps[:30], *WORKERS).category == "script"


@pytest.mark.parametrize(("step", "category"), [("4711.extern", "none"), ("4711.0", "other")])
def test_slurm_ends_the_step_of_logins_with_each_job(tmp_path, step, category):
    said = f"slurmstepd: error: *** STEP {step} ON n03 CANCELLED AT 2031-03-01T10:10:00 ***"
    assert read(tmp_path, *EPOCHS, "Training complete!", said).category == category
    assert read(tmp_path, *EPOCHS, *RAISED, said).category == "script"


def test_a_helper_that_the_script_ended_itself_harmed_nobody(tmp_path):
    step = "slurmstepd: error: *** STEP 4711.1 ON n03 CANCELLED AT 2031-03-01T10:10:00 DUE TO SIGTERM ***"
    helper = ["+ kill %1", step, "srun: error: n03: task 0: Terminated", "srun: Force Terminated StepId=4711.1"]
    assert read(tmp_path, *EPOCHS, *helper, "+ echo train_rc=0", "train_rc=0").category == "none"
    assert read(tmp_path, *EPOCHS, *helper, "+ echo train_rc=143", "train_rc=143").category == "other"


def test_what_the_kernel_notes_behind_a_summary_that_counts_epochs_harmed_nobody(tmp_path):
    summary = "{'train_runtime': 99.5, 'train_samples_per_second': 163.2, 'train_loss': 0.84, 'epoch': 4.0}"
    remapped = (
        "Nov 28 21:09:12 kiln44 kernel: NVRM: Xid (PCI:0000:9a:00): 63, pid='<unknown>', name=<unknown>,"
        " Row Remapper: New row marked for remapping, reset gpu to activate."
    )
    assert read(tmp_path, *EPOCHS, "Training finished at step 4", summary, remapped).category == "none"
