"""Guard rails, on a real cluster without jobs: breaker, dedupe, cool-down, one step a node, the trail."""

import json
import sqlite3
import sys
import time

import pytest

from schedmate.clusters import NodeSpec, Placement
from schedmate.clusters.local import LocalCluster
from schedmate.errors import InputError
from schedmate.history.live import LiveStore
from schedmate.history.live_rows import Request, Submission
from schedmate.scheduling.live.desk import Desk
from schedmate.scheduling.recovery.engine import Recovery
from schedmate.scheduling.recovery.rules import RecoveryRules, Rules, ToolRules
from schedmate.schemas import Diagnosis

GATE = "import os, time\nwhile not os.path.exists('gate'): time.sleep(0.02)"


class Ward:
    """Recovery with failures that are handed to it."""

    def __init__(self, folder, nodes=4, mode="act", finds="", **rules):
        self.store = LiveStore(folder, patient=True)
        self.cluster = LocalCluster([NodeSpec(f"node{number}", 1) for number in range(1, nodes + 1)], self.store)
        self.cluster.examines = True
        self.desk = Desk(self.cluster, "tests.scheduling.live.quick_reading", 2)
        self.said = []
        tools = ToolRules(nccl_test=f"finds {finds}") if finds else ToolRules()
        rules = Rules(recovery=RecoveryRules(**rules), tools=tools)
        self.recovery = Recovery(self.cluster, self.desk, mode, rules, self.said.append)
        self.jobs = 0

    def fail(self, *nodes, **changes):
        """Let a job die on these nodes, and wait until recovery is done with it; give its steps by kind."""
        number = self.begin(*nodes, **changes)
        self.settle()
        return self.steps(number)

    def steps(self, number):
        return {step.kind: (step.event, step.detail) for step in self.store.actions(job=number)}

    def begin(self, *nodes, **changes):
        """Let a job die on these nodes; give its number."""
        self.jobs += 1
        number = self.store.submit(Submission(("true",), "/", {}), f"t{self.jobs}", 1.0)
        run = self.store.open_run(number, "gpu", tuple((node, 1) for node in nodes), None, 1.0)
        self.store.update_run(number, run, ended_s=2.0, outcome="failed")
        fields = {"category": "infrastructure", "subcategory": "gpu", "failure_id": "gpu.xid_79", "confidence": 0.9}
        found = Diagnosis(**(fields | {"should_restart": "elsewhere"} | changes))
        self.store.update(number, state="examined", diagnosis=found.model_dump_json())
        self.recovery.take(number, run, found)
        return number

    def settle(self):
        self.until(lambda: not self.desk.busy)

    def until(self, done):
        limit_s = time.monotonic() + 180
        while not done():
            assert time.monotonic() < limit_s
            self.cluster.wait(self.cluster.now_s() + 0.05)
            self.recovery.tend()

    def ask(self, kind, target=0):
        return self.recovery.obey(Request(0, kind, target, ""))

    def action(self, kind):
        return [row for row in self.store.actions() if row.kind == kind][-1]

    def close(self):
        self.desk.close()
        self.cluster.close()
        self.store.close()


@pytest.fixture
def ward(tmp_path):
    made = []

    def make(**options):
        made.append(Ward(tmp_path, **options))
        return made[-1]

    yield make
    for one in made:
        one.close()


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
        here.recovery.take(number, run, found)
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
    trail = [event for _, event, _ in here.store.trail(here.action("isolate").id)]
    assert trail == ["planned", "started", "done"]
    assert json.loads(here.store.job(1).diagnosis)["failure_id"] == "gpu.xid_79"


def test_what_tests_have_found_outlives_a_kill(ward):
    first = ward(finds="node2")
    number = first.begin("node1", "node2")
    check = first.action("nccl_test").id
    first.until(lambda: first.action("nccl_test").event == "started")
    first.desk.close()
    first.store.note_action(check, "done", "node2 failed", ["node2"])
    second = ward()
    second.cluster.chores[0]()
    assert second.steps(number)["isolate"] == ("done", "node2 takes no more jobs")
    assert set(second.store.marks()) == {"node2"}


def test_only_nodes_that_the_job_ran_on_are_found(ward):
    here = ward(finds="node3,node9")
    assert here.fail("node1", "node2")["isolate"] == ("refused", "the tests found no faulty node")
    assert here.store.marks() == {}


def test_many_at_once_open_the_breaker_as_one_after_the_other_would(ward):
    here = ward(nodes=8, isolate_share=0.25, finds="node1,node2,node3")
    event, why = here.fail("node1", "node2", "node3", "node4")["isolate"]
    assert event == "refused"
    assert "0 of 8 nodes were isolated lately, 2 may be; node1, node2, node3 would be 3 more" in why
    assert here.store.marks() == {}


def test_two_of_one_plan_count_as_two(ward):
    here = ward(nodes=8, isolate_share=0.25, finds="node1,node2")
    assert here.fail("node1", "node2", "node3")["isolate"] == ("done", "node1, node2 takes no more jobs")
    assert "2 of 8 nodes were isolated lately" in here.fail("node5")["isolate"][1]


def test_undo_takes_back_all_marks_of_its_action_and_cools_down_each_of_them(ward):
    here = ward(nodes=8, isolate_share=1.0, finds="node1,node2")
    here.fail("node1", "node2", "node3")
    here.ask("undo", here.action("isolate").id)
    assert here.store.marks() == {}
    assert "a person brought node2 back" in here.fail("node2")["isolate"][1]


def test_one_slow_step_at_a_node_at_a_time(ward):
    here = ward()
    jobs = [here.begin("node1"), here.begin("node1"), here.begin("node3")]
    states = [here.steps(job)["health_check"][0] for job in jobs]
    assert states == ["started", "planned", "started"]
    here.until(lambda: all(here.steps(job)["health_check"][0] == "done" for job in jobs))
    checks = [row.id for row in here.store.actions() if row.kind == "health_check"][:2]
    sql = "SELECT action, event FROM live_action_events WHERE action IN (?, ?) AND event != 'planned' ORDER BY id"
    happened = [tuple(row) for row in here.store.connection.execute(sql, checks)]
    assert happened == [(checks[0], "started"), (checks[0], "done"), (checks[1], "started"), (checks[1], "done")]


def test_a_node_gets_no_jobs_while_it_is_tested_and_gets_them_again(ward):
    here = ward()
    here.begin("node1", "node2", failure_id="network.nccl_timeout", subcategory="network", should_restart="yes")
    assert here.cluster.down == {"node1", "node2"}
    assert here.store.marks() == {}, "a kill frees them"
    here.settle()
    assert here.cluster.down == set()


def test_a_test_of_gpus_waits_for_jobs_that_came_meanwhile_and_lets_no_more_in(ward):
    """The slots of a dead job are given on at once; its log is read a moment later."""
    here = ward(finds="node2")
    program = here.store.data_dir / "all_reduce_perf"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    here.recovery.rules = Rules(tools=ToolRules(nccl_test=str(program)))
    users = LiveStore(here.store.data_dir)
    waiting = Submission((sys.executable, "-S", "-c", GATE), str(users.data_dir), {})
    other = users.submit(waiting, "other", 1.0)
    users.close()
    here.cluster.wait(here.cluster.now_s())
    here.cluster.start(here.cluster.jobs[other], Placement("gpu", (("node1", 1),)))
    number = here.begin("node1", "node2", root_host=None)
    here.until(lambda: here.steps(number)["health_check"][0] == "done")
    for _ in range(3):
        here.recovery.tend()
        assert here.steps(number)["nccl_test"][0] == "planned"
    assert here.cluster.down == {"node1", "node2"}
    (here.store.data_dir / "gate").touch()
    here.until(lambda: here.steps(number)["nccl_test"][0] == "done")
    here.until(lambda: not here.cluster.down)


def test_who_only_observes_keeps_no_node_from_its_work(ward):
    here = ward(mode="observe")
    here.begin("node1")
    assert here.cluster.down == set()
    here.settle()
    assert here.steps(1)["isolate"] == ("observed", "isolate node1: gpu.xid_79 on this node")


def test_a_step_that_took_no_effect_has_failed(ward, monkeypatch):
    here = ward()
    monkeypatch.setattr(here.store, "mark", lambda *words: None)
    assert here.fail("node1")["isolate"] == ("failed", "node1 takes no more jobs; but node1 bears no mark")


def test_of_an_undecided_cause_only_a_finding_leads_to_a_restart(ward):
    vague = {"subcategory": "network", "failure_id": "network.nccl_timeout", "confidence": 0.3, "should_restart": "yes"}
    steps = ward(finds="node2").fail("node1", "node2", **vague)
    assert steps["restart"][0] == "done"
    assert steps["hold"] == ("refused", "job 1 is pending")


class Killed(BaseException):
    """In the place of a SIGKILL: nothing in the way of the exception may tidy up after it."""


@pytest.mark.parametrize("kind", ["isolate", "restart", "hold"])
@pytest.mark.parametrize("moment", ["before", "after"])
def test_a_deed_and_the_word_that_it_is_done_survive_a_kill_together(ward, monkeypatch, kind, moment):
    """Killed just before or just after the trail says "done": what was done is not refused by the next loop."""
    here = ward(isolate_share=1.0)
    note = here.store.note_action

    def killed(action, event, *words):
        if event == "done" and here.action(kind).id == action:
            if moment == "after":
                note(action, event, *words)
            raise Killed
        note(action, event, *words)

    bug = {"category": "script", "subcategory": None, "failure_id": "python.key_error", "should_restart": "no"}
    monkeypatch.setattr(here.store, "note_action", killed)
    with pytest.raises(Killed):
        here.fail("node1", **(bug if kind == "hold" else {}))
    here.desk.close()
    after = ward(isolate_share=1.0)
    after.until(lambda: not after.store.actions(("planned", "started")))
    step = after.action(kind)
    assert step.event == "done"
    assert [event for _, event, _ in after.store.trail(step.id)] == ["planned", "started", "done"]
    if kind == "isolate":
        assert after.store.marks() == {"node1": ("isolated", step.id)}


def test_an_undo_that_is_killed_leaves_the_mark_or_takes_it_and_says_so(ward, monkeypatch):
    here = ward()
    here.fail("node1")
    action = here.action("isolate").id

    def killed(*words):
        raise Killed

    monkeypatch.setattr(here.store, "note_action", killed)
    with pytest.raises(Killed):
        here.ask("undo", action)
    assert ward().store.marks() == {"node1": ("isolated", action)}


def test_a_second_diagnosis_of_one_run_adds_nothing_to_its_plan(ward):
    here = ward()
    here.fail("node1", category="script", subcategory=None, failure_id="python.key_error", should_restart="no")
    longer = Diagnosis(category="infrastructure", subcategory="gpu", should_restart="elsewhere", confidence=0.9)
    here.recovery.take(1, 1, longer)
    assert [row.kind for row in here.store.actions()] == ["hold", "notify"]


def test_a_full_disk_makes_no_deed_happen_twice(ward, monkeypatch):
    monkeypatch.setattr("schedmate.history.live.RETRY_S", 0.0)
    here = ward()
    note, tries = here.store.note_action, []

    def full_once(action, event, *words):
        if event == "done" and here.action("restart").id == action:
            tries.append(event)
            if len(tries) == 1:
                raise sqlite3.OperationalError("database or disk is full")
        note(action, event, *words)

    monkeypatch.setattr(here.store, "note_action", full_once)
    heard = []
    monkeypatch.setattr(here.cluster, "wait", lambda until, wait=here.cluster.wait: heard.extend(wait(until) or []))
    here.fail("node1")
    here.cluster.wait(here.cluster.now_s())
    assert len(tries) == 2
    assert [type(event).__name__ for event in heard if type(event).__name__ == "Submitted"] == ["Submitted"]
