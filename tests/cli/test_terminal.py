"""Commands on a terminal whose output goes to a file: the bar stays on the terminal, and the file gets every byte."""

import json
import os
import pty
import subprocess
import sys

import pytest

from tests.cli.terminal import on_terminal as both_on_terminal

LOG = "".join(f"{{step}}: step {{step}}/900 loss 0.5 {'x' * 200}\n".format(step=step) for step in range(300))


def on_terminal(folder, *arguments):
    """Run a command with its errors on a terminal; give what the terminal and what the file got."""
    master, slave = pty.openpty()
    with (folder / "out").open("wb") as out:
        process = subprocess.Popen(
            [sys.executable, "-m", "schedmate", *arguments],
            stdin=slave, stdout=out, stderr=slave, cwd=folder,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "TERM": "xterm-256color"},
        )  # fmt: skip
    os.close(slave)
    shown = b""
    try:
        while piece := os.read(master, 65_536):
            shown += piece
    except OSError:
        pass  # Linux ends a terminal that nobody holds any more with an error.
    os.close(master)
    assert process.wait() == 0, shown.decode()
    return shown.decode(), (folder / "out").read_text()


@pytest.fixture
def folder(tmp_path):
    for name in ("a.log", "b.log"):
        (tmp_path / name).write_text(LOG)
    return tmp_path


def test_a_rewritten_log_goes_to_the_file(folder):
    shown, got = on_terminal(folder, "anonymize", "a.log")
    assert got.splitlines() == LOG.splitlines()
    assert "xxxx" not in shown


def test_json_of_several_logs_is_whole_lines(folder):
    shown, got = on_terminal(folder, "diagnose", "a.log", "b.log", "--json")
    assert [json.loads(line)["log"] for line in got.splitlines()] == ["a.log", "b.log"]
    assert "{" not in shown


def test_exported_jobs_go_to_the_file(folder):
    on_terminal(folder, "history", "add", "1", "--command", "python train.py", "--status", "completed")
    shown, got = on_terminal(folder, "history", "export")
    assert len(got.splitlines()) == 1
    assert "{" not in shown


def test_the_bar_is_on_the_terminal_alone(folder):
    shown, got = on_terminal(folder, "simulate", "--policy", "fifo", "--json", "--nodes", "500x8")
    assert "simulating" in shown
    assert json.loads(got)["policy"] == "fifo"


def test_the_bar_makes_room_for_what_is_printed_beside_it(folder):
    """What a person sees: after the bar is erased, each answer begins in the first column."""
    for arguments in (["--json"], []):
        shown = both_on_terminal(folder, "diagnose", "a.log", "b.log", "--engine", "built-in", *arguments)[1]
        firsts = [at for at in (shown.find('{"log"'), shown.find("NO FAILURE")) if at >= 0]
        before = shown[: firsts[0]].replace("\x1b[?25h", "").replace("\x1b[1;32m", "")
        line = before.rpartition("\n")[2].rpartition("\x1b[2K")[2]
        assert "reading logs" not in line, ascii(shown[:900])


def test_a_program_that_reads_our_output_has_the_terminal_for_itself(folder):
    """As `schedmate diagnose ... --json | jq`: jq writes to the terminal on which the bar would stand."""
    master, slave = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "schedmate", "diagnose", "a.log", "b.log", "--engine", "built-in", "--json"],
        stdin=slave, stdout=subprocess.PIPE, stderr=slave, cwd=folder,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "TERM": "xterm-256color"},
    ) as process:  # fmt: skip
        got, _ = process.communicate()
    os.set_blocking(master, False)
    try:
        shown = os.read(master, 65_536)
    except OSError:
        shown = b""  # Nothing was written, which Linux tells as an error.
    os.close(slave)
    os.close(master)
    assert len(got.splitlines()) == 2
    assert b"reading logs" not in shown
