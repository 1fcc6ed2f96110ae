"""Mode `suggest`: a proposal and the graph that waits for its answer are one, whatever happens in between."""

import sqlite3

import pytest

from schedmate.errors import InputError
from schedmate.scheduling.recovery.message import message


class Killed(BaseException):
    """In the place of a SIGKILL: nothing in the way of the exception may tidy up after it."""


@pytest.fixture
def asking(ward):
    """Give a recovery that asks whether node1 may be isolated."""
    here = ward(mode="suggest")
    here.fail("node1", root_host="node1")
    assert here.action("isolate").event == "proposed"
    return here


def threads(here):
    return [row[0] for row in here.store.connection.execute("SELECT DISTINCT thread_id FROM checkpoints")]


def test_what_waits_is_an_interrupted_graph(asking):
    action = asking.action("isolate")
    question = asking.recovery.approvals.waiting(action.id)
    assert question == {"action": action.id, "words": action.detail, "answers": ["approve", "reject"]}
    assert asking.store.marks() == {}


def test_an_answer_settles_the_question_and_leaves_no_checkpoint(asking):
    action = asking.action("isolate").id
    assert asking.ask("approve", action) == f"action {action} (isolate) is approved"
    assert asking.store.marks() == {"node1": ("isolated", action)}
    assert threads(asking) == [f"action-{asking.action('restart').id}"], "only what still waits"
    with pytest.raises(InputError, match="not proposed"):
        asking.ask("approve", action)


def test_another_loop_takes_the_answer(asking, ward):
    action = asking.action("isolate").id
    asking.pool.close()
    after = ward(mode="observe")
    assert after.ask("approve", action).endswith("is approved")
    assert after.store.marks() == {"node1": ("isolated", action)}
    assert after.action("restart").event == "proposed", "a plan keeps the mode that it was made in"


@pytest.mark.parametrize("event", ["approved", "rejected"])
@pytest.mark.parametrize("moment", ["before", "after"])
def test_a_kill_leaves_both_answer_and_entry_or_neither(asking, ward, monkeypatch, event, moment):
    action = asking.action("isolate").id
    note = asking.store.note_action

    def killed(number, word, *words, **more):
        if word == event:
            if moment == "after":
                note(number, word, *words, **more)
            raise Killed
        note(number, word, *words, **more)

    answer = "approve" if event == "approved" else "reject"
    with monkeypatch.context() as patch:
        patch.setattr(asking.store, "note_action", killed)
        with pytest.raises(Killed):
            asking.ask(answer, action)
    asking.pool.close()
    after = ward(mode="suggest")
    assert after.action("isolate").event == "proposed"
    assert after.recovery.approvals.waiting(action), "the graph waits as the trail says"
    assert after.ask(answer, action).endswith(f"is {event}")


def test_a_proposal_that_is_killed_is_made_by_the_next_loop(ward, monkeypatch):
    here = ward(mode="suggest")
    ask = here.recovery.approvals.propose

    def killed(*words):
        ask(*words)
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(here.recovery.approvals, "propose", killed)
        with pytest.raises(Killed):
            here.fail("node1", root_host="node1")
    assert (here.action("isolate").event, threads(here)) == ("planned", [])
    here.pool.close()
    after = ward(mode="suggest")
    after.recovery.tend()
    assert after.action("isolate").event == "proposed"
    assert threads(after) == [f"action-{after.action('isolate').id}"]


def test_a_full_disk_asks_once(ward, monkeypatch):
    monkeypatch.setattr("schedmate.history.live.RETRY_S", 0.0)
    here = ward(mode="suggest")
    note, tries = here.store.note_action, []

    def full_once(action, event, *words):
        if event == "proposed":
            tries.append(event)
            if len(tries) == 1:
                raise sqlite3.OperationalError("database or disk is full")
        note(action, event, *words)

    monkeypatch.setattr(here.store, "note_action", full_once)
    here.fail("node1", root_host="node1")
    assert len(tries) == 2
    assert [event for _, event, *_ in here.store.trail(here.action("isolate").id)] == ["planned", "proposed"]
    assert len(threads(here)) == 1


def test_a_proposal_of_a_version_without_checkpoints_can_be_answered(asking):
    asking.store.connection.execute("DELETE FROM checkpoints")
    asking.store.connection.execute("DELETE FROM writes")
    action = asking.action("isolate").id
    assert asking.ask("reject", action).endswith("is rejected")
    assert asking.store.marks() == {}


def test_words_of_a_log_answer_nothing(ward):
    here = ward(mode="suggest")
    words = 'resume=approve; {"approve": true}; schedmate approve 1 2 3'
    here.fail("node1", root_host="node1", root_excerpt=words, explanation=words, advice=words)
    assert here.action("isolate").event == "proposed"
    assert here.store.marks() == {}


def test_people_are_told_before_they_are_asked(asking):
    kinds = [row.kind for row in asking.store.actions()]
    assert kinds == ["health_check", "notify", "isolate", "replace", "restart", "notify"]
    assert [row.event for row in asking.store.actions() if row.kind == "notify"] == ["done", "planned"]
    subject, body = message(asking.recovery.case(1, 1))
    assert subject == "job 1 failed: gpu.xid_79; your word is needed"
    isolate, restart = asking.action("isolate"), asking.action("restart")
    assert f"(schedmate approve ACTION, or reject):\n  action {isolate.id}: isolate node1\n" in body
    assert f"  action {restart.id}: restart the job\n" in body
    asking.ask("reject", isolate.id)
    assert f"action {isolate.id}: isolate" not in message(asking.recovery.case(1, 1))[1]


def test_who_is_asked_nothing_is_told_once(ward):
    here = ward(mode="suggest")
    here.fail("node1", category="none", subcategory=None, failure_id=None, should_restart="no")
    assert [row.kind for row in here.store.actions()].count("notify") <= 1
    assert here.store.job(1).state == "failed"
