"""No text of others commands the terminal: hostile names, logs, code and words of models, through a real terminal."""

import ast
import json
import os
import shlex
import time
from pathlib import Path

import pytest

import schedmate
from schedmate.history.live import LiveStore
from schedmate.history.live_rows import Submission
from schedmate.scheduling.live.presence import is_up
from tests.cli.terminal import on_terminal
from tests.scheduling.live.up_process import Up
from tests.scripted_server import ScriptedServer, says, smallest

OSC, SGR, CLEAR = "\x1b]0;pwned\x07", "\x1b[13;27m", "\x1b[2J\x1b[13;13H"
HOSTILE = f"a{OSC}b{SGR}c{CLEAR}d\x9b2Je\u202ef\x08\x08g[bold]h[/bold]i[link=http://x]j"
"""Window titles, colours, moves, eight-bit commands, writing turned around, and markup of our own library."""
SINGLE = HOSTILE.replace("/", "")
RAW = ("\x1b]0", "13;27m", "\x1b[2J", "\x1b[13;13H", "\x9b", "\u202e", "\x07", "\x08\x08")


def check(shown):
    found = [mark for mark in RAW if (mark in shown if mark[0] != "1" else f"\x1b[{mark}" in shown)]
    assert found == [], ascii(shown)


@pytest.fixture
def folder(tmp_path):
    (tmp_path / f"{SINGLE}.log").write_text(log())
    (tmp_path / "job.log").write_text(log())
    repo = tmp_path / SINGLE
    repo.mkdir()
    (repo / "train.py").write_text(
        f"import torch\nmodel_name = {HOSTILE!r}\n# {HOSTILE}\nname = '{HOSTILE.replace(chr(8), '')}'\n"
        f"from transformers import AutoModel\nm = AutoModel.from_pretrained('org{SINGLE}')\n"
        "opt = torch.optim.Adam(m.parameters(), lr=1e-3)\nfor epoch in range(3):\n    opt.step()\n"
    )
    rows = "".join(f"{i},{SINGLE},{SINGLE},n{SINGLE},{i * 10},{100 + i},1,COMPLETED,\n" for i in range(20))
    (tmp_path / "jobs.csv").write_text("job_id,user,vc,name,submit_s,duration_s,gpus,status,extra\n" + rows)
    return tmp_path


def log():
    return (
        "".join(f"step {step}/90 loss 0.{step} {HOSTILE}\n" for step in range(9))
        + f'Traceback (most recent call last):\n  File "{HOSTILE}.py", line 3, in {HOSTILE}\n    {HOSTILE}\n'
        + f"zoo.{SINGLE}Error: {HOSTILE}\nRuntimeError: CUDA error {HOSTILE}\n"
    )


def commands():
    name, quoted = shlex.quote(SINGLE), shlex.quote(f"python train.py --name {SINGLE}")
    add = f"--user {name} --name {name} --command {quoted} --vc {name} --branch {name} --source {name} --status failed"
    return {
        "diagnose": [f"diagnose {name}.log --repo {name}"],
        "diagnose several": [f"diagnose {name}.log job.log"],
        "diagnose json": [f"diagnose {name}.log --json"],
        "diagnose nothing": [f"diagnose {name}.nolog"],
        "track": [f"track {name}.log job.log"],
        "track json": [f"track {name}.log --json"],
        "classify": [f"classify {name}.log"],
        "anonymize": ["anonymize job.log"],
        "extract": [f"extract {name} --command {quoted}"],
        "extract, no command": [f"extract {name}"],
        "advise": [f"advise {name} --command {quoted} --user {name}"],
        "history": [
            f"history add {name} {add} --log job.log --repo {name}", "history list", f"history show {name}",
            "history stats", "history export", "history export --format csv",
            f"history show {name}x", "history list --json",
        ],
        "history import": ["history import jobs.csv", "history list", "history stats"],
        "trace": ["trace describe jobs.csv", "trace sample jobs.csv --jobs 3", "trace describe jobs.csv --json"],
        "simulate": ["simulate --trace jobs.csv --nodes 2x4 --policy fifo"],
        "submit": [f"submit --name {name} --user {name} --kind {name} -- echo {name}", "jobs", "why 1", "jobs --json"],
        "config": ["config", "config --json"],
    }  # fmt: skip


@pytest.mark.parametrize("name", commands())
def test_a_command_prints_nothing_that_commands_the_terminal(folder, name):
    for line in commands()[name]:
        code, shown = on_terminal(folder, *shlex.split(line), SCHEDMATE_LLM_MODEL=SINGLE)
        assert code in (0, 2), shown
        assert 'Traceback (most recent call last):\r\n  File "/' not in shown
        check(shown)


def test_what_follows_a_log_or_the_jobs_commands_nothing(tmp_path):
    (tmp_path / f"{SINGLE}.log").write_text(log() + "step 77/90 loss 0.5\n")
    lines = [f"track {shlex.quote(SINGLE)}.log --follow", f"track {shlex.quote(SINGLE)}.log --follow --json"]
    for line in lines:
        code, shown = on_terminal(tmp_path, *shlex.split(line), until="77")
        assert code in (0, 130), shown
        check(shown)
    store = LiveStore(tmp_path / "data")
    store.submit(Submission(("true",), "/", {}, name=SINGLE, user=SINGLE, kind=SINGLE), "one", 1.0)
    job = store.submit(Submission(("true",), "/", {}, name="marked", user=SINGLE), "two", 1.0)
    run = store.open_run(job, "cpu", ((SINGLE, 1),), None, 1.0)
    store.update(job, reason=HOSTILE, metrics=json.dumps({"step": HOSTILE, "total_steps": 9}))
    written = store.log_of(job, run)
    written.parent.mkdir(parents=True)
    written.write_text(log() + "lastline\n")
    for line, words in (("jobs --watch", "marked"), (f"logs {job} --follow", "lastline")):
        code, shown = on_terminal(tmp_path, *line.split(), until=words, SCHEDMATE_DATA_DIR=str(tmp_path / "data"))
        assert code in (0, 130), shown
        assert words in shown
        check(shown)
    store.close()


def test_words_of_a_model_command_nothing(folder):
    def hostile(body):
        form = (body.get("response_format") or {}).get("json_schema")
        return says(spoilt(smallest(form["schema"])) if form else HOSTILE)

    def spoilt(value):
        if isinstance(value, dict):
            return {key: spoilt(one) for key, one in value.items()}
        return HOSTILE[:30] if value == "x" else value

    with ScriptedServer(hostile, max_model_len=100_000) as server:
        for verb in ("diagnose", "track", "classify"):
            code, shown = on_terminal(folder, verb, "job.log", "--engine", "model", SCHEDMATE_LLM_URL=server.url)
            assert code in (0, 2), shown
            check(shown)
    assert server.chats()


def test_the_loop_and_its_jobs_command_nothing(tmp_path):
    up = Up(tmp_path, "--slots", "cpu=1", "--mode", "act")
    try:
        up.start()
        environment = {"PATH": os.environ["PATH"]}
        command = ("sh", "-c", f"printf %s {shlex.quote(log())}; echo; printf end; exit 1")
        job = Submission(command, str(up.work), environment, name=SINGLE, user=SINGLE)
        never = Submission(command, str(up.work), environment, name=SINGLE, user=SINGLE, kind=SINGLE)
        first, second = (up.store.submit(one, os.urandom(8).hex(), time.time()) for one in (job, never))
        up.until(lambda: up.store.job(first).diagnosis)
        lines = [f"logs {first}", f"why {first}", f"why {second}", "jobs", "actions", f"cancel {second}"]
        for line in lines:
            code, shown = on_terminal(tmp_path, *line.split(), SCHEDMATE_DATA_DIR=str(up.data_dir))
            assert code == 0, shown
            check(shown)
        raw = on_terminal(tmp_path, "logs", str(first), "--raw", SCHEDMATE_DATA_DIR=str(up.data_dir))[1]
        assert OSC in raw
        assert "end" in on_terminal(tmp_path, "logs", str(first), SCHEDMATE_DATA_DIR=str(up.data_dir))[1]
    finally:
        up.close()
    check(up.said())
    assert not is_up(up.data_dir)
    LiveStore(up.data_dir).close()


def test_json_means_the_same_as_before(folder):
    with (folder / "out").open("wb") as out:
        on_terminal(folder, "history", "add", SINGLE, "--user", SINGLE, "--name", "n", "--status", "failed", out=out)
    with (folder / "out").open("wb") as out:
        on_terminal(folder, "history", "list", "--json", out=out)
    text = (folder / "out").read_text()
    check(text)
    assert json.loads(text)["job"]["user"] == SINGLE


def test_commands_speak_through_one_door():
    """Nothing in the command line prints by itself, and no console is made but the one that shows what commands."""
    allowed = {"saying.py", "logs.py", "anonymize.py"}
    for path in (Path(schedmate.__file__).parent / "cli").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Attribute) and node.attr in {"echo", "secho", "write"}:
                where = ast.unparse(node)
                bad = where.startswith(("typer.", "click.")) or "stdout" in where or "stderr" in where
                assert not bad or path.name in allowed, f"{path.name} prints by itself: {where}"
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in {"print", "Console"}:
                pytest.fail(f"{path.name} prints by itself: {ast.unparse(node)}")
