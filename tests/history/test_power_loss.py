"""What was acknowledged survives a loss of power: a disk that forgets whatever was not synced."""

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from schedmate.history.live import LiveStore

SUBMITS = """
import sys
from pathlib import Path
from schedmate.history.live import LiveStore
from schedmate.history.live_rows import Submission
store = LiveStore(Path(sys.argv[1]))
for number in range(10_000):
    job = store.submit(Submission(("true",), "/", {}), f"t{number}", 1.0)
    if number % 3 == 0:
        store.ask("cancel", job)
    print(job, flush=True)
"""


@pytest.fixture(scope="module")
def forgetful(tmp_path_factory):
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None:
        pytest.skip("no C compiler here to build the disk that forgets")
    library = tmp_path_factory.mktemp("disk") / "unsynced.so"
    source = Path(__file__).with_name("unsynced.c")
    subprocess.run([compiler, "-shared", "-fPIC", "-o", str(library), str(source), "-ldl"], check=True)
    return library


@pytest.mark.parametrize("lives", [1, 40, 400])
def test_an_acknowledged_submission_survives(forgetful, tmp_path, lives):
    data, disk = tmp_path / "data", tmp_path / "disk"
    disk.mkdir()
    environment = {**os.environ, "LD_PRELOAD": str(forgetful), "SHADOW": str(disk), "PYTHONPATH": ":".join(sys.path)}
    command = [sys.executable, "-P", "-c", SUBMITS, str(data)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        acknowledged = [int(process.stdout.readline()) for _ in range(lives)]
        process.send_signal(signal.SIGKILL)
    after = tmp_path / "after"
    after.mkdir()
    for name in ("history.sqlite3", "history.sqlite3-wal"):
        shutil.copy(disk / name, after / name)
    store = LiveStore(after)
    assert {row.id for row in store.jobs()} >= set(acknowledged)
    assert {request.target for request in store.requests()} >= set(acknowledged[::3])
    assert [row[0] for row in store.connection.execute("PRAGMA integrity_check")] == ["ok"]
    store.close()
