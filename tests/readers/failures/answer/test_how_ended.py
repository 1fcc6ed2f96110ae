"""How a job ended: by somebody's hand, well, or without a word of it; headline and plan say the same."""

import pytest

from schedmate import diagnose
from schedmate.readers.failures.advice.headline import headline

STEPS = "".join(f"step {step}/5000 loss {3 - step / 10000:.4f}\n" for step in range(10, 300, 10))


@pytest.fixture
def found(tmp_path):
    def read(text, **told):
        path = tmp_path / "job-4711.log"
        path.write_text(text)
        return diagnose(path, engine="built-in", **told)

    return read


@pytest.mark.parametrize(
    "last",
    [
        "slurmstepd: error: *** JOB 4711 ON n02 CANCELLED AT 2026-03-01T23:00:00 ***",
        'Traceback (most recent call last):\n  File "train.py", line 9, in <module>\n    main()\nKeyboardInterrupt',
        "portal: Workload llm-7 was deleted by user mira",
    ],
)
def test_what_somebody_ended_is_neither_held_nor_queued_again(found, last):
    answer = found(f"srun: job 4711 queued\n{STEPS}{last}\n")
    assert answer.category == "other"
    assert headline(answer) == "somebody ended it"
    assert [(action.kind, action.target, action.commands) for action in answer.actions] == [("notify", "owner", {})]


def test_a_time_limit_is_still_held(found):
    answer = found(
        f"{STEPS}slurmstepd: error: *** JOB 4711 ON n1 CANCELLED AT 2026-03-01T23:00:00 DUE TO TIME LIMIT ***\n"
    )
    assert [action.kind for action in answer.actions] == ["hold", "notify"]
    assert answer.actions[0].commands == {"slurm": "scontrol requeuehold 4711"}


def test_who_was_asked_to_end_by_nobody_knows_whom_is_not_put_back_by_a_command(found):
    answer = found(STEPS, exited=143)
    assert "by whom, the log does not say" in headline(answer)
    hold = next(action for action in answer.actions if action.kind == "hold")
    assert (hold.reason, hold.commands) == ("ask who ended it before it starts again", {})


def test_a_log_that_just_stops_proves_no_health(found):
    answer = found(STEPS)
    assert answer.category == "none"
    assert headline(answer) == "its log stops at step 290 of 5000 and does not say how it ended"
    assert [(one.line, one.quote, one.note) for one in answer.evidence] == [
        (29, "step 290/5000 loss 2.9710", "last healthy step")
    ]
    assert "stops at step 290 of 5000" in answer.explanation
    assert "--exited" in answer.advice
    assert "none proves that the job ended well" in answer.actions[0].reason


def test_a_program_without_steps_is_quoted_by_its_last_line(found):
    answer = found("reading shards\nbuilding the index\n\n")
    assert [(one.line, one.quote, one.note) for one in answer.evidence] == [(2, "building the index", "last line")]
    assert headline(answer) == "its log stops and does not say how it ended"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("".join(f"step {step}/300 loss 2.1\n" for step in range(10, 301, 10)), "it did its last step"),
        ("".join(f"epoch {e}/3 step {s}/9 loss 2.1\n" for e in (1, 2, 3) for s in (3, 6, 9)), "it did its last step"),
        ("".join(f"step {step}/300 loss 2.1 val_loss 2.3\n" for step in range(10, 301, 10)), "it did its last step"),
        (STEPS + "Training finished in 0:30:00\n", "its log says that it ended well"),
    ],
)
def test_health_is_proven_by_the_last_step_or_by_a_word(found, text, told):
    answer = found(text)
    assert headline(answer) == told
    assert (answer.actions[0].reason, answer.advice) == ("the job was well", "")


@pytest.mark.parametrize(
    "text",
    [
        "".join(f"Train Epoch: {e} [{s}/900] loss: 2.1\n" for e in (1, 2) for s in (300, 600, 900)),
        "".join(f"{s}/900 [00:12<00:00, 5.0it/s, loss=2.1]\n" for _ in range(2) for s in (300, 600, 900)),
        "".join(f"epoch {e}/3 iter {s} loss 2.1\n" for e in (1, 2, 3) for s in (10, 30, 50)),
        STEPS + "".join(f"eval step {s}/391\n" for s in (130, 260, 391)),
        STEPS + "".join(f"step {s}/391\n" for s in (300, 350, 391)),
    ],
)
def test_the_end_of_an_epoch_is_not_the_end_of_the_job(found, text):
    assert "does not say how it ended" in headline(found(text))


def test_what_is_told_beside_the_log_settles_how_it_ended(found):
    well, badly = found(STEPS, exited=0), found(STEPS, exited="FAILED")
    assert (headline(well), well.actions[0].reason) == ("it is said to have ended well", "the job was well")
    assert (headline(badly), badly.advice) == ("its log does not say why it ended", "")
    assert {well.category, badly.category} == {"none"}
    failed = found("".join(f"step {step}/300 loss 2.1\n" for step in range(10, 301, 10)), exited="FAILED")
    assert headline(failed) == "its log does not say why it ended", "who ran it knows more of its end than its log"


def test_a_restart_that_the_plan_holds_is_not_promised(found):
    answer = found(f"{STEPS}Killed\n")
    assert answer.should_restart == "yes"
    assert "restart" not in [action.kind for action in answer.actions]
    assert headline(answer).startswith("a restart may help; held until somebody looks: the diagnosis is too unsure")


FULL = "OSError: [Errno 28] No space left on device"


@pytest.mark.parametrize(
    ("quote", "command", "condition"),
    [
        (f"{FULL}: '/scratch/run 7/ck.pt'", None, "the full file system"),
        (f"{FULL}: '/scratch/run7/ck.pt'", "/scratch/run7", "/scratch/run7"),
        (f"{FULL}: '/dev/shm/torch_7'", "/dev/shm/torch_7", ""),
        (f"{FULL}: '/a/$(reboot)/x.pt'", None, "the full file system"),
        (f"{FULL}: '/a;reboot/x.pt'", None, "the full file system"),
        (f"{FULL}: '/a/../../etc'", None, "the full file system"),
        (f"{FULL}: '/data/-rf'", None, "the full file system"),
        (FULL, None, "the full file system"),
    ],
)
def test_a_full_disk_is_looked_at_where_it_is_full(found, quote, command, condition):
    answer = found(f'{STEPS}Traceback (most recent call last):\n  File "train.py", line 3, in <module>\n{quote}\n')
    assert answer.failure_id == "storage.disk_full"
    check = next(action for action in answer.actions if action.kind == "health_check").commands["shell"]
    asked = ["df", "-h", "--output=source,fstype,target,avail,pcent,iavail,ipcent"]
    assert check.split(" ") == asked + ([command] if command else [])
    assert headline(answer) == "a restart on other hardware helps" + (
        f", if {condition} is the node's own" if condition else ""
    )
    restart = next(action for action in answer.actions if action.kind == "restart")
    assert ("on shared storage make room first" in restart.reason) == bool(condition)


def test_the_script_that_complains_is_not_what_is_full(found):
    script = "/var/spool/slurmd/job4711/slurm_script: line 12: echo: write error: No space left on device"
    answer = found(f"{STEPS}{script}\n")
    assert answer.failure_id == "storage.disk_full"
    check = next(action for action in answer.actions if action.kind == "health_check").commands["shell"]
    assert "/var/spool" not in check
    assert headline(answer) == "a restart on other hardware helps, if the full file system is the node's own"


BY_TORCHRUN = (
    "W0204 10:11:12.1 4711 torch/distributed/elastic/agent/server/api.py:719] Received {} death signal, shutting "
)


@pytest.mark.parametrize(
    ("last", "kinds", "said"),
    [
        (BY_TORCHRUN.format(15) + "down workers", ["hold", "notify"], "by whom, the log does not say"),
        (BY_TORCHRUN.format("SIGHUP") + "down workers", ["hold", "notify"], "by whom, the log does not say"),
        (BY_TORCHRUN.format(2) + "down workers", ["notify"], "somebody ended it"),
        ("Caught signal SIGTERM(15) on PID 871", ["hold", "notify"], "by whom, the log does not say"),
        ("[fleet] task 4 terminated with exit code -15", ["hold", "notify"], "by whom, the log does not say"),
        ("[fleet] task 4 terminated with exit code -6", ["hold", "notify"], "a restart would fail again"),
    ],
)
def test_a_signal_says_who_may_have_ended_it_and_not_that_it_would_fail_again(found, last, kinds, said):
    answer = found(f"{STEPS}{last}\n")
    assert [action.kind for action in answer.actions] == kinds
    assert said in headline(answer)


def test_of_paddles_launcher_the_code_decides_and_no_warning_of_another_day(found):
    told = [
        "LAUNCH INFO 2031-02-03 09:00:00,001 Watching Pod: kiln, replicas 1, status running",
        "LAUNCH WARNING 2031-02-04 17:01:02,003 save gpu log failed",
        "LAUNCH INFO 2031-02-06 11:12:13,014 Pod failed",
        "LAUNCH ERROR 2031-02-06 11:12:13,015 Container failed !!!",
        "Container rank 0 status failed cmd ['/opt/lab/bin/python', '-u', 'serve.py'] code {} log log/workerlog.0",
        "LAUNCH INFO 2031-02-06 11:12:13,016 Exit code {}",
    ]
    asked, broken = (found("\n".join(told).replace("{}", code) + "\n") for code in ("-15", "1"))
    assert (asked.category, asked.root_line) == ("other", 6)
    assert broken.category == "script"


def test_a_known_signal_in_an_otherwise_healthy_log_is_no_mere_guess(found):
    answer = found(
        f"{STEPS}*** SIGTERM (@0x3e800000b2c) received by PID 871 (TID 0x7f3a) from PID 860; stack trace: ***\n"
    )
    assert answer.category == "other"
    assert 0.4 < answer.confidence < 0.8
