"""What launchers, clouds and servers say of an end: their words state no cause, and the code that they tell decides."""

import pytest

from schedmate.graphs.diagnose import run_diagnose

STEPS = "".join(f"step {step}: loss {3 - step / 100:.3f}, 2.1 it/s\n" for step in range(40))


@pytest.fixture
def diagnosed(tmp_path):
    def diagnose(text):
        (tmp_path / "job.log").write_text(text, "utf-8")
        return run_diagnose(str(tmp_path / "job.log"), engine="built-in")

    return diagnose


@pytest.mark.parametrize(
    ("told", "category"),
    [
        ("resources_used.walltime=01:10:02 exit_status=1", "script"),
        ("Exited with exit code 3.", "script"),
        ("ERROR: Job 7 failed with return code list: [137, 1, 137]", "script"),
        ("ERROR: Job 7 failed with return code list: [137]", "infrastructure"),
        ("The replica workerpool0-0 exited with a non-zero status of 1. Termination reason: Error.", "script"),
        ("[fleet] task 4 terminated with exit code 139", "framework"),
        ("[fleet] task 4 terminated with exit code 127", "script"),
        ("cloud-trainer ERROR    ExecuteUserScriptError:", "script"),
        ("ERROR:  One or more process (first noticed rank 12) terminated with signal 6 (core dumped)", "framework"),
        ("n7: rank 12 died from signal 9", "infrastructure"),
        ("9.1s: job.exception type=exec severity=0 task 12 (host n7): Segmentation fault", "framework"),
        ("Application 4711 exit signals: Killed", "infrastructure"),
        ("flux-job: task(s) Aborted", "framework"),
        ("Job 9's state: FAILED_NO_RESOURCE", "infrastructure"),
        ("the run ended: MAX_DURATION_EXCEEDED", "other"),
    ],
)
def test_where_nothing_else_is_said_the_code_decides(diagnosed, told, category):
    found = diagnosed(STEPS + told + "\n")
    assert found.category == category
    assert found.root_line == 41
    assert found.confidence < 0.8 or told.startswith(("Job 9", "the run"))


@pytest.mark.parametrize("told", ["resources_used.walltime=01:10:02 exit_status=0", "all 8 tasks exited with code 0"])
def test_a_good_end_is_no_failure(diagnosed, told):
    assert diagnosed(STEPS + told + "\n").category == "none"


def test_the_programs_own_words_outrank_how_its_end_is_told(diagnosed):
    found = diagnosed(STEPS + "NVRM: Xid (PCI:0000:3b:00): 79, GPU has fallen off the bus.\nExited with exit code 1.\n")
    assert (found.category, found.root_line) == ("infrastructure", 41)


def test_what_srun_kills_with_its_step_did_not_fail_first(diagnosed):
    found = diagnosed(
        STEPS
        + "srun: error: n7: task 1: Exited with exit code 99\nsrun: Terminating job step 7.0\n"
        + "slurmstepd: error: *** STEP 7.0 ON n7 CANCELLED AT 2026-03-01T10:00:00 ***\n"
        + "srun: error: n7: task 0: Killed\n"
    )
    assert (found.category, found.root_line) == ("script", 41)


def test_the_front_of_a_server_tells_only_that_its_worker_is_gone(diagnosed):
    found = diagnosed(
        "ERROR shard-manager: Shard complete standard error output:\n"
        "ERROR shard-manager: Shard process was signaled to shutdown with signal 4 rank=0\nError: ShardCannotStart\n"
    )
    assert (found.category, found.root_line) == ("framework", 2)


def test_a_table_of_models_says_which_could_not_be_loaded(diagnosed):
    found = diagnosed(
        "| net | 1 | READY |\n| big | 1 | UNAVAILABLE: Internal: no engine for this GPU |\n+-----+\n| id | demo |\n"
        "| log | 1 |\n+-----+\nerror: creating server: Internal - failed to load all models\n"
    )
    assert (found.category, found.root_line) == ("framework", 2)


@pytest.mark.parametrize(
    ("told", "category"),
    [
        ("fleet INFO - Task exited with return code Negsignal.SIGKILL", "infrastructure"),
        ("Error: the runner exited: signal: aborted (core dumped)", "framework"),
        ("task 3 was killed by signal SIGSEGV", "framework"),
        ("Status Reason: Host EC2 Terminated", "infrastructure"),
        ("task stopped: CannotInspectContainerError: timed out after waiting 30s", "infrastructure"),
    ],
)
def test_a_signal_or_a_reason_is_read_in_every_form(diagnosed, told, category):
    assert diagnosed(STEPS + told + "\n").category == category


def test_news_of_a_process_that_ended_takes_the_code_told_under_it(diagnosed):
    head = "RuntimeError: Horovod detected that one or more processes exited with non-zero status, the first was:\n"
    told = diagnosed(STEPS + head + "Process name: worker-1[0]\nExit code: 137\n")
    assert (told.category, told.subcategory, told.root_line) == ("infrastructure", "node", 41)
    assert diagnosed(STEPS + head + "Process name: worker-1[0]\nExit code: 1\n").category == "script"


def test_a_line_that_introduces_another_gives_way_to_it(diagnosed):
    found = diagnosed(STEPS + "Registry error:\nPOST /runs/7 failed (code 500): Internal server error\n")
    assert (found.category, found.subcategory, found.root_line) == ("infrastructure", "other", 42)
