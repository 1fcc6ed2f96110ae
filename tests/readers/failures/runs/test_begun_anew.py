"""Behind a launcher's word of an end a new run is told by a counter that goes back, or by a word of resuming."""

import pytest

from schedmate import diagnose

RAISED = [
    *("Traceback (most recent call last):", '  File "/app/train.py", line 9, in <module>', "    main()"),
    '  File "/app/train.py", line 5, in main',
    "KeyError: 'labels'",
]
ENDED = "srun: error: kiln07: task 0: Exited with exit code 1"


def steps(first, last):
    return [f"step {step} loss 2.{step:03d} lr 0.01" for step in range(first, last)]


def read(tmp_path, *lines):
    (tmp_path / "job.log").write_text("\n".join(lines) + "\n")
    return diagnose(tmp_path / "job.log")


@pytest.mark.parametrize("first", [0, 40])
def test_a_run_that_counts_from_further_back_is_another(tmp_path, first):
    found = read(tmp_path, *steps(0, 100), *RAISED, ENDED, *steps(first, 400))
    assert (found.category, found.root_line, found.running_again_line) == ("script", 105, 107)


def test_a_second_run_that_dies_counts(tmp_path):
    lines = [*steps(0, 100), *RAISED, ENDED, *steps(40, 200), "RuntimeError: NCCL communicator was aborted"]
    killed = "slurmstepd: error: Detected 1 oom_kill event in StepId=7.0. Some of the step tasks have been OOM Killed."
    assert read(tmp_path, *lines, killed).root_line == len(lines) + 1


def test_a_counter_that_goes_on_is_the_same_run(tmp_path):
    assert read(tmp_path, *steps(0, 100), ENDED, *steps(100, 400)).running_again_line is None


def test_some_steps_that_another_rank_held_back_are_no_run_of_their_own(tmp_path):
    assert read(tmp_path, *steps(0, 100), ENDED, *steps(96, 400)).running_again_line is None
    assert read(tmp_path, *steps(0, 100), ENDED, *steps(95, 400)).running_again_line is not None


def test_what_each_host_printed_is_no_run_of_its_own(tmp_path):
    hosts = [[f"[{n}] 09:10:1{n} [FAILURE] kiln0{n} Exited with error code 1", *steps(0, 60)] for n in range(1, 4)]
    found = read(tmp_path, *(line for host in hosts for line in host))
    assert found.running_again_line is None


def test_what_another_process_printed_meanwhile_is_no_run_of_its_own(tmp_path):
    stamped = [f"2031-04-05 10:{step:02d}:00 {line}" for step, line in enumerate(steps(0, 60))]
    ended = "2031-04-05 11:00:00 srun: error: kiln07: task 0: Exited with exit code 1"
    assert read(tmp_path, *stamped, ended, *stamped).running_again_line is None
    later = [line.replace("2031-04-05", "2031-04-06") for line in stamped]
    assert read(tmp_path, *stamped, ended, *later).running_again_line is not None


@pytest.mark.parametrize(
    "said", ["resumed from step 100", "Resuming training from runs/7/last.pt", "loading checkpoint runs/7/step_100"]
)
def test_a_run_that_says_that_it_resumes_is_another(tmp_path, said):
    found = read(tmp_path, *steps(0, 100), *RAISED, ENDED, "NCCL_DEBUG=INFO", said, *steps(100, 400))
    assert (found.category, found.root_line, found.running_again_line) == ("script", 105, 108)


@pytest.mark.parametrize(
    "said",
    [
        "loading checkpoint runs/best.pt for evaluation",
        "Loading checkpoint runs/best.pt for the final test",
        "hint: resume training from the last checkpoint",
        "You can resume training from checkpoint 100 with --resume runs/7",
        "to resume from step 100 call it again",
    ],
)
def test_what_is_read_to_be_tried_or_only_advised_resumes_nothing(tmp_path, said):
    assert read(tmp_path, *steps(0, 100), *RAISED, ENDED, said, *steps(100, 400)).running_again_line is None


def test_what_stands_before_the_word_of_resuming_was_said_of_the_run_before(tmp_path):
    fault = "[912.5] NVRM: Xid (PCI:0000:52:00): 79, pid=61, GPU has fallen off the bus."
    waited = "RuntimeError: NCCL communicator was aborted"
    lines = [*steps(0, 100), waited, ENDED, "epilog: kernel log of kiln07", fault, "resumed from step 100"]
    assert read(tmp_path, *lines, *steps(100, 400)).root_line == 104


def test_a_checkpoint_that_is_read_without_an_end_before_it_opens_no_run(tmp_path):
    found = read(tmp_path, *steps(0, 100), "loading checkpoint runs/best.pt for evaluation", *steps(100, 400))
    assert found.running_again_line is None


def test_a_launcher_that_says_when_the_next_try_follows_begins_another_run(tmp_path):
    fault = "kiln07 kernel: [912.5] NVRM: Xid (PCI:0000:52:00): 79, pid=61, GPU has fallen off the bus."
    lines = [*steps(0, 100), fault, "RuntimeError: NCCL communicator was aborted", ENDED]
    found = read(tmp_path, *lines, "launcher: kiln07 taken out, next try in 60 s (try 2 of 3)", *RAISED)
    assert (found.category, found.root_line) == ("script", len(lines) + 6)


def test_behind_a_time_limit_a_job_that_is_named_anew_is_another(tmp_path):
    over = "slurmstepd: error: *** JOB 77 ON kiln07 CANCELLED AT 2031-03-04T11:22:33 DUE TO TIME LIMIT ***"
    found = read(tmp_path, *steps(0, 100), over, "--- job 78 ---", "reading the data", *RAISED)
    assert (found.category, found.root_line) == ("script", 108)
    assert read(tmp_path, *steps(0, 100), over, "--- job 78 ---", "reading the data").category == "other"


def test_what_one_pod_after_another_has_said_is_of_one_run(tmp_path):
    fault = "kiln07 kernel: [912.5] NVRM: Xid (PCI:0000:52:00): 79, pid=61, GPU has fallen off the bus."
    lost = "RuntimeError: NCCL communicator was aborted"
    pods = ["$ kubectl logs acme-0", *steps(0, 40), fault, lost, "$ kubectl logs acme-1", *steps(0, 40), lost]
    assert read(tmp_path, *pods).root_line == 42


CANCELLED = "slurmstepd: error: *** JOB 7 ON kiln07 CANCELLED AT 2031-04-05T10:00:00 ***"


def test_a_bar_that_begins_behind_the_word_that_a_job_was_ended_is_another_jobs(tmp_path):
    bars = [f"  {n}%|          | {n}/100 [00:0{n}<15:50, 10.0s/it]" for n in (0, 5)]
    lines = [CANCELLED, *bars, *RAISED]
    assert read(tmp_path, *lines).root_line == len(lines)
    assert read(tmp_path, CANCELLED, bars[1], *RAISED).root_line == 1
    assert read(tmp_path, CANCELLED, *steps(0, 4), *RAISED).root_line == 1
    saved = [f"Saving shards: {n}%|          | {n}/100 [00:0{n}<15:50, 10.0s/it]" for n in (0, 5)]
    assert read(tmp_path, CANCELLED, *saved, *RAISED).root_line == 1
    assert read(tmp_path, CANCELLED, *bars).root_line == 1


def test_a_bar_that_begins_behind_a_launchers_word_may_be_that_jobs_own(tmp_path):
    bars = [f"  {n}%|          | {n}/100 [00:0{n}<15:50, 10.0s/it]" for n in (0, 5)]
    killed = "slurmstepd: error: Detected 1 oom_kill event in StepId=7.0. Some of the step tasks have been OOM Killed."
    assert read(tmp_path, killed, ENDED, *bars, *RAISED).root_line == 1
