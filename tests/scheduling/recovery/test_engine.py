"""Guard rails, on a real cluster without jobs: breaker, dedupe, cool-down, one step a node, the trail."""

import json
import time

import pytest

from schedmate.clusters import NodeSpec
from schedmate.clusters.local import LocalCluster
from schedmate.errors import InputError
from schedmate.history.live import LiveStore
from schedmate.history.live_rows import Request, Submission
from schedmate.scheduling.live.desk import Desk
from schedmate.scheduling.recovery.engine import Recovery
from schedmate.scheduling.recovery.rules import RecoveryRules, Rules
from schedmate.schemas import Diagnosis


class Ward:
    """Recovery with failures that are handed to it."""

    def __init__(self, folder, nodes=4, mode="act", **rules):
        self.store = LiveStore(folder, patient=True)
        self.cluster = LocalCluster([NodeSpec(f"node{number}", 1) for number in range(1, nodes + 1)], self.store)
        self.cluster.examines = True
        self.desk = Desk(self.cluster, "tests.scheduling.live.quick_reading", 2)
        self.said = []
        rules = Rules(recovery=RecoveryRules(**rules))
        self.recovery = Recovery(self.cluster, self.desk, mode, rules, self.said.append)
        self.jobs = 0

    def fail(self, *nodes, **changes):
        """Let a job die on these nodes, and wait until recovery is done with it; give its steps by kind."""
        self.jobs += 1
        number = self.store.submit(Submission(("true",), "/", {}), f"t{self.jobs}", 1.0)
        run = self.store.open_run(number, "gpu", tuple((node, 1) for node in nodes), None, 1.0)
        self.store.update_run(number, run, ended_s=2.0, outcome="failed")
        fields = {"category": "infrastructure", "subcategory": "gpu", "failure_id": "gpu.xid_79", "confidence": 0.9}
        found = Diagnosis(**(fields | {"should_restart": "elsewhere"} | changes))
        self.store.update(number, state="examined", diagnosis=found.model_dump_json())
        self.recovery.take(number, run, found)
        self.settle()
        return {step.kind: (step.event, step.detail) for step in self.store.actions(job=number)}

    def settle(self):
        limit_s = time.monotonic() + 180
        while self.desk.busy:
            assert time.monotonic() < limit_s
            self.cluster.wait(self.cluster.now_s() + 0.05)

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
