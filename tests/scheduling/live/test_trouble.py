"""Trouble from outside: a store that is locked, a disk that is full, a clock that jumps, a reader that hangs."""

import time

import pytest

from schedmate.clusters import NodeSpec, Submitted
from schedmate.clusters.local.cluster import LocalCluster
from schedmate.clusters.runner.processes import start_ticks
from schedmate.clusters.steady_clock import SteadyClock
from schedmate.errors import StoreError
from schedmate.history.live import LiveStore
from schedmate.history.live_rows import Submission
from schedmate.scheduling.live.reader_client import LIMIT_S, REST_S, ReaderClient
from schedmate.workers.worker_pool import WorkerPool

JOB = Submission(("true",), "/", {})


@pytest.fixture
def cluster(tmp_path):
    made = LocalCluster([NodeSpec("n", 1)], LiveStore(tmp_path))
    yield made
    made.close()
    made.store.close()


@pytest.fixture
def make_desk(cluster):
    """Make desks for readings; they are closed in the end."""
    made = []

    def make(module, helpers):
        made.append(WorkerPool(cluster, f"tests.scheduling.live.{module}", helpers))
        return made[-1]

    yield make
    for pool in made:
        pool.close()


def test_a_locked_store_is_waited_for_and_nothing_is_lost(tmp_path, monkeypatch):
    monkeypatch.setattr("schedmate.history.live.RETRY_S", 0.0)
    other = LiveStore(tmp_path)
    other.connection.execute("BEGIN IMMEDIATE")
    said = []

    def complain(text):
        said.append(text)
        other.connection.execute("COMMIT")

    store = LiveStore(tmp_path, patient=True, complain=complain)
    store.connection.execute("PRAGMA busy_timeout = 1")
    assert store.submit(JOB, "a", 1.0) == 1
    assert "waiting, nothing is lost" in said[0]
    other.connection.execute("BEGIN IMMEDIATE")
    hasty = LiveStore(tmp_path)
    hasty.connection.execute("PRAGMA busy_timeout = 1")
    with pytest.raises(StoreError, match="locked"):
        hasty.submit(JOB, "b", 1.0)
    for one in (store, other, hasty):
        one.close()


def test_a_full_disk_is_waited_for(tmp_path, monkeypatch):
    monkeypatch.setattr("schedmate.history.live.RETRY_S", 0.0)
    said = []

    def complain(text):
        said.append(text)
        store.connection.execute("PRAGMA max_page_count = 100000")

    store = LiveStore(tmp_path, patient=True, complain=complain)
    pages = store.connection.execute("PRAGMA page_count").fetchone()[0]
    store.connection.execute(f"PRAGMA max_page_count = {pages}")
    number = store.submit(Submission(("true", "x" * 100_000), "/", {}), "a", 1.0)
    assert "full" in said[0]
    assert store.job(number).command[1] == "x" * 100_000
    store.close()


def test_a_clock_that_is_set_changes_nothing(monkeypatch):
    clock = SteadyClock()
    before = clock.now_s()
    monkeypatch.setattr(time, "time", lambda: 0.0)
    assert before <= clock.now_s() < before + 60
    monkeypatch.setattr(time, "time", lambda: 1e12)
    assert before <= clock.now_s() < before + 60


def test_a_job_from_the_future_is_taken_in(tmp_path):
    store = LiveStore(tmp_path)
    store.submit(JOB, "a", 9e9)
    cluster = LocalCluster([NodeSpec("n", 1)], LiveStore(tmp_path, patient=True))
    (event,) = cluster.wait(cluster.now_s())
    assert isinstance(event, Submitted)
    cluster.close()
    cluster.store.close()
    store.close()


def test_a_reading_that_hangs_costs_its_process_and_no_time_of_the_loops(make_desk):
    pool = make_desk("hanging_reading", 1)
    answers = []
    pool.ask({"kind": "diagnose"}, 30.0, answers.append, now_s=100.0)
    pool.ask({"kind": "diagnose"}, 30.0, answers.append, now_s=100.0)
    ((helper, _),) = pool.busy.values()
    pool.tend(129.0)
    assert answers == []
    pool.tend(131.0)
    assert answers == [{"error": "no answer within 30 s", "gone": True}]
    assert start_ticks(helper.process.pid) == 0
    assert len(pool.busy) == 1, "the next one has its turn"


def test_who_hears_of_a_reading_given_up_may_ask_again_at_once(make_desk):
    pool = make_desk("hanging_reading", 2)
    told = []

    def again(answer):
        told.append(answer["error"])
        pool.ask({"kind": "diagnose"}, 30.0, told.append, now_s=131.0)

    for _ in range(2):
        pool.ask({"kind": "diagnose"}, 30.0, again, now_s=100.0)
    pool.tend(131.0)
    assert told == ["no answer within 30 s"] * 2
    assert len(pool.busy) == 2


class Hands:
    """A clock that is set by hand."""

    def __init__(self):
        self.time_s = 1000.0

    def now_s(self):
        return self.time_s


def test_a_model_that_hung_is_left_alone_by_those_who_wait(make_desk):
    clock, said, told = Hands(), [], []
    pool = make_desk("hanging_reading", 1)
    readings = ReaderClient(pool, clock, "auto", 30.0, said.append)
    for number in range(3):
        readings.ask({"number": number}, told.append)
    readings.ask({"number": "urgent"}, told.append, urgent=True)
    assert [task.message["engine"] for task in pool.waiting] == ["auto"] * 3
    clock.time_s += 31.0
    pool.tend(clock.now_s())
    ((_, working),) = pool.busy.values()
    assert (working.message["number"], working.limit_s) == ("urgent", LIMIT_S), "logs of the dead go first"
    assert [task.message["engine"] for task in (working, *pool.waiting)] == ["built-in"] * 4
    assert said == ["a reading was given up (no answer within 30 s): the model is not asked for 10 min"]
    assert told == [], "nobody is told before the built-in has had its turn"
    assert readings.rests_until_s == clock.time_s + REST_S


def test_a_reader_that_dies_is_replaced(cluster, make_desk):
    pool = make_desk("no_such_module", 1)
    answers = []
    pool.ask({"kind": "diagnose"}, 30.0, answers.append, now_s=0.0)
    while not answers:
        cluster.wait(cluster.now_s() + 0.1)
        pool.tend(1.0)
    assert answers == [{"error": "the reader died", "gone": True}]
