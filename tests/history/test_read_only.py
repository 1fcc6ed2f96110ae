"""A history on a read-only disk, or another's: it is read, and what cannot be written is said."""

import json
import os
import subprocess
import sys
from contextlib import closing

import pytest

from schedmate.history.database import FILE_NAME, open_database
from schedmate.history.jobs import add_jobs
from schedmate.history.similarity.names import NameCloseness
from schedmate.history.similarity.upkeep import index_anew
from schedmate.models.embedders.built_in import open_built_in
from tests.history.test_bad_days import CHILD
from tests.history.test_chroma import made

# The administrator may write everywhere; without this capability only where the file's rights say so.
OBEY = (
    "import ctypes, os, sys; ctypes.CDLL(None).prctl(24, 1, 0, 0, 0);"
    "os.execv(sys.executable, [sys.executable, *sys.argv[1:]])"
)


def run(folder, *arguments):
    environment = {**CHILD, "SCHEDMATE_DATA_DIR": str(folder), "SCHEDMATE_CONFIG": ""}
    command = [sys.executable, "-c", OBEY, *arguments]
    return subprocess.run(command, capture_output=True, text=True, env=environment, cwd=folder.parent)


def schedmate(folder, *arguments):
    return run(folder, "-m", "schedmate", *arguments)


@pytest.fixture
def folder(tmp_path):
    """Give a history of 30 jobs whose directory, or whose file, a test may lock."""
    folder = tmp_path / "data"
    with closing(open_database(folder)) as connection:
        add_jobs(connection, [made(number) for number in range(30)])
    yield folder
    for place in (folder, *folder.rglob("*")):
        if place.is_dir():
            place.chmod(0o755)


def lock(folder, *, also_files=True):
    for place in (folder, *folder.rglob("*")):
        place.chmod(0o555 if place.is_dir() else 0o444 if also_files else 0o644)
    told = run(folder, "-c", "import os; print(os.access('data', os.W_OK))").stdout
    if told.strip() != "False":
        pytest.skip("rights to files hold nobody back here")


@pytest.mark.parametrize("also_files", [True, False])
def test_reading_goes_on_where_nothing_can_be_written(folder, also_files):
    lock(folder, also_files=also_files)
    before = sorted(os.listdir(folder))
    for arguments, expected in (
        (["list", "--json"], '"job_id":"29"'),
        (["show", "7", "--json"], '"job_id":"7"'),
        (["stats", "--json"], '"jobs": 30'),
        (["export"], '"job_id":"29"'),
    ):
        done = schedmate(folder, "history", *arguments)
        assert done.returncode == 0, done.stderr
        assert expected in done.stdout
        assert "may not be written: its history is only read" in done.stderr
    for arguments in (["add", "x", "--user", "ann"], ["prune", "--before", "2030-01-01", "--yes"]):
        done = schedmate(folder, "history", *arguments)
        assert done.returncode == 2
        assert "error:" in done.stderr
        assert "Traceback" not in done.stderr
    assert sorted(os.listdir(folder)) == before


def test_a_file_that_may_not_be_written_in_a_directory_that_may(folder):
    lock(folder)
    folder.chmod(0o755)
    done = schedmate(folder, "history", "list", "--json")
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) == 20
    assert "only read" in done.stderr


@pytest.mark.parametrize("indexed", [True, False])
def test_advice_rests_on_a_history_that_is_only_read(indexed, folder, tmp_path):
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "train.py").write_text("print(1)\n")
    with closing(open_database(folder)) as connection:
        add_jobs(connection, [made(number) for number in range(30, 2_030)])
        if indexed:
            names = NameCloseness(open_built_in())
            index_anew(connection, folder, "auto", names, lambda done, total: None, print)
    lock(folder)
    done = schedmate(folder, "advise", str(tmp_path / "code"), "--command", "python train.py", "--json")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["source"] in {"similar", "fallback"}
    assert any("is only read" in note for note in told["notes"])
    assert ("the store was looked through instead" in str(told["notes"])) == (not indexed)


def test_what_its_log_still_holds_is_not_left_out_in_silence(folder):
    """A kill leaves jobs in the log; to read the file without it would miss them."""
    code = (
        "import os, sys; from pathlib import Path; from schedmate.history.database import open_database;"
        "from schedmate.history.jobs import add_job; from tests.history.test_chroma import made;"
        "add_job(open_database(Path('data')), made(99)); os.kill(os.getpid(), 9)"
    )
    assert run(folder, "-c", code).returncode == -9
    (folder / f"{FILE_NAME}-shm").unlink()
    lock(folder)
    done = schedmate(folder, "history", "list")
    assert done.returncode == 2
    assert "may not be written, and lacks what" in done.stderr
    assert "copy its directory" in done.stderr


def test_who_only_reads_sees_what_another_is_writing(folder):
    with closing(open_database(folder)) as connection:
        add_jobs(connection, [made(99)])
        lock(folder)
        done = schedmate(folder, "history", "show", "99", "--json")
        assert done.returncode == 0, done.stderr
        assert '"job_id":"99"' in done.stdout


@pytest.mark.parametrize(("version", "said"), [(999, "by a newer SchedMate"), (1, "by an older SchedMate")])
def test_another_version_is_told(version, said, folder):
    with closing(open_database(folder)) as connection:
        connection.execute(f"PRAGMA user_version={version}")
    lock(folder)
    done = schedmate(folder, "history", "stats")
    assert done.returncode == 2
    assert said in done.stderr
    assert "Traceback" not in done.stderr
