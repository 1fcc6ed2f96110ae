"""Chroma's directory has one owner: who comes first, for as long as it lives, however it ends; and it may break."""

import os
import shutil
import signal
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from schedmate.errors import StoreError
from schedmate.history import chroma_directory, chroma_vectors
from schedmate.history.chroma_directory import OwnedElsewhere
from schedmate.history.chroma_embedded import HELD, open_embedded, release
from schedmate.history.chroma_files import graph_files
from schedmate.history.database import open_database
from schedmate.history.indexing import catch_up, open_index, reindex
from schedmate.history.jobs import add_jobs
from tests.history.test_bad_days import CHILD
from tests.history.test_indexing import Numbers, past, unit

LIMIT_S = 600.0


@pytest.fixture(autouse=True)
def patience(monkeypatch):
    monkeypatch.setattr(chroma_vectors, "ANSWER_S", LIMIT_S)
    yield
    for parent in list(HELD):
        release(parent)


@pytest.fixture
def connection(tmp_path):
    with closing(open_database(tmp_path)) as opened:
        yield opened


def fill(connection, folder, count=1_100):
    """Index so many workloads in Chroma, enough for it to write a graph, and let go of it."""
    add_jobs(connection, [past(number) for number in range(count)])
    with open_index(folder, "chroma", Numbers()) as index:
        assert catch_up(connection, index, Numbers()) == count
        parent = index.directory.parent
    release(parent)
    return parent


@pytest.fixture(scope="module")
def filled(tmp_path_factory):
    """Give a history whose Chroma has written a graph, to copy."""
    folder = tmp_path_factory.mktemp("filled")
    with closing(open_database(folder)) as connection, pytest.MonkeyPatch.context() as patched:
        patched.setattr(chroma_vectors, "ANSWER_S", LIMIT_S)
        fill(connection, folder)
    return folder


class Asker:
    """Another process that owns the directory, or does not, and says what it finds."""

    CODE = """
import sys; from pathlib import Path
from schedmate.history import chroma_vectors; chroma_vectors.ANSWER_S = 120.0
from schedmate.history.chroma_directory import OwnedElsewhere
from schedmate.history.database import open_database
from schedmate.history.indexing import catch_up, open_index
from tests.history.test_indexing import Numbers, unit
folder = Path(sys.argv[1]); connection = open_database(folder)
for line in sys.stdin:
    try:
        with open_index(folder, "chroma", Numbers(), lambda text: print("note", text)) as index:
            catch_up(connection, index, Numbers())
            print("found", index.nearest(unit(int(line)), 1)[0][0], flush=True)
    except OwnedElsewhere:
        print("owned elsewhere", flush=True)
"""

    def __init__(self, folder):
        command = [sys.executable, "-c", self.CODE, str(folder)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=CHILD)

    def ask(self, number):
        self.process.stdin.write(f"{number}\n")
        self.process.stdin.flush()
        return self.process.stdout.readline().strip()

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.communicate()


def test_the_first_owns_it_until_it_is_killed(connection, tmp_path):
    fill(connection, tmp_path, 30)
    first, second = Asker(tmp_path), Asker(tmp_path)
    try:
        assert first.ask(7) == "found 8"
        assert second.ask(7) == "owned elsewhere"
        with pytest.raises(OwnedElsewhere), open_index(tmp_path, "chroma", Numbers()):
            pass
        add_jobs(connection, [past(5_000)])
        assert first.ask(5_000) == "found 31"
        first.kill()
        assert second.ask(5_000) == "found 31"
        assert second.ask(3) == "found 4"
    finally:
        first.kill()
        second.kill()


def test_a_child_does_not_own_what_its_parent_does(connection, tmp_path):
    """Locks are inherited: a child that outlives its parent would keep the directory for ever."""
    parent = fill(connection, tmp_path, 20)
    code = """
import os, sys; from pathlib import Path
from schedmate.history.chroma_directory import OwnedElsewhere
from schedmate.history.indexing import open_index; from tests.history.test_indexing import Numbers
with open_index(Path(sys.argv[1]), "chroma", Numbers()) as index: assert len(index) == 20
answer = os.pipe()
if child := os.fork():
    print(child, os.read(answer[0], 100).decode(), flush=True)
    os._exit(0)
try:
    with open_index(Path(sys.argv[1]), "chroma", Numbers()): os.write(answer[1], b"owned")
except OwnedElsewhere: os.write(answer[1], b"owned elsewhere")
sys.stdin.read(); os._exit(0)
"""
    command = [sys.executable, "-W", "ignore", "-c", code, str(tmp_path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=CHILD) as process:
        child, told = process.stdout.readline().split(maxsplit=1)
        assert told == "owned elsewhere\n"
        assert process.wait(LIMIT_S) == 0
        os.kill(int(child), 0)  # The child lives on, and keeps nothing.
        with open_index(tmp_path, "chroma", Numbers()) as index:
            assert len(index) == 20
        release(parent)
        process.stdin.close()


@pytest.mark.parametrize(
    ("name", "damage"),
    [
        ("data_level0.bin", "garbage"),  # Chroma dies of it
        ("data_level0.bin", "cut"),  # finds others
        ("data_level0.bin", "zeros"),  # raises when asked
        ("link_lists.bin", "zeros"),  # dies
        ("index_metadata.pickle", "gone"),  # finds nothing
        ("index_metadata.pickle", "garbage"),
        ("header.bin", "cut"),  # dies when more is added
        ("chroma.sqlite3", "gone"),
        ("chroma.sqlite3", "garbage"),
    ],
)
def test_a_broken_directory_is_made_anew_and_said(name, damage, filled, tmp_path):
    """Chroma itself dies of some of these, and silently finds nothing with others."""
    folder = shutil.copytree(filled, tmp_path / "copy")
    path = next(folder.rglob(name))
    size = path.stat().st_size
    if damage == "gone":
        path.unlink()
    else:
        content = {"garbage": b"\xa5" * size, "cut": path.read_bytes()[: size // 2], "zeros": b"\0" * size}[damage]
        path.write_bytes(content)
    (parent,) = (folder / "workload-chroma").iterdir()
    for expected in (1, 0):
        notes = []
        with (
            closing(open_database(folder)) as connection,
            open_index(folder, "chroma", Numbers(), notes.append) as index,
        ):
            assert bool(catch_up(connection, index, Numbers())) == bool(expected)
            assert len(index) == 1_100
            assert index.nearest(unit(7), 1)[0] == (8, pytest.approx(1, abs=1e-5))
        assert len(notes) == expected, notes
        release(parent)
    assert len([entry for entry in parent.iterdir() if entry.is_dir()]) == 2


def test_what_breaks_while_it_is_open_is_made_anew(connection, tmp_path):
    parent = fill(connection, tmp_path, 50)
    notes = []
    with open_index(tmp_path, "chroma", Numbers(), notes.append) as index:
        index.directory.client.delete_collection("workloads")
        with pytest.raises(StoreError, match="cannot be used"):
            index.nearest(unit(7), 1)
    assert "built anew" in notes[0]
    with open_index(tmp_path, "chroma", Numbers(), notes.append) as index:
        assert catch_up(connection, index, Numbers()) == 50
        assert index.nearest(unit(7), 1)[0][0] == 8
    assert len(notes) == 1
    assert parent in HELD


def test_a_full_disk_spoils_no_index(connection, tmp_path, monkeypatch):
    """Chroma tells a full disk and a broken file alike: as something that it cannot open."""
    parent = fill(connection, tmp_path, 50)
    notes = []

    def full(folder, name):
        raise StoreError("database or disk is full", "")

    with monkeypatch.context() as patched:
        patched.setattr(chroma_directory, "open_collection", full)
        patched.setattr(Path, "write_bytes", raising(OSError(28, "No space left on device")))
        with pytest.raises(StoreError, match="No space left"), open_index(tmp_path, "chroma", Numbers(), notes.append):
            pass
    assert notes == []
    with open_index(tmp_path, "chroma", Numbers(), notes.append) as index:
        assert catch_up(connection, index, Numbers()) == 0
        assert index.nearest(unit(7), 1)[0][0] == 8
    assert [entry.name for entry in parent.iterdir() if entry.is_dir()] == ["1"]


def raising(error):
    """Give a method that fails."""

    def method(*arguments):
        raise error

    return method


def test_one_addition_a_process_stays_whole(connection, tmp_path):
    """Chroma writes its graph at some addition; each time it is opened again its sums have to agree."""
    parent = fill(connection, tmp_path, 995)
    notes = []
    for number in range(995, 1_006):
        add_jobs(connection, [past(number)])
        with open_index(tmp_path, "chroma", Numbers(), notes.append) as index:
            assert catch_up(connection, index, Numbers()) == 1
        release(parent)
    assert notes == []
    assert graph_files(parent / "1")


def test_a_kill_while_adding_leaves_an_index_that_can_be_filled(connection, tmp_path):
    add_jobs(connection, [past(number) for number in range(1_500)])
    code = """
import sys; from pathlib import Path
from schedmate.history import indexing; indexing.BATCH = 150
from schedmate.history.database import open_database
from tests.history.test_indexing import Numbers
with indexing.open_index(Path(sys.argv[1]), "chroma", Numbers()) as index:
    c = open_database(Path(sys.argv[1]))
    indexing.catch_up(c, index, Numbers(), lambda done, total: print(done, flush=True), most=1500)
"""
    for lines in (2, 4):
        with subprocess.Popen(
            [sys.executable, "-c", code, str(tmp_path)], stdout=subprocess.PIPE, text=True, env=CHILD
        ) as child:
            for _ in range(lines):
                assert child.stdout.readline().strip()
            child.send_signal(signal.SIGKILL)
    with open_index(tmp_path, "chroma", Numbers()) as index:
        catch_up(connection, index, Numbers(), most=1_500)
        assert len(index) == 1_500
        assert [index.nearest(unit(number), 1)[0][0] for number in range(0, 1_500, 150)] == list(range(1, 1_501, 150))


def test_reindex_makes_all_anew_in_a_new_place(connection, tmp_path):
    parent = fill(connection, tmp_path, 60)
    connection.execute("DELETE FROM jobs WHERE id > 30")
    connection.execute("DELETE FROM workloads WHERE id > 30")
    with open_index(tmp_path, "chroma", Numbers()) as index:
        assert reindex(connection, index, Numbers()) == 30
        assert len(index) == 30
        assert {number for number, _ in index.nearest(unit(50), 60)} == set(range(1, 31))
    assert [entry.name for entry in parent.iterdir() if entry.is_dir()] == ["2"]


def test_a_directory_that_was_deleted_under_us_is_made_again(connection, tmp_path):
    parent = fill(connection, tmp_path, 30)
    with open_index(tmp_path, "chroma", Numbers()) as index:
        assert len(index) == 30
    shutil.rmtree(parent)
    with open_index(tmp_path, "chroma", Numbers()) as index:
        assert catch_up(connection, index, Numbers()) == 30
        assert index.nearest(unit(7), 1)[0][0] == 8


def test_a_directory_that_cannot_be_made_is_told(tmp_path):
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(StoreError, match="cannot be opened"):
        open_embedded(tmp_path / "file" / "chroma", print)
    assert np.isfinite(unit(1)).all()
    assert os.listdir(tmp_path) == ["file"]
