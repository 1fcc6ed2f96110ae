"""The commands around the loop, with no loop up and with one: what they print, and what they refuse."""

import json
import os
import subprocess
import sys
import time
from types import SimpleNamespace

import pytest
from typer.testing import CliRunner

from schedmate.cli import make_app
from schedmate.cli.jobs import chosen, most_telling
from schedmate.cli.submit import name_of
from schedmate.errors import InputError, SchedMateError
from schedmate.history.live import LiveStore
from schedmate.history.live_rows import Submission
from schedmate.scheduling.live.job_account import expected, place_of, waiting
from schedmate.scheduling.live.presence import LoopError, is_up, presence
from schedmate.settings import get_settings
from schedmate.tools.time_spans import span


def call(*arguments):
    """Run a command; known errors come through as they are."""
    answer = CliRunner().invoke(make_app(), arguments)
    if answer.exception is not None and not isinstance(answer.exception, SystemExit):
        raise answer.exception
    return answer


@pytest.fixture
def store():
    made = LiveStore(get_settings().data_dir)
    yield made
    made.close()


def test_a_job_is_taken_in_without_a_loop(tmp_path):
    answer = call(
        "submit", "--name", "n", "--user", "u", "-C", str(tmp_path), "--gpus", "2", "--", "echo", "--x", "a b"
    )
    assert answer.stdout == "job 1\n"
    assert "no loop is up" in answer.stderr
    (job,) = [json.loads(line) for line in call("jobs", "--json").stdout.splitlines()]
    assert (job["state"], job["command"], job["slots"]) == ("pending", ["echo", "--x", "a b"], 2)
    assert job["workdir"] == str(tmp_path)
    assert "environment" not in job
    shown = call("jobs")
    assert "pending" in shown.stdout
    assert "no loop is up" in shown.stderr
    assert "no loop is up" in call("why", "1").stdout


def test_a_job_says_how_many_slots_it_needs_and_how_many_it_can_use():
    call("submit", "--gpus", "2:8", "--", "true")
    (job,) = [json.loads(line) for line in call("jobs", "--json").stdout.splitlines()]
    assert (job["slots"], job["most_slots"]) == (2, 8)
    assert " 2:8 " in call("jobs").stdout


def test_how_long_a_job_that_is_over_ran_is_shown_without_its_wait(store):
    call("submit", "--", "true")
    came_s = store.job(1).submit_s
    run = store.open_run(1, "cpu", (("local", 1),), None, came_s + 500)
    store.update_run(1, run, began_s=came_s + 500)
    store.update(1, state="completed", end_s=came_s + 507)
    (row,) = [line for line in call("jobs").stdout.splitlines() if "completed" in line]
    assert "7 s" in row.split("completed")[1], row


def test_settings_of_schedmate_do_not_reach_the_job(store, monkeypatch):
    monkeypatch.setenv("SCHEDMATE_LLM_KEY", "secret")
    call("submit", "--", "true")
    assert "secret" not in json.dumps(store.job(1).environment)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("submit", "-C", "/nowhere", "--", "true"), "/nowhere is not a directory"),
        (("submit", "--gpus", "1.5", "--", "true"), "above one, whole numbers only"),
        (("submit", "--memory", "1e308", "--", "true"), "no machine has as much"),
        (("submit", "--memory", "inf", "--", "true"), "no machine has as much"),
        (("submit", "--cpus", "9" * 23, "--", "true"), "no machine has as much"),
        (("submit", "--gpus", "0", "--", "true"), "every job takes a slot, or at least a hundredth"),
        (("submit", "--gpus", "nan", "--", "true"), "no machine has as many"),
        (("submit", "--gpus", "two", "--", "true"), "no number of slots"),
        (("submit", "--gpus", "8:2", "--", "true"), "at most more than that"),
        (("submit", "--gpus", "0.5:2", "--", "true"), "at most more than that"),
        (("why", "7"), "there is no job 7"),
        (("logs", "7"), "there is no job 7"),
        (("actions", "7"), "there is no action 7"),
        (("up", "--policy", "sia"), "policy 'sia' cannot run here"),
        (("submit", "--gpus", "inf", "--", "true"), "no machine has as many"),
        (("up", "--slots", "tpu=1"), "not of the form KIND=N"),
        (("up", "--slots", "gpu=512", "--nodes", "2"), "needs 1,024 slots: this machine has"),
        (("up", "--slots", "cpu=1000"), "needs 1,000 slots: this machine has"),
        (("up", "--nodes", "2", "--spares", "2"), "leave none to run on"),
        (("up", "--cluster", "slurm", "--spares", "2"), "drains nodes of Slurm"),
        (("up", "--cluster", "abacus"), "there is no cluster 'abacus'"),
        (("up", "--cluster", "abacus", "--nodes", "2"), "describe this machine, not abacus"),
        (("up", "--slots", "cpu=1", "--option", "beads=9"), "the local cluster has no option 'beads'"),
        (("up", "--slots", "cpu=1", "--option", "beads"), "is not of the form KEY=VALUE"),
        (("up", "--rules", "/nowhere/policy.toml"), "there is no file"),
    ],
)
def test_what_cannot_be_done_is_said(arguments, said):
    with pytest.raises(InputError, match=said):
        call(*arguments)


@pytest.mark.parametrize("command", ["release", "approve", "reject", "undo"])
def test_what_only_a_loop_can_do_says_so(command):
    with pytest.raises(LoopError, match="no loop is up"):
        call(command, "1")


def test_down_without_a_loop_says_so():
    with pytest.raises(LoopError, match="no loop is up"):
        call("down")


def test_a_job_that_has_not_run_has_no_log():
    call("submit", "--", "true")
    with pytest.raises(InputError, match="has not run yet"):
        call("logs", "1")


def test_a_job_is_called_as_its_engine_calls_it(store, tmp_path):
    """An array's element on Slurm, say; its log lies where the engine wrote it."""
    log = tmp_path / "slurm-48213_7.out"
    log.write_text("step 1\n")
    job = Submission(("train",), "/", {}, name="llm", user="ada")
    number = store.submit(job, "theirs", 1.0, engine_id="48213_7")
    store.open_run(number, "gpu", (("n1", 1),), None, 2.0, log=str(log))
    assert call("logs", "48213_7").stdout == call("logs", "1").stdout == "step 1\n"
    assert call("why", "48213_7").stdout.startswith("job 48213_7 (llm of ada) is running")
    assert "48213_7" in call("jobs").stdout
    store.note_action(store.add_action(number, 1, 0, "hold", "the job", "because", "act"), "done")
    assert "48213_7" in call("actions", "--job", "48213_7").stdout
    waiting = str(store.submit(job, "another", 3.0, engine_id="48213_8"))
    assert "will not run" in call("cancel", waiting).stdout
    assert "has cancelled it" in call("why", waiting).stdout
    assert "cancelled once a loop is up" in call("jobs").stdout
    assert "job 48213_7 is not stopped yet" in call("cancel", "48213_7").stdout
    assert "has cancelled it" in call("why", "48213_7").stdout
    assert "stopped once a loop is up" in call("jobs").stdout
    assert [(one.kind, one.target) for one in store.requests()] == [("cancel", int(waiting)), ("cancel", number)]
    with pytest.raises(InputError, match="there is no job 48213_9"):
        call("logs", "48213_9")


def until(loop, done):
    """Wait until something is so, as long as the loop lives."""
    while not done():
        assert loop.poll() is None
        time.sleep(0.02)


def test_with_a_loop(store, tmp_path, monkeypatch):
    monkeypatch.setattr("schedmate.scheduling.live.loop_client.PATIENCE_S", 300.0)
    loop = subprocess.Popen([sys.executable, "-m", "schedmate", "up", "--slots", "cpu=1", "--quiet"])
    try:
        call("submit", "-C", str(tmp_path), "--", "echo", "hello")
        until(loop, lambda: store.job(1).state == "completed")
        assert call("logs", "1", "--follow").stdout == "hello\n"
        assert "run 1 on local:0: completed" in call("why", "1").stdout
        with pytest.raises(InputError, match="no run 5"):
            call("logs", "1", "--run", "5")
        call("submit", "--", "sleep", "600")
        until(loop, lambda: store.job(2).state == "running")
        assert "no loop is up" not in call("jobs").stderr
        call("submit", "--name", "next", "--user", "u", "--", "true")
        call("submit", "--name", "last", "--user", "u", "--", "true")
        # Until both were read, the one that is thought to be shorter may stand before the other.
        until(loop, lambda: json.loads(call("why", "4", "--json").stdout)["queue"]["position"] == 2)
        told = json.loads(call("why", "4", "--json").stdout)
        assert list(told) == ["job", "job_id", "state", "reason", "facts", "queue", "diagnosis"]
        assert (told["queue"]["position"], told["queue"]["waiting"]) == (2, 2)
        assert [one["job"] for one in told["queue"]["before"]] == [3]
        assert told["queue"]["waits_for"] == "1 slot together; 0 of 1 are free"
        assert told["queue"]["expected_start_in_s"] > 0
        said = call("why", "4").stdout
        assert "number 2 of 2 that wait" in said
        assert "before it: job 3 (next of u), 1 slot, expected" in said
        assert json.loads(call("why", "2", "--json").stdout)["queue"] is None
        for waiting in ("3", "4"):
            assert call("cancel", waiting).stdout == f"job {waiting} is cancelled\n"
        assert call("cancel", "2").stdout == "job 2 is being stopped\n"
        until(loop, lambda: store.job(2).state == "cancelled")
        with pytest.raises(SchedMateError, match="there is no job 99"):
            call("cancel", "99")
        assert call("release", "2").stdout == "job 2 is back in the queue\n"
        call("cancel", "2")
        until(loop, lambda: not store.runs())
        assert call("down").stdout == "down; no job runs\n"
        assert loop.wait(300) == 0
        assert not is_up(store.data_dir)
    finally:
        loop.kill()
        loop.wait()


def test_the_audit_trail_is_shown(store):
    for place in range(4):
        store.submit(Submission(("true",), "/", {}), f"t{place}", 1.0)
    action = store.add_action(3, 1, 0, "isolate", "node2", "Xid 79", "act")
    store.note_action(action, "planned")
    store.note_action(action, "done", "node2 takes no more jobs")
    assert "node2 takes no more jobs" in call("actions").stdout
    assert call("actions", "1").stdout.count("\n") == 3
    told = json.loads(call("actions", "--job", "3", "--json").stdout)
    assert [one["event"] for one in told["trail"]] == ["planned", "done"]
    assert call("actions", "--job", "4", "--json").stdout == ""


def test_a_name_commands_nobodys_terminal(store, tmp_path):
    call("submit", "-C", str(tmp_path), "--name", "a\x1b[31mb\nüx", "--user", "\x07u", "--", "true")
    assert (store.job(1).name, store.job(1).user) == ("a[31mbüx", "u")


def test_a_small_screen_shows_what_runs_first(store, tmp_path):
    for state in ("completed", "running", "pending", "held", "failed", "pending"):
        call("submit", "-C", str(tmp_path), "--", "true")
        store.update(store.newest_job(), state=state, end_s=9.0 if state in ("completed", "failed") else None)
    rows = chosen(store, everything=True)
    shown = [[row.id for row in most_telling(rows, most)] for most in (0, 2, 4, 5, 9)]
    assert shown == [[2], [2, 4], [2, 3, 4, 6], [1, 2, 3, 4, 6], [1, 2, 3, 4, 5, 6]]


def test_words():
    assert place_of((("n1", 0b101), ("n2", 0b1))) == "n1:0,2 n2:0"
    assert [span(seconds) for seconds in (-1, 90, 600, 9000)] == ["0 s", "90 s", "10 min", "2.5 h"]


@pytest.mark.parametrize(
    ("words", "name"),
    [
        (["python", "x.py", "--lr", "1"], "x"),
        (["/opt/bin/python3.11", "-u", "src/train.py"], "train"),
        (["python", "-m", "llm.pretrain"], "llm.pretrain"),
        (["torchrun", "--nproc-per-node=8", "finetune.py"], "finetune"),
        (["bash", "run.sh"], "run"),
        (["./train"], "train"),
        (["echo", "x.py"], "echo"),
        (["python", "-c", "pass"], "python"),
    ],
)
def test_a_job_is_named_by_what_it_runs(words, name):
    assert name_of(words) == name


def test_what_belongs_to_a_terminal_is_not_kept_with_the_job(store, monkeypatch):
    for variable in ("SSH_AUTH_SOCK", "SUDO_COMMAND", "PS1", "TERM"):
        monkeypatch.setenv(variable, "of my terminal")
    monkeypatch.setenv("TERMINATE_AFTER", "3")
    call("submit", "--", "true")
    kept = store.job(1).environment
    assert "of my terminal" not in kept.values()
    assert kept["TERMINATE_AFTER"] == "3"


def test_a_waiting_job_can_be_cancelled_without_a_loop(store):
    call("submit", "--", "true")
    assert "cancels it before anything else" in call("cancel", "1").stdout
    assert [(one.kind, one.target) for one in store.requests()] == [("cancel", 1)]


def test_a_running_job_that_is_cancelled_without_a_loop_runs_until_there_is_one(store, tmp_path, monkeypatch):
    """What is said of it is true of its process."""
    monkeypatch.setattr("schedmate.scheduling.live.loop_client.PATIENCE_S", 300.0)
    up = [sys.executable, "-m", "schedmate", "up", "--slots", "cpu=1", "--quiet"]
    loop = subprocess.Popen(up)
    try:
        call("submit", "-C", str(tmp_path), "--", "sh", "-c", "echo $$ > pid; exec sleep 600")
        until(loop, lambda: (tmp_path / "pid").exists() and (tmp_path / "pid").read_text())
        until(loop, lambda: store.job(1).state == "running")
        call("down")
        loop.wait(300)
        assert "it stops the job first" in call("cancel", "1").stdout
        pid = int((tmp_path / "pid").read_text())
        os.kill(pid, 0)
        loop = subprocess.Popen(up)
        until(loop, lambda: store.job(1).state == "cancelled")
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)
        call("down")
        assert loop.wait(300) == 0
    finally:
        loop.kill()
        loop.wait()


def test_up_says_nothing_before_it_is_up(tmp_path, own_home):
    """Neither where nothing can be written, nor where another loop is up."""
    for folder in ("/proc/nowhere", str(own_home / "file" / "data")):
        (own_home / "file").write_text("")
        answer = subprocess.run(
            [sys.executable, "-P", "-m", "schedmate", "up"], capture_output=True, text=True,
            env={**os.environ, "SCHEDMATE_DATA_DIR": folder}, check=False,
        )  # fmt: skip
        assert (answer.returncode, answer.stdout) == (2, "")
        assert answer.stderr.startswith(f"error: {folder} cannot be used: ")
        assert "Traceback" not in answer.stderr
    with presence(get_settings().data_dir), pytest.raises(LoopError, match="a loop is up already"):
        call("up")


def test_without_any_ended_job_nothing_is_expected():
    """Rather no number than a guess that looks like knowledge."""
    queue = {
        "policy": "p", "waiting": 2, "position": 2, "waits_for": "a slot", "expected_s": None,
        "expected_start_in_s": None,
        "before": [
            {"job": 1, "job_id": "1", "name": "n", "user": "u", "slots": 1, "expected_s": None, "waited_s": 1.0}
        ],
    }  # fmt: skip
    facts = waiting(queue)
    assert facts[-1] == "when it starts nobody can say: no job has ended here yet"
    assert not any("expected" in fact for fact in facts)


def test_a_guess_is_called_one():
    told = {"duration_p50_s": 60.0, "duration_p90_s": 900.0, "source": "fallback"}
    (fact,) = expected(SimpleNamespace(estimate=json.dumps(told), metrics="", state="pending"))
    assert fact == "expected to run 60 s (a guess: nothing similar ran)"


@pytest.mark.parametrize(
    ("source", "jobs", "said"),
    [
        ("fallback", 1, "expected to run 80 s (a guess from 1 past job: nothing similar ran)"),
        ("fallback", 9, "expected to run 80 s, 15 min at most in nine of ten "
            "(a guess from 9 past jobs: nothing similar ran)"),
        ("resubmission", 2, "expected to run 80 s (it has run before: 2 past jobs)"),
        ("resubmission", 3, "expected to run 80 s, 15 min at most in nine of ten (it has run before)"),
    ],
)  # fmt: skip
def test_what_few_jobs_tell_is_said_to_be_of_few(source, jobs, said):
    told = {"duration_p50_s": 60.0, "duration_mean_s": 80.0, "duration_p90_s": 900.0, "source": source}
    told["rests_on"] = [str(number) for number in range(jobs)]
    (fact,) = expected(SimpleNamespace(estimate=json.dumps(told), metrics="", state="pending"))
    assert fact == said


def test_down_says_how_long_it_waited(store, monkeypatch):
    monkeypatch.setattr("schedmate.cli.up.PATIENCE_S", 0.25)
    with presence(get_settings().data_dir), pytest.raises(SchedMateError, match=r"has not gone down within 0\.25 s"):
        call("down")
