"""Chroma behind one owner: found again after reopening, rebuilt after damage, never shared by two processes."""

import subprocess
import sys

import numpy as np
import pytest

from schedmate.errors import StoreError
from schedmate.history import vectors
from schedmate.history.vectors import open_vectors

UNIT = np.eye(4, dtype=np.float32)


def test_nearest_comes_first_and_survives_reopening(tmp_path):
    with open_vectors(tmp_path, "things") as index:
        index.add(["a", "b", "c", "d"], UNIT)
    with open_vectors(tmp_path, "things") as index:
        query = np.array([0.1, 0.9, 0.0, 0.0], dtype=np.float32)
        found = index.nearest(query, 2)
    assert [name for name, _ in found] == ["b", "a"]
    assert found[0][1] > found[1][1]


def test_an_empty_index_finds_nothing(tmp_path):
    with open_vectors(tmp_path, "things") as index:
        assert index.nearest(UNIT[0], 3) == []


def test_adding_again_replaces(tmp_path):
    with open_vectors(tmp_path, "things") as index:
        index.add(["a"], UNIT[:1])
        index.add(["a"], UNIT[1:2])
        assert index.count() == 1
        assert index.nearest(UNIT[1], 1)[0] == ("a", pytest.approx(1.0))


def test_a_spoiled_index_is_made_anew_and_said(tmp_path):
    notes = []
    with open_vectors(tmp_path, "things", notes.append) as index:
        index.add(["a"], UNIT[:1])
    for path in (tmp_path / "vectors" / "1").glob("*.sqlite3*"):
        path.write_bytes(b"garbage " * 1000)
    with open_vectors(tmp_path, "things", notes.append) as index:
        assert index.count() == 0
        index.add(["b"], UNIT[:1])
    assert len(notes) == 1
    assert "built anew" in notes[0]
    with open_vectors(tmp_path, "things", notes.append) as index:
        assert index.count() == 1
    assert len(notes) == 1


def test_a_second_process_is_told_who_waits(tmp_path, monkeypatch):
    monkeypatch.setattr(vectors, "OWNER_WAIT_S", 0.1)
    (tmp_path / "vectors").mkdir()
    code = (
        "import fcntl, sys; lock = open(sys.argv[1], 'w'); fcntl.flock(lock, fcntl.LOCK_EX);"
        "print('held', flush=True); sys.stdin.read()"
    )
    holder = subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path / "vectors" / "owner.lock")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with holder:
        assert holder.stdout.readline() == "held\n"
        with pytest.raises(StoreError, match="another process owns"), open_vectors(tmp_path, "things"):
            pass
        holder.stdin.close()
    with open_vectors(tmp_path, "things") as index:
        assert index.count() == 0
