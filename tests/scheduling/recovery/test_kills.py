"""Whatever is done and what the trail says of it survive a kill together."""

import sqlite3

import pytest

from schedmate.schemas import Diagnosis


class Killed(BaseException):
    """In the place of a SIGKILL: nothing in the way of the exception may tidy up after it."""


@pytest.mark.parametrize("kind", ["isolate", "restart", "hold"])
@pytest.mark.parametrize("moment", ["before", "after"])
def test_a_deed_and_the_word_that_it_is_done_survive_a_kill_together(ward, monkeypatch, kind, moment):
    """Killed just before or just after the trail says "done": what was done is not refused by the next loop."""
    here = ward(isolate_share=1.0)
    note = here.store.note_action

    def killed(action, event, *words, **more):
        if event == "done" and here.action(kind).id == action:
            if moment == "after":
                note(action, event, *words, **more)
            raise Killed
        note(action, event, *words, **more)

    bug = {"category": "script", "subcategory": None, "failure_id": "python.key_error", "should_restart": "no"}
    monkeypatch.setattr(here.store, "note_action", killed)
    with pytest.raises(Killed):
        here.fail("node1", **(bug if kind == "hold" else {}))
    here.pool.close()
    after = ward(isolate_share=1.0)
    after.until(lambda: not after.store.actions(("planned", "started")))
    step = after.action(kind)
    assert step.event == "done"
    assert [event for _, event, *_ in after.store.trail(step.id)] == ["planned", "started", "done"]
    if kind == "isolate":
        assert after.store.marks() == {"node1": ("isolated", step.id)}


def test_an_undo_that_is_killed_leaves_the_mark_or_takes_it_and_says_so(ward, monkeypatch):
    here = ward()
    here.fail("node1")
    action = here.action("isolate").id

    def killed(*words, **more):
        raise Killed

    monkeypatch.setattr(here.store, "note_action", killed)
    with pytest.raises(Killed):
        here.ask("undo", action)
    assert ward().store.marks() == {"node1": ("isolated", action)}


def test_a_second_diagnosis_of_one_run_adds_nothing_to_its_plan(ward):
    here = ward()
    here.fail("node1", category="script", subcategory=None, failure_id="python.key_error", should_restart="no")
    longer = Diagnosis(category="infrastructure", subcategory="gpu", should_restart="elsewhere", confidence=0.9)
    here.store.update(1, diagnosis=longer.model_dump_json())
    here.recovery.take(1, 1)
    assert [row.kind for row in here.store.actions()] == ["hold", "notify"]


def test_a_full_disk_makes_no_deed_happen_twice(ward, monkeypatch):
    monkeypatch.setattr("schedmate.history.live.RETRY_S", 0.0)
    here = ward()
    note, tries = here.store.note_action, []

    def full_once(action, event, *words, **more):
        if event == "done" and here.action("restart").id == action:
            tries.append(event)
            if len(tries) == 1:
                raise sqlite3.OperationalError("database or disk is full")
        note(action, event, *words, **more)

    monkeypatch.setattr(here.store, "note_action", full_once)
    heard = []
    monkeypatch.setattr(here.cluster, "wait", lambda until, wait=here.cluster.wait: heard.extend(wait(until) or []))
    here.fail("node1")
    here.cluster.wait(here.cluster.now_s())
    assert len(tries) == 2
    assert [type(event).__name__ for event in heard if type(event).__name__ == "Submitted"] == ["Submitted"]
