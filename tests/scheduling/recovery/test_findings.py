"""What checks find: kept, counted by the breaker, and only for nodes that are theirs; nodes under test."""

import sys

from schedmate.clusters import Placement
from schedmate.history.live import LiveStore
from schedmate.history.live_rows import Submission
from schedmate.scheduling.recovery.owner_rules import Rules, ToolRules

GATE = "import os, time\nwhile not os.path.exists('gate'): time.sleep(0.02)"


def test_what_tests_have_found_outlives_a_kill(ward):
    first = ward(finds="node2")
    number = first.begin("node1", "node2")
    check = first.action("nccl_test").id
    first.until(lambda: first.action("nccl_test").event == "started")
    first.pool.close()
    first.store.note_action(check, "done", "node2 failed", ["node2"])
    second = ward()
    second.recovery.tend()
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
    here.store.mark("node4", "spare", 0, 0.0)  # which may stand witness, but only one test at a time
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
