"""Plans are a pure function of the diagnosis, of the past, and of the rules."""

import pytest

from schedmate.scheduling.recovery.planner import Past, ordinal, steps_for, suspect, without_progress
from schedmate.scheduling.recovery.rules import RecoveryRules
from schedmate.schemas import Diagnosis

RULES = RecoveryRules()
NODES = ("node1", "node2", "node3")


def fault(**changes):
    fields = {
        "category": "infrastructure",
        "subcategory": "gpu",
        "failure_id": "gpu.xid_79",
        "root_host": "node2",
        "should_restart": "elsewhere",
        "confidence": 0.9,
    }
    return Diagnosis(**(fields | changes))


def kinds(steps):
    return [step.kind for step in steps]


def test_a_named_node_is_checked_isolated_replaced_and_left():
    steps = steps_for(fault(), (), NODES, RULES)
    assert kinds(steps) == ["health_check", "isolate", "replace", "restart", "notify"]
    assert {step.target for step in steps[:3]} == {"node2"}


def test_without_a_name_the_tests_must_find_it():
    steps = steps_for(fault(root_host=None), (), NODES, RULES)
    assert kinds(steps) == ["health_check", "nccl_test", "isolate", "replace", "restart", "notify"]
    assert steps[1].target == "node1,node2,node3"
    assert steps[2].target == ""


def test_the_only_node_of_a_run_is_the_one():
    steps = steps_for(fault(root_host=None), (), ("node3",), RULES)
    assert [step.target for step in steps if step.kind == "isolate"] == ["node3"]


@pytest.mark.parametrize("host", ["node9", "node2; rm -rf /", "$(reboot)", "node", "", "node22", "NODE2.evil\nnode1"])
def test_a_host_that_the_job_did_not_run_on_is_never_acted_on(host):
    steps = steps_for(fault(root_host=host), (), NODES, RULES)
    assert all(step.target in ("", "the job", "operators", "owner", ",".join(NODES)) for step in steps)
    assert not any(step.commands for step in steps)


def test_long_and_short_names_are_one_host():
    assert suspect(fault(root_host="Node2.cluster.local"), NODES) == "node2"
    assert suspect(fault(root_host="node2"), ("node2.a", "node2.b")) == ""


def test_a_users_bug_is_held():
    found = fault(category="script", subcategory=None, failure_id="python.key_error", should_restart="no")
    assert kinds(steps_for(found, (), NODES, RULES)) == ["hold", "notify"]


def test_the_budget_ends():
    past = [Past(f"network.{number}", number) for number in range(RULES.restarts)]
    assert "restart" in kinds(steps_for(fault(), past[1:], NODES, RULES))
    steps = steps_for(fault(), past, NODES, RULES)
    assert "restart" not in kinds(steps)
    assert "hold" in kinds(steps)


def test_the_third_time_at_the_same_place_it_is_held():
    past = [Past("gpu.xid_79", 100), Past("gpu.xid_79", 100)]
    (hold,) = [step for step in steps_for(fault(), past, NODES, RULES, 100) if step.kind == "hold"]
    assert "3rd time without progress" in hold.reason
    assert "restart" in kinds(steps_for(fault(), past, NODES, RULES, 150)), "it got on: that counts"
    assert "restart" in kinds(steps_for(fault(), [Past("gpu.xid_79", 100), Past("other", 100)], NODES, RULES, 100))


def test_counting_what_came_again():
    same = [Past("a", 5), Past("a", 5)]
    assert without_progress("a", same, 5) == 3
    assert without_progress("a", same, 6) == 1
    assert without_progress("b", same, 5) == 1
    assert without_progress("a", [Past("a"), Past("a")], None) == 3
    assert [ordinal(n) for n in (1, 2, 3, 4, 11, 22)] == ["1st", "2nd", "3rd", "4th", "11th", "22nd"]


def test_who_is_unsure_does_not_restart():
    assert "restart" not in kinds(steps_for(fault(confidence=0.4), (), NODES, RULES))
