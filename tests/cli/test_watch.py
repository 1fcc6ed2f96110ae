"""`schedmate watch` as its users start it."""

import json
import os
import subprocess
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

DEATH = 'step 1/9 loss 2.0\nTraceback (most recent call last):\n  File "t.py", line 1, in <module>\nIndexError: out\n'


def run(*words):
    return subprocess.run(
        [sys.executable, "-m", "schedmate", "watch", *map(str, words)], capture_output=True, text=True
    )


def test_a_path_may_be_relative(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    dead = tmp_path / "dead.log"
    dead.write_text(DEATH)
    os.utime(dead, (time.time() - 60,) * 2)
    assert f"{dead} died: python.index_error" in run("dead.log", "--once").stdout


def test_once_tells_what_is_wrong_and_leaves(tmp_path):
    (tmp_path / "well.log").write_text("step 1/9 loss 2.0\n")
    dead = tmp_path / "dead\x1b[31m.log"
    dead.write_text(DEATH)
    os.utime(dead, (time.time() - 60,) * 2)
    first = run(tmp_path / "*.log", "--once", "--json", "--since", "1h")
    assert first.returncode == 1, first.stderr
    said = [json.loads(line) for line in first.stdout.splitlines()]
    assert [(one["kind"], one["diagnosis"]["failure_id"]) for one in said] == [("died", "python.index_error")]
    again = run(tmp_path / "*.log", "--once")
    assert (again.returncode, again.stdout) == (0, "")
    other = run(tmp_path / "*.log", "--once", "--name", "other", "--since", "60")
    assert other.returncode == 1
    assert "DIED" in other.stdout
    assert "\x1b[31m.log" not in other.stdout


def test_once_refuses_a_log_that_is_not_there(tmp_path):
    """A misspelt path in cron must not look like a night in which nothing died."""
    found = run(tmp_path / "tyop", "--once")
    assert found.returncode == 2
    assert f"error: {tmp_path}/tyop is not there" in found.stderr
    assert run(tmp_path / "none*.log", "--once").returncode == 0, "there may be no log yet"


def test_the_first_watch_says_which_logs_it_passes_by_for_their_age(tmp_path):
    dead = tmp_path / "dead.log"
    dead.write_text(DEATH)
    os.utime(dead, (time.time() - 3600,) * 2)
    first = run(tmp_path, "--once")
    assert (first.returncode, first.stdout) == (0, "")
    assert "passed by 1 log, last written to before" in first.stderr
    assert run(tmp_path, "--once").stderr == "", "cron hears of it once"
    assert run(tmp_path, "--once", "--since", "2h").returncode == 1


def test_once_waits_for_what_a_job_that_just_died_had_in_its_buffers(tmp_path):
    (tmp_path / "job-driver-a.log").write_text(DEATH)
    jobs = [{"submission_id": "a", "status": "FAILED", "driver_exit_code": 1}]

    class JobServer(BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.end_headers()
            self.wfile.write(json.dumps(jobs).encode())

        def log_message(self, *words):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), JobServer) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        found = run(tmp_path / "*.log", "--once", "--ray", f"http://127.0.0.1:{server.server_port}")
        server.shutdown()
    assert "died: python.index_error" in found.stdout
    assert found.returncode == 1


def test_once_says_that_an_engine_does_not_answer(tmp_path):
    (tmp_path / "job-driver-a.log").write_text("step 1/9 loss 2.0\n")
    found = run(tmp_path / "*.log", "--once", "--ray", "http://127.0.0.1:9")
    assert "Ray's job server does not answer" in found.stderr


@pytest.mark.parametrize(
    "words",
    [
        ["--notify", "pigeon=x"],
        ["--notify", "mail=ops@example.org"],  # no policy.toml names a mail server
        ["--quiet-hours", "noon"],
        ["--name", "../x"],
        ["--since", "-1"],
        [],
    ],
)
def test_what_cannot_be_is_refused_in_a_line(tmp_path, words):
    found = run(*([tmp_path / "*.log"] if words else []), *words)
    assert found.returncode == 2
    assert "Traceback" not in found.stderr
