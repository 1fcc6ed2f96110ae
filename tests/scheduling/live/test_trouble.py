"""Trouble from outside: a store that is locked, a disk that is full, a clock that jumps, a reader that hangs."""

import time

import pytest

from schedmate.clusters import NodeSpec, Submitted
from schedmate.clusters.local import LocalCluster
from schedmate.clusters.local_runner import start_ticks
from schedmate.clusters.steady import SteadyClock
from schedmate.errors import StoreError
from schedmate.history.live import LiveStore
from schedmate.history.live_rows import Submission
from schedmate.scheduling.live.desk import Desk

JOB = Submission(("true",), "/", {})


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


def test_a_reading_that_hangs_costs_its_process_and_no_time_of_the_loops(tmp_path):
    cluster = LocalCluster([NodeSpec("n", 1)], LiveStore(tmp_path))
    desk = Desk(cluster, "tests.scheduling.live.hanging_reading", 1)
    answers = []
    desk.ask({"kind": "diagnose"}, 30.0, answers.append, now_s=100.0)
    desk.ask({"kind": "diagnose"}, 30.0, answers.append, now_s=100.0)
    ((helper, _),) = desk.busy.values()
    desk.tend(129.0)
    assert answers == []
    desk.tend(131.0)
    assert answers == [{"error": "no answer within 30 s"}]
    assert start_ticks(helper.process.pid) == 0
    assert len(desk.busy) == 1, "the next one has its turn"
    desk.close()
    cluster.close()
    cluster.store.close()


def test_a_reader_that_dies_is_replaced(tmp_path):
    cluster = LocalCluster([NodeSpec("n", 1)], LiveStore(tmp_path))
    desk = Desk(cluster, "tests.scheduling.live.no_such_module", 1)
    answers = []
    desk.ask({"kind": "diagnose"}, 30.0, answers.append, now_s=0.0)
    while not answers:
        cluster.wait(cluster.now_s() + 0.1)
        desk.tend(1.0)
    assert answers == [{"error": "the reader died"}]
    desk.close()
    cluster.close()
    cluster.store.close()
