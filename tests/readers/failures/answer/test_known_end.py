"""How a job ended is evidence beside its log: it decides where the log says nothing, and never over a stated cause."""

import pytest

from schedmate import diagnose
from schedmate.errors import InputError
from schedmate.readers.failures.exit_codes import read_end

STEPS = "".join(f"epoch 1 step {step} loss {3 - step / 100:.3f}\n" for step in range(10, 60, 10))
RAISED = (
    'Traceback (most recent call last):\n  File "train.py", line 3, in <module>\n    main()\nzoo.Hungry: no bananas\n'
)


@pytest.mark.parametrize(
    ("said", "category", "name"),
    [
        (126, "script", "exit.not_executable"),
        (127, "script", "exit.not_found"),
        ("127:0", "script", "exit.not_found"),
        (134, "framework", "exit.aborted"),
        (-6, "framework", "exit.aborted"),
        (137, "infrastructure", "exit.killed"),
        ("0:9", "infrastructure", "exit.killed"),
        ("SIGKILL", "infrastructure", "exit.killed"),
        (139, "framework", "exit.segfault"),
        (143, "other", "exit.terminated"),
        (271, "other", "exit.terminated"),
        (265, "infrastructure", "exit.killed"),
        (257 + 64, "script", "exit.error"),
        ("TERM_THREADLIMIT", "script", "exit.process_limit"),
        (130, "other", "exit.interrupted"),
        (152, "other", "exit.cpu_time"),
        (255, "script", "exit.launcher"),
        (3, "script", "exit.error"),
        ("FAILED 1:0", "script", "exit.error"),
        ("0:125", "infrastructure", "exit.slurm_memory"),
        ("0:53", "script", "exit.slurm_output"),
        ("TIMEOUT", "other", "exit.time_limit"),
        ("DeadlineExceeded", "other", "exit.time_limit"),
        ("CANCELLED by 1000", "other", "exit.cancelled"),
        ("NODE_FAIL", "infrastructure", "exit.node_failed"),
        ("PREEMPTED 0:15", "infrastructure", "exit.preempted"),
        ("OUT_OF_MEMORY 0:125", "infrastructure", "exit.memory_limit"),
        ("OUT_OF_ME+", "infrastructure", "exit.memory_limit"),
        ("CANCELLED+", "other", "exit.cancelled"),
        ("OOMKilled", "infrastructure", "exit.memory_limit"),
    ],
)
def test_every_end_has_a_reading(tmp_path, said, category, name):
    (tmp_path / "job.log").write_text(STEPS)
    found = diagnose(tmp_path / "job.log", exited=said)
    assert (found.category, found.failure_id) == (category, name)
    assert found.explanation
    assert found.actions[0].kind != "none"


def test_a_log_that_states_its_cause_is_heard_first(tmp_path):
    (tmp_path / "job.log").write_text(STEPS + RAISED)
    for said in (1, 137, "TIMEOUT", "NODE_FAIL"):
        found = diagnose(tmp_path / "job.log", exited=said)
        assert (found.category, found.failure_id) == ("script", "script.hungry")
        assert any(note.startswith(f"ended with {said}: ") for note in found.notes)


def test_a_state_decides_over_an_effect(tmp_path):
    (tmp_path / "job.log").write_text(STEPS + "BrokenPipeError: [Errno 32] Broken pipe\n")
    assert diagnose(tmp_path / "job.log", exited="NODE_FAIL").failure_id == "exit.node_failed"


def test_an_end_that_agrees_makes_it_surer_and_a_good_end_less_sure(tmp_path):
    (tmp_path / "job.log").write_text(STEPS + RAISED)
    alone = diagnose(tmp_path / "job.log")
    assert diagnose(tmp_path / "job.log", exited=1).confidence > alone.confidence
    assert diagnose(tmp_path / "job.log", exited="COMPLETED 0:0").confidence < alone.confidence


def test_a_good_end_leaves_a_healthy_log_healthy(tmp_path):
    (tmp_path / "job.log").write_text(STEPS)
    assert diagnose(tmp_path / "job.log", exited=0).category == "none"


def test_a_job_that_wrote_nothing_is_read_by_its_end(tmp_path):
    (tmp_path / "job.log").write_text("")
    found = diagnose(tmp_path / "job.log", exited=127)
    assert (found.category, found.failure_id) == ("script", "exit.not_found")


@pytest.mark.parametrize("said", ["soon", "1e3", "99999", "; rm -rf /", "+", "C+"])
def test_what_is_no_end_is_refused(said):
    with pytest.raises(InputError):
        read_end(said)
