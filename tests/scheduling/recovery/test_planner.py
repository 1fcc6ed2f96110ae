"""Plans are a pure function of the diagnosis, of the past, and of the rules."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schedmate.scheduling.recovery.owner_rules import RecoveryRules
from schedmate.scheduling.recovery.planner import IF_FOUND, PastRun, ordinal, steps_for, suspect, without_progress
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
    past = [PastRun(f"network.{number}", number) for number in range(RULES.restarts)]
    assert "restart" in kinds(steps_for(fault(), past[1:], NODES, RULES))
    steps = steps_for(fault(), past, NODES, RULES)
    assert "restart" not in kinds(steps)
    assert "hold" in kinds(steps)


def test_the_third_time_at_the_same_place_it_is_held():
    past = [PastRun("gpu.xid_79", 100), PastRun("gpu.xid_79", 100)]
    (hold,) = [step for step in steps_for(fault(), past, NODES, RULES, 100) if step.kind == "hold"]
    assert "3rd time without progress" in hold.reason
    assert "restart" in kinds(steps_for(fault(), past, NODES, RULES, 150)), "it got on: that counts"
    assert "restart" in kinds(
        steps_for(fault(), [PastRun("gpu.xid_79", 100), PastRun("other", 100)], NODES, RULES, 100)
    )


def test_counting_what_came_again():
    same = [PastRun("a", 5), PastRun("a", 5)]
    assert without_progress("a", same, 5) == 3
    assert without_progress("a", same, 6) == 1
    assert without_progress("b", same, 5) == 1
    assert without_progress("a", [PastRun("a"), PastRun("a")], None) == 3
    assert [ordinal(n) for n in (1, 2, 3, 4, 11, 22)] == ["1st", "2nd", "3rd", "4th", "11th", "22nd"]


def test_who_is_unsure_does_not_restart():
    assert "restart" not in kinds(steps_for(fault(confidence=0.4), (), NODES, RULES))


def test_when_a_fault_of_the_machine_comes_again_all_nodes_are_searched():
    """The log names node2 each time; maybe it is wrong."""
    again = [PastRun("gpu.xid_79", 100)]
    steps = steps_for(fault(), again, NODES, RULES, 100)
    assert kinds(steps) == ["health_check", "nccl_test", "isolate", "replace", "restart", "notify"]
    assert steps[1].target == "node1,node2,node3"
    assert "2nd time" in steps[1].reason
    assert "nccl_test" not in kinds(steps_for(fault(), again, NODES, RULES, 150)), "it got on: that counts"


def test_a_vague_time_out_is_restarted_only_if_tests_find_who_it_is():
    found = fault(failure_id="network.nccl_timeout", subcategory="network", root_host=None, confidence=0.3)
    found = found.model_copy(update={"should_restart": "yes"})
    steps = steps_for(found, (), NODES, RULES)
    assert kinds(steps) == ["health_check", "nccl_test", "isolate", "replace", "restart", "hold", "notify"]
    assert steps[4].target == IF_FOUND


def test_who_is_cut_off_works_well_alone_so_all_are_tested():
    found = fault(failure_id="network.ib_down", subcategory="network")
    assert [step.target for step in steps_for(found, (), NODES, RULES) if step.kind == "nccl_test"] == [",".join(NODES)]


@pytest.mark.parametrize("failure", ["limits.slurm_memory", "exit.memory_limit"])
@pytest.mark.parametrize("times", [0, 3])
def test_who_outgrew_its_own_memory_is_held_however_often_and_no_node_is_looked_at(failure, times):
    found = fault(failure_id=failure, subcategory="node", should_restart="no")
    for nodes in (NODES, ("node2",)):
        steps = steps_for(found, (PastRun(failure),) * times, nodes, RULES)
        assert [(step.kind, step.target) for step in steps] == [("hold", "the job"), ("notify", "owner")]


TEXTS = st.one_of(st.text(max_size=30), st.sampled_from(["node2", "-rf", "node1;reboot", "$(id)", "node3.x", "::"]))
DIAGNOSES = st.builds(
    Diagnosis,
    category=st.sampled_from(["infrastructure", "framework", "script", "other", "none"]),
    subcategory=st.sampled_from([None, "gpu", "nvlink", "network", "node", "other"]),
    failure_id=st.sampled_from(
        [None, "gpu.xid_79", "cuda.out_of_memory", "network.nccl_timeout", "python.key_error", "limits.k8s_memory"]
    ),
    root_host=st.one_of(st.none(), TEXTS),
    root_pod=st.one_of(st.none(), TEXTS),
    job_id=st.one_of(st.none(), TEXTS),
    root_excerpt=TEXTS,
    explanation=TEXTS,
    faulty_components=st.lists(TEXTS, max_size=3).map(tuple),
    systems=st.sampled_from([(), ("slurm",), ("kubernetes", "ray")]),
    should_restart=st.sampled_from(["yes", "elsewhere", "no"]),
    confidence=st.floats(0, 1),
)
PASTS = st.lists(
    st.builds(PastRun, st.sampled_from(["gpu.xid_79", "other"]), st.one_of(st.none(), st.floats(0, 9))), max_size=5
)
OWNERS = {"the job", IF_FOUND, "operators", "owner", ""}


@given(DIAGNOSES, PASTS, st.sampled_from([NODES, NODES[:1]]), st.one_of(st.none(), st.floats(0, 9)), st.integers(0, 4))
def test_whatever_is_diagnosed_a_plan_keeps_to_the_rules(found, past, nodes, progress, restarts):
    rules = RecoveryRules(restarts=restarts)
    steps = steps_for(found, past, nodes, rules, progress)
    assert steps == steps_for(found, tuple(past), list(nodes), rules, progress), "the same again gives the same"
    names = kinds(steps)
    order = ["health_check", "nccl_test", "isolate", "replace", "smaller_batch", "restart", "hold", "notify"]
    assert names == ["none"] or names == sorted(set(names), key=order.index), "each kind once, checks before deeds"
    for step in steps:
        assert set(step.target.split(",")) <= set(nodes) or step.target in OWNERS, "no word of a log is a target"
        assert step.commands == {}, "nor is one run"
        if step.kind in ("isolate", "replace"):
            assert step.target or "nccl_test" in names, "nobody is taken out unnamed and untested"
    restart = next((step for step in steps if step.kind == "restart"), None)
    if len(past) >= restarts or found.should_restart == "no":
        assert restart is None
    if restart is not None and found.confidence < rules.least_confidence:
        assert restart.target == IF_FOUND
    if without_progress(found.failure_id or found.category, past, progress) > rules.same_root:
        assert restart is None
    if found.category != "none":
        assert names[-1] == "notify"
        assert restart is not None or "hold" in names, "no job is left between two states"
    if found.category in ("script", "framework", "other"):
        assert not {"isolate", "replace", "nccl_test", "health_check"} & set(names), "bugs cost no node"
