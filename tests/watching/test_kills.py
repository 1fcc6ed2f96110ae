"""A watch that is killed again and again, at any moment, still tells of every death, and of none twice."""

import json
import os
import random
import signal
import subprocess
import sys
import time

DEATH = 'step 1/9 loss 2.0\nTraceback (most recent call last):\n  File "t.py", line 1, in <module>\nIndexError: out\n'
JOBS = 12


def start(folder, told):
    command = [sys.executable, "-m", "schedmate", "watch", str(folder / "logs"), "--json", "--notify", f"file={told}"]
    return subprocess.Popen(
        command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    )


def events(folder):
    """Read the journal's events: what was told, as it was written down."""
    try:
        lines = (folder / "data" / "watch" / "default.jsonl").read_bytes().split(b"\n")[:-1]
    except FileNotFoundError:
        return []
    return [said["event"] for line in lines if "event" in (said := json.loads(line))]


def test_every_death_is_told_once_whatever_kills_the_watch(tmp_path, monkeypatch):
    monkeypatch.setenv("SCHEDMATE_DATA_DIR", str(tmp_path / "data"))
    logs, told, dice = tmp_path / "logs", tmp_path / "told", random.Random(os.environ.get("FAULT_SEED", "7"))
    logs.mkdir()
    watch = start(tmp_path, told)
    try:
        for number in range(JOBS):
            (logs / f"job{number}.log").write_text(DEATH)
            if number % 2:
                time.sleep(dice.uniform(0.2, 2.5))
                os.killpg(watch.pid, signal.SIGKILL)
                watch.wait()
                watch = start(tmp_path, told)
        while len(events(tmp_path)) < JOBS or not told.exists() or len(told_ids(told)) < JOBS:
            assert watch.poll() is None
            time.sleep(0.1)
    finally:
        os.killpg(watch.pid, signal.SIGTERM)
        watch.wait()
    assert sorted(one["log"] for one in events(tmp_path)) == sorted(str(logs / f"job{n}.log") for n in range(JOBS))
    assert told_ids(told) == {one["id"] for one in events(tmp_path)}


def told_ids(told):
    return {name for line in told.read_text().splitlines() for name in json.loads(line)["ids"]}
