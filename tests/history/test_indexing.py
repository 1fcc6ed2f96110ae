"""The index of workloads follows SQLite, whoever adds, whatever is broken, killed or pruned; nothing near is missed."""

import shutil
import subprocess
import sys
from contextlib import closing

import numpy as np
import pytest

from schedmate.errors import SettingsError, StoreError
from schedmate.history import cells, vector_files
from schedmate.history.cell_files import load_cells, save_cells
from schedmate.history.cells import make_cells
from schedmate.history.database import open_database
from schedmate.history.indexing import OPENED, catch_up, reindex
from schedmate.history.indexing import open_index as open_again
from schedmate.history.jobs import Which, add_jobs, remove_jobs
from schedmate.history.vector_files import VectorFiles
from schedmate.schemas import Job, PastJob, Workload


class Numbers:
    """Gives each workload a vector that its number of epochs draws."""

    name = "numbers"
    dimensions = 16

    def vectors(self, workloads):
        return np.stack([unit(int(w.epochs)) for w in workloads])


def open_index(*arguments):
    """Open as another process would: with nothing held from before."""
    OPENED.__dict__.clear()
    return open_again(*arguments)


def unit(seed, dimensions=16):
    vector = np.random.default_rng(seed).standard_normal(dimensions).astype(np.float32)
    return vector / np.linalg.norm(vector)


def past(number):
    job = Job(job_id=str(number), submit_s=0, start_s=1, end_s=2, status="completed")
    return PastJob(job=job, workload=Workload(epochs=number))


@pytest.fixture
def connection(tmp_path):
    with closing(open_database(tmp_path)) as opened:
        yield opened


@pytest.fixture
def small(monkeypatch):
    monkeypatch.setattr(vector_files, "TAIL", 40)


def clustered(count, dimensions=32, seed=1):
    draw = np.random.default_rng(seed)
    kinds = np.random.default_rng(99).standard_normal((60, dimensions))
    vectors = kinds[draw.integers(0, 60, count)] + 0.4 * draw.standard_normal((count, dimensions))
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)


def test_cells_find_what_exact_search_finds(monkeypatch, tmp_path):
    monkeypatch.setattr(cells, "LOOKED_AT", 2_000)
    vectors, ids = clustered(20_000), np.arange(20_000) * 3
    made = make_cells(ids, vectors)
    assert len(made.centres) == 100
    save_cells(made, tmp_path / "1")
    loaded = load_cells(tmp_path / "1", 32)
    agreed = 0
    for vector in clustered(100, seed=2):
        exact = set((ids[np.argsort(-(vectors @ vector))[:3]]).tolist())
        found = loaded.nearest(vector, 3)
        agreed += len(exact & {number for number, _ in found})
        assert [cosine for _, cosine in found] == sorted((cosine for _, cosine in found), reverse=True)
    assert agreed >= 0.99 * 300


def test_few_vectors_are_searched_exactly():
    vectors = clustered(500)
    made = make_cells(np.arange(500), vectors)
    for vector in clustered(20, seed=3):
        assert [number for number, _ in made.nearest(vector, 3)] == np.argsort(-(vectors @ vector))[:3].tolist()
    assert make_cells(np.zeros(0, np.int64), np.zeros((0, 4), np.float32)).nearest(np.ones(4, np.float32), 3) == []
    assert len(make_cells(np.array([7]), unit(1)[None]).nearest(unit(1), 3)) == 1


def test_equal_vectors_and_more_asked_than_there_are():
    same = np.repeat(unit(1)[None], 1000, axis=0)
    made = make_cells(np.arange(1000)[::-1], same)
    assert len(made.nearest(unit(1), 3)) == 3
    assert len(made.nearest(unit(1), 5000)) == 1000


def test_what_is_added_is_found_at_once_and_by_others(connection, tmp_path, small):
    with open_index(tmp_path, "built-in", Numbers()) as index, open_index(tmp_path, "built-in", Numbers()) as other:
        for first in range(0, 300, 30):
            add_jobs(connection, [past(number) for number in range(first, first + 30)])
            assert catch_up(connection, index, Numbers()) == 30
            assert catch_up(connection, other, Numbers()) == 0 or index.last_id == other.last_id
            assert index.nearest(unit(first + 29), 1)[0] == (first + 30, pytest.approx(1))
            assert other.nearest(unit(first + 29), 1)[0] == (first + 30, pytest.approx(1))
        assert len(index) == len(other) == 300
        assert index.generation > 1
    with open_index(tmp_path, "built-in", Numbers()) as again:
        assert catch_up(connection, again, Numbers()) == 0
        assert again.nearest(unit(7), 1)[0][0] == 8


def test_a_reader_does_not_wait_for_a_writer(connection, tmp_path, monkeypatch):
    add_jobs(connection, [past(number) for number in range(20)])
    with open_index(tmp_path, "built-in", Numbers()) as writer, open_index(tmp_path, "built-in", Numbers()) as reader:
        with writer.alone():
            assert catch_up(connection, reader, Numbers()) == 20
            assert reader.nearest(unit(3), 1)[0][0] == 4
        assert len(writer) == 0
        add_jobs(connection, [past(number) for number in range(20, 25)])
        catch_up(connection, reader, Numbers())
        catch_up(connection, writer, Numbers())
        assert len(writer) == len(reader) == 25
        monkeypatch.setattr("schedmate.history.indexing.UNWAITED", 3)
        add_jobs(connection, [past(number) for number in range(25, 35)])
        notes = []
        with writer.alone():
            assert catch_up(connection, reader, Numbers(), note=notes.append) == 0
        assert "10 workloads are not found yet: another process is indexing them" in notes[0]


@pytest.mark.parametrize("file", ["ids.npy", "vectors.npy", "codes.npy", "steps.npy", "whole.json", "bounds.npy"])
@pytest.mark.parametrize("damage", ["gone", "garbage", "cut", "zeros"])
def test_a_broken_index_is_built_anew_and_said(file, damage, connection, tmp_path, small):
    add_jobs(connection, [past(number) for number in range(100)])
    with open_index(tmp_path, "built-in", Numbers()) as index:
        catch_up(connection, index, Numbers())
        path = index.folder / str(index.generation) / file
    size = path.stat().st_size
    if damage == "gone":
        path.unlink()
    else:
        content = {"garbage": b"\xa5" * size, "cut": path.read_bytes()[: size // 2], "zeros": b"\0" * size}[damage]
        path.write_bytes(content)
    notes = []
    with open_index(tmp_path, "built-in", Numbers(), notes.append) as index:
        catch_up(connection, index, Numbers())
        assert len(index) == 100
        assert index.nearest(unit(7), 1)[0] == (8, pytest.approx(1))
    assert len(notes) == 1
    assert "set aside and built anew" in notes[0]
    with open_index(tmp_path, "built-in", Numbers(), notes.append) as index:
        assert catch_up(connection, index, Numbers()) == 0
    assert len(notes) == 1


def test_a_kill_in_the_middle_of_a_record(connection, tmp_path):
    add_jobs(connection, [past(number) for number in range(10)])
    with open_index(tmp_path, "built-in", Numbers()) as index:
        catch_up(connection, index, Numbers())
        path = index.tail_path()
    with path.open("r+b") as stream:
        stream.truncate(path.stat().st_size - 5)
    with open_index(tmp_path, "built-in", Numbers()) as index:
        assert catch_up(connection, index, Numbers()) == 1
        add_jobs(connection, [past(77)])
        assert catch_up(connection, index, Numbers()) == 1
    with open_index(tmp_path, "built-in", Numbers()) as index:
        assert index.nearest(unit(77), 1)[0] == (11, pytest.approx(1))
        assert len(index) == 11


def test_reindex_makes_all_anew_and_forgets_what_was_pruned(connection, tmp_path, small):
    add_jobs(connection, [past(number) for number in range(100)])
    remove_jobs(connection, Which(name="nothing"))
    with open_index(tmp_path, "built-in", Numbers()) as index:
        catch_up(connection, index, Numbers())
        connection.execute("DELETE FROM jobs WHERE id > 50")
        remove_jobs(connection, Which(user="nobody"))
        heard = []
        assert reindex(connection, index, Numbers(), lambda done, total: heard.append((done, total))) == 50
        assert len(index) == 50
        assert heard[-1] == (50, 50)
        add_jobs(connection, [past(500)])
        assert catch_up(connection, index, Numbers()) == 1
        assert index.last_id == 101


def test_the_directory_is_missing_or_in_the_way(tmp_path):
    (tmp_path / "workload-vectors").write_text("in the way")
    with pytest.raises(StoreError), open_index(tmp_path, "built-in", Numbers()):
        pass
    with pytest.raises(SettingsError, match="vectors is 'redis'"), open_index(tmp_path, "redis", Numbers()):
        pass
    with pytest.raises(StoreError, match="cannot be used"), open_index(tmp_path, "http://127.0.0.1:9", Numbers()):
        pass


def test_processes_that_add_at_once_lose_nothing(connection, tmp_path):
    add_jobs(connection, [past(number) for number in range(400)])
    code = (
        "import sys; from pathlib import Path; from schedmate.history.database import open_database;"
        "from schedmate.history.indexing import *; from tests.history.test_indexing import Numbers;"
        "import schedmate.history.indexing as module; module.BATCH = 7; import schedmate.history.vector_files as f;"
        "f.TAIL = 50; folder = Path(sys.argv[1]); c = open_database(folder)\n"
        "with open_index(folder, 'built-in', Numbers()) as index: print(catch_up(c, index, Numbers()), len(index))"
    )
    root = str(__file__).rsplit("/tests/", 1)[0]
    running = [
        subprocess.Popen([sys.executable, "-c", code, str(tmp_path)], cwd=root, stdout=subprocess.PIPE, text=True)
        for _ in range(3)
    ]
    told = [process.communicate()[0].split() for process in running]
    assert all(int(words[1]) == 400 for words in told), told
    with open_index(tmp_path, "built-in", Numbers()) as index:
        assert catch_up(connection, index, Numbers()) == 0
        assert [index.nearest(unit(number), 1)[0][0] for number in range(0, 400, 40)] == list(range(1, 401, 40))


def test_vectors_may_lie_in_chroma(connection, tmp_path):
    add_jobs(connection, [past(number) for number in range(20)])
    for _ in range(2):
        with open_index(tmp_path, "chroma", Numbers()) as index:
            assert catch_up(connection, index, Numbers()) in {20, 0}
            assert index.nearest(unit(3), 2)[0] == (4, pytest.approx(1, abs=1e-5))
            assert len(index) == 20
    with open_index(tmp_path, "chroma", Numbers()) as index:
        assert reindex(connection, index, Numbers()) == 20
        assert len(index) == 20


def test_one_that_is_open_sees_what_others_did(connection, tmp_path, small):
    with open_again(tmp_path, "built-in", Numbers()) as mine:
        for first in (0, 30, 60, 90):
            add_jobs(connection, [past(number) for number in range(first, first + 30)])
            with open_index(tmp_path, "built-in", Numbers()) as other:
                reindex(connection, other, Numbers())
            OPENED.__dict__[str(mine.folder)] = mine
            with open_again(tmp_path, "built-in", Numbers()) as same:
                assert same is mine
                assert catch_up(connection, mine, Numbers()) == 0
                assert len(mine) == first + 30
                assert mine.nearest(unit(first + 7), 1)[0][0] == first + 8
    shutil.rmtree(mine.folder)
    with open_again(tmp_path, "built-in", Numbers()) as fresh:
        assert catch_up(connection, fresh, Numbers()) == 120


def test_files_of_another_width_are_not_mistaken(tmp_path):
    files = VectorFiles(tmp_path / "v", 16)
    with files.alone():
        files.add(np.array([1]), unit(1)[None])
        files.gather()
    notes = []
    assert len(VectorFiles(tmp_path / "v", 8, notes.append)) == 0
    assert notes
    shutil.rmtree(tmp_path / "v")


def test_cells_from_files_answer_as_those_in_memory(monkeypatch, tmp_path):
    monkeypatch.setattr(cells, "LOOKED_AT", 1_000)
    made = make_cells(np.arange(5_000), clustered(5_000))
    save_cells(made, tmp_path / "1")
    loaded = load_cells(tmp_path / "1", 32)
    asked = clustered(20, seed=5)
    assert [loaded.nearest(vector, 5) for vector in asked] == [made.nearest(vector, 5) for vector in asked]
    assert loaded.fetched


def test_codes_say_what_the_vectors_say():
    vectors = np.concatenate([clustered(500), np.eye(32, dtype=np.float32), np.eye(32, dtype=np.float32)[:1]])
    made = make_cells(np.arange(len(vectors)), vectors)
    cell = np.repeat(np.arange(len(made.centres)), np.diff(made.bounds))
    again = made.codes * made.steps[:, None] + made.centres[cell]
    assert np.abs(again - made.vectors).max() <= made.steps.max()
    assert np.abs(made.codes.astype(int)).max() <= 127
