"""Logs with holes: a terabyte that was never written is passed over, and lines keep their numbers."""

import os
import subprocess
import sys

import pytest

from schedmate.tools.logfile import open_log

FIRST, LAST = b"step 1\nstep 2\n", b"step 3\nKeyError: 'lr'\n"
FAR = 1 << 40


@pytest.fixture
def log(tmp_path):
    path = tmp_path / "job.log"
    with path.open("wb") as file:
        file.write(FIRST)
        file.seek(FAR)
        file.write(LAST)
        file.truncate(2 * FAR)
    if path.stat().st_blocks > 1 << 12:
        pytest.skip("this file system keeps no holes")
    return path


def test_lines_on_both_sides_of_a_hole_are_read_with_their_numbers(log):
    with open_log(log) as opened:
        lines = [(line.number, line.raw.strip(b"\0")) for line in opened.lines() if line.raw.strip(b"\0")]
        assert lines == [(1, b"step 1"), (2, b"step 2"), (3, b"step 3"), (4, b"KeyError: 'lr'")]
        back = [(line.number, line.raw.strip(b"\0")) for line in opened.lines_backward() if line.raw.strip(b"\0")]
        assert back == lines[::-1]
        assert opened.line_number(FAR + 8) == 4
        assert opened.line_number(FAR // 2) == 3
        assert opened.window(opened.line_offset(4), opened.line_offset(4) + 8) == b"KeyError"
        assert "were never written" in opened.remarks[0]


def test_a_file_without_holes_is_what_it_was(tmp_path):
    path = tmp_path / "job.log"
    path.write_bytes(FIRST + LAST)
    with open_log(path) as opened:
        assert [line.number for line in opened.lines()] == [1, 2, 3, 4]
        assert opened.remarks == ()


def test_a_hole_alone_has_no_lines(tmp_path):
    path = tmp_path / "job.log"
    path.touch()
    os.truncate(path, FAR)
    with open_log(path) as opened:
        assert [line.raw.strip(b"\0") for line in opened.lines() if line.raw.strip(b"\0")] == []


@pytest.mark.parametrize("command", ["diagnose", "track", "classify"])
def test_a_log_of_terabytes_is_read_at_once(log, command):
    done = subprocess.run(
        [sys.executable, "-P", "-m", "schedmate", command, str(log)], capture_output=True, text=True, check=False,
        timeout=300, env={**os.environ, "PYTHONPATH": ":".join(sys.path)},
    )  # fmt: skip
    assert "Traceback" not in done.stderr
    if command == "diagnose":
        assert "KeyError" in done.stdout
