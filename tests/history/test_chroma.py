"""A Chroma server as the index: what it finds, and what is said when it is not to be had."""

import signal
from contextlib import closing
from random import Random

import pytest

from schedmate.errors import SettingsError, StoreError
from schedmate.history import chroma
from schedmate.history.chroma import ServerVectors, in_time, open_server
from schedmate.history.database import open_database
from schedmate.history.jobs import add_jobs
from schedmate.history.similarity import stored
from schedmate.history.similarity.names import NameCloseness
from schedmate.history.similarity.stored import find_similar
from schedmate.models.embedders.built_in import open_built_in
from schedmate.schemas import Job, PastJob, Workload
from schedmate.selftest import vectors as check_vectors
from schedmate.settings import Settings
from tests.history.chroma_server import ChromaServer

MODELS = ("gpt2", "resnet50", "bert-base", "vit-large", "yolov5", "t5-small")
COUNT = 60


@pytest.fixture(scope="module")
def names():
    return NameCloseness(open_built_in())


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """Start a server that tests of this file share; who stops or kills it brings it back."""
    started = ChromaServer()
    started.folder = tmp_path_factory.mktemp("chroma") / "data"
    started.start(started.folder)
    yield started
    started.kill()


@pytest.fixture(autouse=True)
def patience(monkeypatch):
    """Let a slow machine be slow, and let even a small store use its index."""
    monkeypatch.setattr(chroma, "ANSWER_S", 120.0)
    monkeypatch.setattr(stored, "OUTRIGHT", 5)


def made(number):
    draw = Random(number)
    workload = Workload(
        is_training=True, model_name=draw.choice(MODELS), epochs=number + 1, num_gpus=draw.choice((1, 8))
    )
    job = Job(job_id=str(number), submit_s=number, start_s=number, end_s=number + 5, status="completed")
    return PastJob(job=job, workload=workload)


class Store:
    """A store of jobs, and questions to it."""

    def __init__(self, folder, names, count=COUNT):
        self.folder, self.names = folder, names
        with closing(open_database(folder)) as connection:
            add_jobs(connection, [made(number) for number in range(count)])

    def ask(self, where, number=7):
        notes = []
        with closing(open_database(self.folder)) as connection:
            found = find_similar(
                connection, self.folder, made(number).workload, self.names, threshold=0.5, top=3, where=where,
                note=notes.append,
            )  # fmt: skip
        return [(past.job.job_id, round(likeness.raw, 9)) for past, likeness in found], notes


def test_a_server_finds_what_our_own_index_finds(server, tmp_path, names):
    mine = Store(tmp_path / "mine", names)
    exact, _ = mine.ask("built-in")
    assert exact[0][0] == "7"
    found, notes = mine.ask(server.url)
    assert [likeness for _, likeness in found] == [likeness for _, likeness in exact]
    assert len(notes) == 1
    assert "indexed anew" in notes[0]
    assert mine.ask(server.url) == (found, [])


def test_stores_that_share_a_server_do_not_mix(server, tmp_path, names):
    few, many = Store(tmp_path / "few", names, 8), Store(tmp_path / "many", names)
    assert many.ask(server.url, 50)[0][0][0] == "50"
    assert {job_id for job_id, _ in few.ask(server.url, 50)[0]} <= {str(number) for number in range(8)}


def test_a_server_that_dies_and_comes_back_empty(server, tmp_path, names):
    mine = Store(tmp_path / "mine", names)
    exact, _ = mine.ask(server.url)
    server.kill()
    try:
        found, notes = mine.ask(server.url)
        assert found == exact
        assert "cannot be used" in notes[0]
        assert "chroma run" in notes[0]
        assert "our own index was asked instead" in notes[0]
    finally:
        server.start(tmp_path / "empty")
    try:
        found, notes = mine.ask(server.url)
        assert found == exact
        assert any("indexed anew" in note for note in notes)
        assert mine.ask(server.url) == (exact, [])
    finally:
        server.kill()
        server.start(server.folder)
    assert mine.ask(server.url) == (exact, [])


def test_a_server_that_hangs_is_not_waited_for(server, tmp_path, names, monkeypatch):
    mine = Store(tmp_path / "mine", names)
    exact, _ = mine.ask(server.url)
    server.send(signal.SIGSTOP)
    try:
        monkeypatch.setattr(chroma, "ANSWER_S", 0.5)
        found, notes = mine.ask(server.url)
        assert found == exact
        assert "does not answer within 0.5 s" in notes[0]
    finally:
        server.send(signal.SIGCONT)
        monkeypatch.setattr(chroma, "ANSWER_S", 120.0)
    assert mine.ask(server.url) == (exact, [])


def test_who_waits_for_advice_does_not_wait_for_a_long_indexing(server, tmp_path, names, monkeypatch):
    mine = Store(tmp_path / "mine", names)
    monkeypatch.setattr(ServerVectors, "most_on_the_way", COUNT - 1)
    found, notes = mine.ask(server.url)
    assert found[0][0] == "7"
    assert f"the vector index lacked {COUNT} workloads and took in {COUNT - 1}" in notes[-1]
    assert "schedmate history reindex" in notes[-1]
    assert mine.ask(server.url) == (found, [])


def test_where_no_index_can_be_had_the_latest_are_looked_through(tmp_path, names, monkeypatch):
    monkeypatch.setattr(stored, "EXACTLY", 20)
    mine = Store(tmp_path, names)
    (tmp_path / "indexes").write_text("in the way")
    found, notes = mine.ask("http://127.0.0.1:9", 55)
    assert found[0][0] == "55"
    assert "the store was looked through instead, the latest 20 of 60 workloads" in notes[0]
    assert {int(job_id) for job_id, _ in found} <= set(range(40, 60))


def test_the_selftest_asks_the_server(server, tmp_path):
    (told,) = check_vectors(Settings(data_dir=tmp_path, vectors=server.url))
    assert (told.status, server.url in told.detail) == ("ok", True)
    with pytest.raises(StoreError, match="cannot be used"):
        list(check_vectors(Settings(data_dir=tmp_path, vectors="http://127.0.0.1:9")))


@pytest.mark.parametrize("where", ["redis", "http://", "http://host:99999", "ftp://host", "localhost:8000", "http://["])
def test_what_is_no_url_is_a_wrong_setting(where):
    with pytest.raises(SettingsError, match="vectors is"), open_server(where, "x", print):
        pass


def test_an_error_of_any_kind_is_told_plainly():
    def fails():
        raise KeyboardInterrupt("from a thread")

    with pytest.raises(StoreError, match="it cannot be used: from a thread"):
        in_time(fails, 60, "it")
