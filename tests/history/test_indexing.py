"""The index of workloads follows SQLite, whoever adds, whatever is pruned or put back."""

from contextlib import closing

import numpy as np
import pytest

from schedmate.errors import SettingsError, StoreError
from schedmate.history.database import FILE_NAME, open_database
from schedmate.history.indexing import catch_up, open_index, reindex, ways
from schedmate.history.jobs import Which, add_jobs, remove_jobs
from schedmate.history.similarity.names import NameCloseness
from schedmate.history.similarity.upkeep import index_new
from schedmate.history.vector_index import VectorIndex
from schedmate.models.embedders.built_in import open_built_in
from schedmate.schemas import Job, PastJob, Workload
from tests.history.test_chroma import Store, made


class Numbers:
    """Gives each workload a vector that its number of epochs draws."""

    name = "numbers"
    dimensions = 16

    def vectors(self, workloads):
        return np.stack([unit(int(w.epochs)) for w in workloads])


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
    monkeypatch.setattr("schedmate.history.similarity.stored.OUTRIGHT", 5)
    monkeypatch.setattr("schedmate.history.similarity.upkeep.OUTRIGHT", 5)
    return NameCloseness(open_built_in())


def test_what_is_added_is_found_at_once_and_by_others(connection, tmp_path):
    with open_index(tmp_path, "built-in", Numbers()) as index, open_index(tmp_path, "built-in", Numbers()) as other:
        for first in range(0, 900, 90):
            add_jobs(connection, [past(number) for number in range(first, first + 90)])
            assert catch_up(connection, index, Numbers()) == 90
            assert catch_up(connection, other, Numbers()) == 0
            for one in (index, other):
                assert one.nearest(unit(first + 29), 1)[0] == (first + 30, pytest.approx(1))
        assert len(index) == len(other) == 900
        assert len(index.centres) > 1
    with open_index(tmp_path, "built-in", Numbers()) as again:
        assert catch_up(connection, again, Numbers()) == 0
        assert again.nearest(unit(7), 1)[0][0] == 8


def test_reindex_makes_all_anew_and_forgets_what_was_pruned(connection, tmp_path):
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


def test_a_wrong_setting_and_a_server_that_is_not_there_are_told(tmp_path):
    with pytest.raises(SettingsError, match="vectors is 'redis'"), open_index(tmp_path, "redis", Numbers()):
        pass
    with pytest.raises(StoreError, match="cannot be used"), open_index(tmp_path, "http://127.0.0.1:9", Numbers()):
        pass
    assert [ways(setting) for setting in ("", "auto", "built-in", "http://h")] == [("built-in",)] * 3 + [
        ("http://h", "built-in")
    ]


def test_an_index_that_lacks_much_catches_up_by_and_by(tmp_path, small, monkeypatch):
    monkeypatch.setattr(VectorIndex, "most_on_the_way", 25)
    mine = Store(tmp_path, small)
    exact, notes = mine.ask("auto")
    assert "lacked 60 workloads and took in 25" in notes[0]
    assert "the store was looked through instead" in notes[0]
    assert "lacked 35" in mine.ask("auto")[1][0]
    assert mine.ask("auto") == (exact, [])


def test_an_index_of_another_history_is_not_asked(tmp_path, small):
    mine = Store(tmp_path, small)
    mine.ask("auto")
    for path in tmp_path.glob(f"{FILE_NAME}*"):
        path.rename(path.with_name(f"away-{path.name}"))
    with closing(open_database(tmp_path)) as connection:
        add_jobs(connection, [made(number) for number in range(100, 120)])
    assert mine.ask("auto", 110)[0][0][0] == "110"


def test_a_history_that_was_put_back_to_an_older_copy_is_indexed_anew(tmp_path, small):
    mine = Store(tmp_path, small, 30)
    copy = (tmp_path / FILE_NAME).read_bytes()
    with closing(open_database(tmp_path)) as connection:
        add_jobs(connection, [made(number) for number in range(30, 60)])
    mine.ask("auto")
    (tmp_path / FILE_NAME).write_bytes(copy)
    with closing(open_database(tmp_path)) as connection:
        add_jobs(connection, [made(number) for number in range(100, 110)])
    found, notes = mine.ask("auto", 105)
    assert found[0][0] == "105"
    assert "put back" in notes[0]
    assert mine.ask("auto", 105) == (found, [])


def test_what_was_imported_is_indexed_at_once(connection, tmp_path, small):
    opened = []

    def asked():
        opened.append(1)
        return small

    assert index_new(connection, tmp_path, "auto", asked, lambda done, total: None, print) == 0
    assert not opened
    add_jobs(connection, [made(number) for number in range(60)])
    assert index_new(connection, tmp_path, "auto", asked, lambda done, total: None, print) == 60
    assert index_new(connection, tmp_path, "auto", asked, lambda done, total: None, print) == 0
