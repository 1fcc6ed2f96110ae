"""Guard rails, on a real cluster without jobs: breaker, dedupe, cool-down, one step a node, the trail."""

import json

import pytest

from schedmate.errors import InputError
from schedmate.history.live_rows import Submission
from schedmate.scheduling.recovery.message import message
from schedmate.schemas import Diagnosis


def test_the_breaker_opens_and_is_reset_by_hand(ward):
    here = ward(nodes=8, isolate_share=0.25)
    assert here.fail("node1")["isolate"][0] == "done"
    assert here.fail("node2")["isolate"][0] == "done"
    event, why = here.fail("node3")["isolate"]
    assert event == "refused"
    assert "circuit breaker is open: 2 of 8 nodes" in why
    assert here.ask("reset-breaker") == "the circuit breaker is reset"
    assert here.fail("node3")["isolate"][0] == "done"
    assert sorted(here.store.marks()) == ["node1", "node2", "node3"]


def test_undoing_does_not_close_the_breaker(ward):
    here = ward(nodes=4, isolate_share=0.25)
    here.fail("node1")
    here.ask("undo", here.action("isolate").id)
    assert "circuit breaker" in here.fail("node2")["isolate"][1]


def test_a_node_is_isolated_once_however_many_died_on_it(ward):
    here = ward(isolate_share=1.0)
    here.fail("node1")
    assert here.fail("node1")["isolate"] == ("refused", "node1 is isolated already")
    assert len(here.store.marks()) == 1


def test_a_node_that_a_person_brought_back_is_left_alone(ward):
    here = ward(isolate_share=1.0)
    here.fail("node1")
    action = here.action("isolate").id
    assert here.ask("undo", action) == f"action {action} is undone: node1 takes jobs again"
    event, why = here.fail("node1")["isolate"]
    assert (event, "a person brought node1 back" in why) == ("refused", True)
    with pytest.raises(InputError, match="is undone"):
        here.ask("undo", action)


def test_a_node_that_passed_its_tests_stays(ward):
    here = ward()
    steps = here.fail("node1", "node2")
    assert steps["nccl_test"][0] == "done"
    assert steps["isolate"] == ("refused", "the tests found no faulty node")
    assert steps["restart"][0] == "done"


def test_the_same_failure_at_the_same_place_is_held_the_third_time(ward):
    here = ward(same_root=1)
    number = here.store.submit(Submission(("true",), "/", {}), "x", 1.0)
    found = Diagnosis(
        category="infrastructure",
        subcategory="network",
        failure_id="network.nccl_timeout",
        should_restart="yes",
        confidence=0.9,
    )
    for expected in ("pending", "held"):
        run = here.store.open_run(number, "gpu", (("node1", 1),), None, 1.0)
        here.store.update_run(number, run, ended_s=2.0, outcome="failed", failure="network.nccl_timeout", progress=10.0)
        here.store.update(number, state="examined", diagnosis=found.model_dump_json())
        here.recovery.take(number, run)
        here.settle()
        assert here.store.job(number).state == expected
    assert "2nd time without progress" in here.store.job(number).reason


def test_what_the_log_does_not_explain_stays_dead_and_says_so(ward):
    here = ward()
    here.fail("node1", category="none", subcategory=None, failure_id=None, should_restart="no")
    assert here.store.job(1).state == "failed"


def test_approving_what_is_not_proposed_is_refused(ward):
    here = ward()
    here.fail("node1")
    with pytest.raises(InputError, match="not proposed"):
        here.ask("approve", 1)
    with pytest.raises(InputError, match="there is no action 99"):
        here.ask("approve", 99)


def test_the_trail_tells_each_step_in_order(ward):
    here = ward()
    here.fail("node1")
    trail = [event for _, event, *_ in here.store.trail(here.action("isolate").id)]
    assert trail == ["planned", "started", "done"]
    assert json.loads(here.store.job(1).diagnosis)["failure_id"] == "gpu.xid_79"


def test_the_message_says_what_was_done_and_how_it_is_taken_back(ward):
    here = ward()
    here.fail("node1")
    case = here.recovery.case(1, 1)
    isolate, restart = here.action("isolate").id, here.action("restart").id
    assert case.done == (
        "health_check done: node1 is ill",
        "nccl_test done: looked",
        f"isolate done: node1 takes no more jobs (schedmate undo {isolate})",
        "replace refused: there is no spare: the job waits for free slots",
        "restart done: job 1 is back in the queue from the beginning: no checkpoint was found"
        f" (schedmate undo {restart})",
    )
    body = message(case)[1]
    assert f"  {case.done[1]}\n" in body
    assert body.endswith("More: schedmate why 1; schedmate logs 1 --run 1")


def test_jobs_that_share_a_directory_are_known_as_such(ward):
    store = ward().store
    for number, (folder, ended_s) in enumerate((("/a", 5.0), ("/a", 9.0), ("/b", None)), start=1):
        store.submit(Submission(("true",), folder, {}), f"t{number}", 1.0)
        store.open_run(number, "gpu", (("node1", 1),), None, 1.0)
        store.update_run(number, 1, ended_s=ended_s)
    assert store.others_in("/a", 1, 8.0)
    assert not store.others_in("/a", 1, 10.0)
    assert not store.others_in("/a", 2, 8.0)
    assert not store.others_in("/b", 3, 0.0)
