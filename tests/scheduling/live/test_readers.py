"""The loop has several readers: one of them owns Chroma's directory, the others answer as well without it."""

import json
import os
import signal
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from schedmate.history.database import open_database
from schedmate.history.jobs import add_jobs
from tests.history.test_bad_days import CHILD
from tests.history.test_chroma import made


class Reader:
    """A reader as the loop starts it."""

    def __init__(self, folder):
        self.folder = folder
        self.process = subprocess.Popen(
            [sys.executable, "-m", "schedmate.scheduling.live.reading"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True,
            env={**CHILD, "SCHEDMATE_DATA_DIR": str(folder), "SCHEDMATE_CONFIG": ""},
        )  # fmt: skip

    def advise(self):
        code = self.folder / "code"
        job = {"job_id": "1", "user": "ann", "command": "python train.py", "workdir": str(code), "submit_s": 1e9}
        asked = {"kind": "advise", "workdir": str(code), "data_dir": str(self.folder), "job": job, "engine": "built-in"}
        self.process.stdin.write(json.dumps(asked) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())["estimate"]

    def owns(self):
        """Tell whether it holds the lock's file open, as only the owner keeps it."""
        links = Path(f"/proc/{self.process.pid}/fd").iterdir()
        return any(os.readlink(link).endswith("owner.lock") for link in links)

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.communicate()


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="who owns a lock is looked up in /proc")
def test_one_reader_owns_chroma_and_another_takes_over(tmp_path):
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "train.py").write_text("from transformers import GPT2LMHeadModel\nepochs = 3\n")
    with closing(open_database(tmp_path)) as connection:
        add_jobs(connection, [made(number) for number in range(2_010)])
    readers = [Reader(tmp_path), Reader(tmp_path)]
    try:
        for _ in range(2):
            told = [reader.advise() for reader in readers]
            assert told[0]["similar"] == told[1]["similar"]
        assert [reader.owns() for reader in readers] == [True, False]
        readers[0].kill()
        again = readers[1].advise()
        assert readers[1].owns()
        assert again["similar"] == told[1]["similar"]
        assert not any("anew" in note for note in again["notes"])
    finally:
        for reader in readers:
            reader.kill()
