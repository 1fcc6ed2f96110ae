"""The question that waits for a person, and the checkpointer that is a guest in somebody else's database."""

import sqlite3
from contextlib import closing

import pytest
from langgraph.types import Command

from schedmate.graphs.approve import GRAPH, verdict_of
from schedmate.graphs.checkpoints import GuestSaver

THREAD = {"configurable": {"thread_id": "7"}}


@pytest.fixture
def host(tmp_path):
    with closing(
        sqlite3.connect(tmp_path / "host.sqlite3", isolation_level=None, check_same_thread=False)
    ) as connection:
        yield connection


@pytest.fixture
def graph(host):
    saver = GuestSaver(host)
    saver.setup()
    return GRAPH.compile(saver)


def ask(graph):
    return graph.invoke({"action": 7, "words": "isolate node2"}, THREAD, durability="exit")


def test_a_question_outlives_its_graph(graph, host):
    asked = ask(graph)["__interrupt__"][0].value
    assert asked == {"action": 7, "words": "isolate node2", "answers": ["approve", "reject"]}
    after = GRAPH.compile(GuestSaver(host))
    assert after.invoke(Command(resume="approve"), THREAD)["verdict"] == "approved"


@pytest.mark.parametrize("answer", ["reject", "", "Approve", "approve all", None, True, {"approve": 1}])
def test_only_the_one_word_is_a_yes(answer):
    assert verdict_of(answer) == "rejected"


def test_a_guest_ends_no_transaction_of_its_host(graph, host):
    host.execute("BEGIN IMMEDIATE")
    ask(graph)
    assert host.in_transaction
    host.execute("ROLLBACK")
    assert not graph.get_state(THREAD).interrupts, "what the host takes back was never asked"
    host.execute("BEGIN IMMEDIATE")
    ask(graph)
    host.execute("COMMIT")
    assert graph.get_state(THREAD).interrupts
