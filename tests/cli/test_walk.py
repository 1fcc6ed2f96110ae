"""Every command as people meet it: on 80 columns, in a pipe, without colours, in plain ASCII, and interrupted."""

import os
import pty
import re
import select
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from schedmate.cli import COMMANDS, GROUPS
from schedmate.cli.progress_table import LEVELS
from schedmate.cli.saying import spelt_out
from tests.cli.terminal import on_terminal

EXAMPLES = Path(__file__).parents[2] / "examples"
LOGS = f"{EXAMPLES}/logs/pretrain_64gpu.log {EXAMPLES}/logs/user_bug.log"
REPO = f'{EXAMPLES}/repo --command "sbatch run.sh"'
WALK = (
    f"diagnose {LOGS}", f"diagnose {EXAMPLES}/logs", "diagnose absent.log", f"track {LOGS}", f"extract {REPO}",
    f"advise {REPO}", f"classify {EXAMPLES}/logs/user_bug.log", f"anonymize {EXAMPLES}/logs/user_bug.log",
    "remember list", "jobs", "submit --name bert -- true", "why 1", "logs 1", "cancel 1", "release 1", "actions",
    "nodes", "drain local", "resume local", "prune", "watch --once jobs.csv",
    "approve 1", "reject 1", "undo 1", "down", "simulate --policy fifo --trace jobs.csv --nodes 2x4",
    "trace describe jobs.csv", "history import jobs.csv", "history list", "history stats", "selftest", "config",
    "graph diagnose", "knowledge list", "schema", "schema track --fields", "up --nodes 0", "nonsense", "--help",
    "diagnose --help",
)  # fmt: skip
WALK += tuple(f"{name} --help" for name in sorted({*COMMANDS, *GROUPS} - {line.split()[0] for line in WALK}))
"""Whatever is new is asked for its help at least."""
NEEDS_A_LOOP = {"nodes", "drain", "resume", "release", "approve", "reject", "undo", "down"}
COLOUR = re.compile(r"\x1b\[[\d;]*m")
HUE = re.compile(r"\x1b\[(?:\d+;)*(?:3[0-8]|4[0-8]|9[0-7]|10[0-7])[\d;]*m")
MOST_PRESSES = 3
TABLES = ("track", "jobs", "history list", "trace describe", "actions", "simulate")
"""What is laid out in columns stays in 80 of them; lines of prose are broken by the terminal itself."""


@pytest.fixture
def folder(tmp_path):
    rows = "".join(f"{i},ada,default,bert-large,{i * 10},{100 + i},1,COMPLETED,\n" for i in range(20))
    (tmp_path / "jobs.csv").write_text("job_id,user,vc,name,submit_s,duration_s,gpus,status,extra\n" + rows)
    return tmp_path


def expected(line):
    """Say how a command ends here: what needs a loop, or was not found, ends with 2, and each says so in words."""
    name = line.split()[0]
    return 2 if name in NEEDS_A_LOOP or line in {"diagnose absent.log", "up --nodes 0", "nonsense", "logs 1"} else 0


def test_the_walk_passes_every_command():
    assert {*COMMANDS, *GROUPS} <= {line.split()[0] for line in WALK}


@pytest.mark.parametrize("line", WALK)
def test_a_command_on_a_terminal_and_in_a_pipe(folder, line):
    before = ["submit --name before -- true"] if line.split()[0] in {"why", "logs", "cancel", "jobs"} else []
    for first in before:
        on_terminal(folder, *shlex.split(first))
    code, shown = on_terminal(folder, *shlex.split(line), columns=80, NO_COLOR="1")
    assert code == expected(line), shown
    assert "Traceback (most recent call last):\r\n  File" not in shown or line.startswith(("anonymize", "classify"))
    assert not HUE.search(shown), "NO_COLOR was set"
    if line.startswith(TABLES):
        assert max(len(COLOUR.sub("", one)) for one in shown.splitlines() or [""]) <= 80, shown
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("LC_", "LANG", "PYTHON"))}
    plain = {"LANG": "C", "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    answer = subprocess.run(
        [sys.executable, "-P", "-m", "schedmate", *shlex.split(line)], cwd=folder, capture_output=True, check=False,
        env=environment | plain | {"PYTHONPATH": os.pathsep.join(sys.path)}, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    said = answer.stdout + answer.stderr
    assert answer.returncode == expected(line), said
    assert b"\x1b" not in said
    assert said.isascii()
    assert b"schedmate/cli/" not in said, "a traceback of our own"


PLAIN_TERMINAL = {"LANG": "C", "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}


def test_columns_stay_columns_where_only_ascii_is_shown(folder):
    long = folder / "a-folder-with-a-name-of-some-length"
    long.mkdir()
    (long / "train-of-some-length.log").write_text((EXAMPLES / "logs" / "finetune_running.log").read_text("utf-8"))
    code, shown = on_terminal(folder, "track", long / "train-of-some-length.log", *LOGS.split(), **PLAIN_TERMINAL)
    lines = COLOUR.sub("", shown).splitlines()
    head, *rows = [line for line in lines if line.startswith(("log ", "~"))]
    assert (code, len(rows)) == (0, 3), shown
    assert {row[head.index("phase") - 2 :].split()[0] for row in rows} == {"train", "failed"}, shown
    assert {row[head.index("phase") - 2 : head.index("phase")] for row in rows} == {"  "}, shown
    assert max(map(len, lines)) <= 80
    code, shown = on_terminal(folder, "trace", "describe", "jobs.csv", **PLAIN_TERMINAL)
    assert (code, "?" in shown) == (0, False), shown


def test_a_trend_rises_and_falls_where_only_ascii_is_shown():
    shown, _ = spelt_out(UnicodeEncodeError("ascii", LEVELS, 0, len(LEVELS), "not in it"))
    assert (shown.isascii(), "?" in shown, len(set(shown))) == (True, False, len(LEVELS))


@pytest.mark.parametrize(
    ("line", "sign"),
    [
        ("simulate --policy fifo,sjf,tiresias --nodes 500x8 --workers 2", "simulating"),
        (f"track --follow {EXAMPLES}/logs/finetune_running.log", "412"),
        ("jobs --watch", "state"),
        ("up --slots cpu=1", "up on"),
    ],
)
def test_what_is_interrupted_ends_at_once_and_quietly(folder, line, sign):
    code, shown, took_s = interrupted(folder, shlex.split(line), sign)
    assert code in (0, 130), shown
    assert "Traceback" not in shown
    assert took_s < 150, "a second on a quiet machine, and never the time of the work itself"


def interrupted(folder, arguments, sign):
    """Press Ctrl-C once a sign is shown, and again as people do; give exit code, what was shown, the seconds."""
    child, terminal = pty.fork()
    if not child:
        os.chdir(folder)
        os.environ |= {"PYTHONPATH": os.pathsep.join(sys.path), "TERM": "xterm-256color"}
        os.execv(sys.executable, [sys.executable, "-P", "-m", "schedmate", *arguments])
    shown, pressed_s, presses = b"", 0.0, 0
    while presses < MOST_PRESSES:
        if not select.select([terminal], [], [], 60 if pressed_s else 180)[0]:
            os.write(terminal, b"\x03")
            presses += 1
            continue
        try:
            piece = os.read(terminal, 65_536)
        except OSError:
            break  # Linux ends a terminal that nobody holds any more with an error.
        if not piece:
            break
        shown += piece
        if not pressed_s and sign.encode() in shown:
            os.write(terminal, b"\x03")
            pressed_s = time.monotonic()
    if presses == MOST_PRESSES:
        os.kill(child, signal.SIGKILL)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    os.close(terminal)
    assert pressed_s, shown
    return status, shown.decode("utf-8", "replace"), time.monotonic() - pressed_s
