"""The history survives kills, queues writers and refuses what is newer than itself."""

import os
import signal
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from multiprocessing import get_context

import pytest

from schedmate.errors import StoreError
from schedmate.history.database import FILE_NAME, check_database, migrations, open_database, stored_version, transaction

INSERT = "INSERT INTO diagnoses (made_at, log, root_text, category, answer) VALUES (?, ?, ?, 'script', '{}')"


def write_rows(data_dir, writer, count):
    with closing(open_database(data_dir)) as connection:
        for number in range(count):
            with transaction(connection):
                connection.execute(INSERT, (number, f"{writer}.log", f"row {number}"))


def count_rows(data_dir):
    with closing(open_database(data_dir)) as connection:
        return connection.execute("SELECT count(*) FROM diagnoses").fetchone()[0]


def test_many_processes_write(tmp_path):
    with ProcessPoolExecutor(4, mp_context=get_context("spawn")) as pool:
        list(pool.map(write_rows, [tmp_path] * 4, range(4), [25] * 4))
    assert count_rows(tmp_path) == 100


def test_a_kill_loses_nothing_committed(tmp_path):
    code = (
        "import sys; from pathlib import Path; from schedmate.history.database import *\n"
        "connection = open_database(Path(sys.argv[1])); number = 0\n"
        "while True:\n"
        "    with transaction(connection):\n"
        f"        connection.execute({INSERT!r}, (number, 'a.log', str(number)))\n"
        "    number += 1; print(number, flush=True)\n"
    )
    child = subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path)],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    with child, child.stdout:
        told = [int(child.stdout.readline()) for _ in range(50)]
        child.send_signal(signal.SIGKILL)
        told += [int(line) for line in child.stdout.read().split()]
    assert count_rows(tmp_path) >= told[-1]


def test_a_failed_transaction_leaves_nothing(tmp_path):
    with closing(open_database(tmp_path)) as connection:
        with pytest.raises(ZeroDivisionError), transaction(connection):
            connection.execute(INSERT, (1, "a.log", "x"))
            raise ZeroDivisionError
        assert connection.execute("SELECT count(*) FROM diagnoses").fetchone()[0] == 0


def test_a_newer_history_is_refused_unharmed(tmp_path):
    with closing(open_database(tmp_path)) as connection:
        connection.execute("PRAGMA user_version=999")
    with pytest.raises(StoreError, match="newer SchedMate"):
        open_database(tmp_path)


def test_a_file_that_is_no_database(tmp_path):
    (tmp_path / FILE_NAME).write_bytes(b"not a database at all " * 100)
    with pytest.raises(StoreError, match="cannot be opened"):
        open_database(tmp_path)


def test_a_directory_that_cannot_be_made(tmp_path):
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(StoreError):
        open_database(tmp_path / "file" / "data")


def test_the_check_writes_nothing(tmp_path):
    assert check_database(tmp_path).status == "ok"
    assert count_rows(tmp_path) == 0


def test_opening_twice_migrates_once(tmp_path):
    with closing(open_database(tmp_path)) as first, closing(open_database(tmp_path)) as second:
        assert stored_version(first) == stored_version(second) > 0


def test_only_its_owner_reads_what_it_holds(tmp_path):
    with closing(open_database(tmp_path)) as connection, transaction(connection):
        connection.execute(INSERT, (0, "a.log", "row"))
        modes = {path.name: path.stat().st_mode & 0o777 for path in tmp_path.iterdir()}
    assert set(modes.values()) == {0o600}, modes
    (tmp_path / FILE_NAME).chmod(0o660)
    open_database(tmp_path).close()
    assert (tmp_path / FILE_NAME).stat().st_mode & 0o777 == 0o660, "an owner who shares it with a group may"


def test_no_two_scripts_have_the_same_number():
    """The second would never be run."""
    numbers = [number for number, _ in migrations()]
    assert numbers == list(range(1, len(numbers) + 1))
