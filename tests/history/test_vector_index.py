"""The index of vectors: nothing near is missed, whoever adds, whatever is broken; it is a cache, and says so."""

import os
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing, suppress

import numpy as np
import pytest

from schedmate.errors import StoreError
from schedmate.history import vector_index as module
from schedmate.history.vector_index import open_vectors

UNIT = np.eye(4, dtype=np.float32)
ROOT = str(__file__).rsplit("/tests/", 1)[0]


def clustered(count, dimensions=32, seed=1):
    draw = np.random.default_rng(seed)
    kinds = np.random.default_rng(99).standard_normal((60, dimensions))
    vectors = kinds[draw.integers(0, 60, count)] + 0.4 * draw.standard_normal((count, dimensions))
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)


def numbers(first, last):
    return np.arange(first, last)


def path_of(folder, kind="things"):
    return folder / "indexes" / f"{kind}.sqlite3"


def look(folder, sql):
    with closing(sqlite3.connect(path_of(folder))) as connection:
        return connection.execute(sql).fetchall()


@pytest.mark.parametrize("settled", [True, False])
def test_what_exact_search_finds_is_found(settled, monkeypatch, tmp_path):
    monkeypatch.setattr(module, "LOOKED_AT", 2_000)
    vectors = clustered(20_000)
    with open_vectors(tmp_path, "things", 32) as index:
        index.add(numbers(1, 10_001), vectors[:10_000])
        index.settle()
        index.add(numbers(10_001, 20_001), vectors[10_000:])
        if settled:
            index.settle()
        assert len(index.centres) == (100 if settled else 50)
        agreed = 0
        for vector in clustered(100, seed=2):
            exact = set((np.argsort(-(vectors @ vector))[:3] + 1).tolist())
            found = index.nearest(vector, 3)
            agreed += len(exact & {number for number, _ in found})
            assert [cosine for _, cosine in found] == sorted((cosine for _, cosine in found), reverse=True)
    assert agreed >= 0.99 * 300


def test_cells_that_hold_nothing_near_are_not_read(tmp_path):
    vectors = clustered(20_000)
    with open_vectors(tmp_path, "things", 32) as index:
        index.add(numbers(1, 20_001), vectors)
        index.settle()
    with open_vectors(tmp_path, "things", 32) as index:
        asked = []
        index.connection.set_trace_callback(asked.append)
        for vector in clustered(20, seed=2):
            asked.clear()
            found = {number for number, _ in index.nearest(vector, 3)}
            assert found == set((np.argsort(-(vectors @ vector))[:3] + 1).tolist())
            assert sum("codes FROM parts" in sql for sql in asked) < len(index.centres) / 2
        index.add(numbers(20_001, 20_002), -vectors[:1])
        assert index.nearest(-vectors[0], 1)[0][0] == 20_001, "a vector far from every centre is found where it was put"


def test_few_vectors_are_searched_exactly(tmp_path):
    vectors = clustered(500)
    with open_vectors(tmp_path, "things", 32) as index:
        assert index.nearest(vectors[0], 3) == []
        index.add(numbers(0, 500) + 7, vectors)
        for vector in clustered(20, seed=3):
            found = [number for number, _ in index.nearest(vector, 3)]
            assert found == (np.argsort(-(vectors @ vector))[:3] + 7).tolist()
        assert len(index.nearest(vectors[0], 5_000)) == 500


def test_equal_vectors_come_by_number(tmp_path):
    with open_vectors(tmp_path, "things", 4) as index:
        index.add(numbers(1, 1001), np.repeat(UNIT[:1], 1000, axis=0))
        index.settle()
        assert [number for number, _ in index.nearest(UNIT[0], 2000)] == [*range(1, 1001)]


def test_bytes_say_what_the_vectors_say():
    vectors = np.concatenate([clustered(500), np.eye(32, dtype=np.float32), np.zeros((1, 32), np.float32)])
    steps, codes = module.encoded(vectors)
    assert np.abs(codes * steps[:, None] - vectors).max() <= steps.max()
    assert np.abs(codes.astype(int)).max() <= 127


def test_single_additions_are_put_together(tmp_path, monkeypatch):
    vectors = clustered(1_000)
    with open_vectors(tmp_path, "things", 32) as index:
        index.add(numbers(1, 801), vectors[:800])
        index.settle()
        for number in range(801, 1_001):
            index.add(np.array([number]), vectors[number - 1 : number])
        assert [index.nearest(vectors[place], 1)[0][0] for place in range(0, 1_000, 99)] == [*range(1, 1_001, 99)]
        assert len(index) == index.last_id == 1_000
    assert max(row[0] for row in look(tmp_path, "SELECT count(*) FROM parts GROUP BY cell")) <= module.PARTS + 1


def test_what_one_adds_others_find_and_nothing_is_there_twice(tmp_path):
    vectors = clustered(3_000)
    with open_vectors(tmp_path, "things", 32) as one, open_vectors(tmp_path, "things", 32) as other:
        one.add(numbers(1, 1_001), vectors[:1_000])
        assert other.nearest(vectors[7], 1)[0][0] == 8
        one.settle()
        other.add(numbers(1, 3_001), vectors)
        assert len(one) == len(other) == 3_000
        assert one.nearest(vectors[2_999], 1)[0][0] == 3_000
        other.settle()
        assert [number for number, _ in one.nearest(vectors[1_500], 1)] == [1_501]
    assert look(tmp_path, "SELECT sum(length(ids)) / 8 FROM parts") == [(3_000,)]


def test_processes_that_add_at_once_lose_nothing(tmp_path):
    code = (
        "import sys; from pathlib import Path; from tests.history.test_vector_index import *\n"
        "vectors = clustered(2_000)\n"
        "with open_vectors(Path(sys.argv[1]), 'things', 32) as index:\n"
        "    for first in range(0, 2_000, 40):\n"
        "        index.add(numbers(first + 1, first + 41), vectors[first : first + 40])\n"
        "        index.settle()\n"
    )
    running = [subprocess.Popen([sys.executable, "-c", code, str(tmp_path)], cwd=ROOT) for _ in range(3)]
    assert [process.wait() for process in running] == [0, 0, 0]
    vectors = clustered(2_000)
    with open_vectors(tmp_path, "things", 32) as index:
        assert len(index) == 2_000
        assert [index.nearest(vectors[place], 1)[0][0] for place in range(0, 2_000, 99)] == [*range(1, 2_001, 99)]
    assert look(tmp_path, "SELECT sum(length(ids)) / 8 FROM parts") == [(2_000,)]


@pytest.mark.parametrize("lines", [3, 30, 120, 300])
def test_a_kill_while_adding_leaves_all_of_an_addition_or_none(tmp_path, lines):
    code = (
        "import os, signal, sys; from pathlib import Path; from tests.history.test_vector_index import *\n"
        "left = [int(sys.argv[2])]\n"
        "def count(frame, event, argument):\n"
        "    left[0] -= event == 'line'\n"
        "    if left[0] == 0: os.kill(os.getpid(), signal.SIGKILL)\n"
        "    return count\n"
        "def watch(frame, event, argument):\n"
        "    return count if frame.f_code.co_filename.endswith('vector_index.py') else None\n"
        "with open_vectors(Path(sys.argv[1]), 'things', 32) as index:\n"
        "    sys.settrace(watch)\n"
        "    for first in range(0, 4_000, 500):\n"
        "        index.add(numbers(first + 1, first + 501), clustered(500, seed=first))\n"
        "        index.settle()\n"
    )
    killed = subprocess.run([sys.executable, "-c", code, str(tmp_path), str(lines)], cwd=ROOT)
    assert killed.returncode == -signal.SIGKILL
    with open_vectors(tmp_path, "things", 32) as index:
        assert len(index) % 500 == 0
        assert len(index) == index.last_id
    assert look(tmp_path, "SELECT coalesce(sum(length(ids)), 0) / 8 FROM parts") == look(
        tmp_path, "SELECT count FROM state"
    )


@pytest.mark.parametrize(
    "damage", ["garbage", "cut", "zeros", "another version", "another width", "a part", "a vector"]
)
def test_a_broken_index_is_made_anew_and_said(damage, tmp_path):
    with open_vectors(tmp_path, "things", 4) as index:
        index.add(numbers(1, 5), UNIT)
    path = path_of(tmp_path)
    content = path.read_bytes()
    spoilt = {"garbage": b"\xa5" * len(content), "cut": content[:20_000], "zeros": bytes(len(content))}
    changed = {
        "another version": "UPDATE state SET format = 99", "another width": "UPDATE state SET dimensions = 5",
        "a part": "UPDATE parts SET ids = x'ffffffffffffff00'", "a vector": "UPDATE vectors SET vector = zeroblob(15)",
    }  # fmt: skip
    if damage in spoilt:
        path.write_bytes(spoilt[damage])
    else:
        with closing(sqlite3.connect(path)) as connection, connection:
            connection.execute(changed[damage])
    notes, found = [], None
    for _ in range(2):
        with suppress(StoreError), open_vectors(tmp_path, "things", 4, notes.append) as index:
            index.add(numbers(1, 5), UNIT)
            found = index.nearest(UNIT[1], 1)
    assert found == [(2, 1.0)]
    assert len(notes) == 1
    assert "is built anew" in notes[0]


def test_who_has_a_broken_one_open_does_not_harm_the_new_one(tmp_path):
    with open_vectors(tmp_path, "things", 4) as old:
        old.add(numbers(1, 3), UNIT[:2])
        module.discard(path_of(tmp_path), ValueError("broken"), print)
        with open_vectors(tmp_path, "things", 4) as new:
            assert len(new) == 0
            new.add(numbers(1, 5), UNIT)
        old.add(numbers(3, 4), UNIT[2:3])
    with open_vectors(tmp_path, "things", 4) as new:
        assert len(new) == 4


def test_vectors_that_are_no_numbers_are_never_near(tmp_path):
    with open_vectors(tmp_path, "things", 4) as index:
        index.add(np.array([1, 2]), np.full((2, 4), np.nan, np.float32))
        index.add(np.array([3]), UNIT[:1])
        index.gather(3)
        assert index.nearest(UNIT[0], 1)[0] == (3, 1.0)


def test_what_cannot_be_made_or_written_is_told(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "WAIT_MS", 1)
    with open_vectors(tmp_path, "things", 4) as one:
        one.add(np.array([1]), UNIT[:1])
        one.connection.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match="locked"), open_vectors(tmp_path, "things", 4) as other:
            assert other.nearest(UNIT[0], 1) == [(1, 1.0)], "who reads does not wait"
            other.add(np.array([2]), UNIT[1:2])
        one.connection.execute("ROLLBACK")
        pages = one.connection.execute("PRAGMA page_count").fetchone()[0]
        one.connection.execute(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(sqlite3.OperationalError, match="full"):
            one.add(numbers(2, 20_002), np.repeat(UNIT[:1], 20_000, axis=0))
        assert len(one) == 1
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(StoreError, match="cannot be used"), open_vectors(tmp_path / "file", "things", 4):
        pass


def test_the_memory_of_a_dead_owner_is_nobodys(tmp_path):
    """A process that was killed while it wrote keeps nobody out."""
    with open_vectors(tmp_path, "things", 4) as index:
        index.add(np.array([1]), UNIT[:1])
    child = os.fork()
    if not child:
        with open_vectors(tmp_path, "things", 4) as mine:
            mine.connection.execute("BEGIN IMMEDIATE")
            mine.connection.execute("DELETE FROM vectors")
            os.kill(os.getpid(), signal.SIGKILL)
    os.waitpid(child, 0)
    with open_vectors(tmp_path, "things", 4) as index:
        index.add(np.array([2]), UNIT[1:2])
        assert index.nearest(UNIT[0], 1) == [(1, 1.0)]
