"""A job keeps away from the nodes that its failure speaks against, as long as there are enough others."""

import pytest

from schedmate.clusters import JobProgress, LiveJob, NodeSpec, Profile
from schedmate.scheduling.placement.inventory import Inventory
from schedmate.scheduling.policies.fifo import Fifo
from schedmate.scheduling.policies.schedmate import SchedMate
from schedmate.scheduling.view import ClusterView, Preempt, Start

SAVED = JobProgress(saved_s=900.0)


class Guess:
    def duration_s(self, job):
        return {"long": 90_000.0}.get(job.name, 100.0)

    def learn(self, job, duration_s, status):
        pass


def job(number, gpus=2, avoid=(), name="", share=None):
    made = LiveJob(number, str(number), gpus, 1000.0, name=name)
    made.avoid = frozenset(avoid)
    if share is not None:
        made.profile = Profile("", "", 0, 0, 100 * share, 0, 0, 1)
    return made


def world(nodes=3):
    seen = ClusterView("", Inventory(NodeSpec(f"n{place}", 2) for place in range(nodes)), lambda job: SAVED)
    seen.now_s = 1000.0
    return seen


def decide(policy, seen, *jobs):
    for one in jobs:
        seen.pending[one.number] = one
        seen.arrived.append(one)
    plan = policy.decide(seen)
    seen.arrived.clear()
    starts = [action for action in plan.actions if isinstance(action, Start)]
    stops = [action.job.number for action in plan.actions if isinstance(action, Preempt)]
    return {one.job.number: [node for node, _ in one.placement.parts] for one in starts}, stops


@pytest.mark.parametrize("make", [Fifo, lambda: SchedMate(Guess())])
def test_it_starts_elsewhere_and_others_start_where_it_would_not(make):
    seen = world()
    assert decide(make(), seen, job(0, 2, ("n0", "n1")), job(1, 2)) == ({0: ["n2"], 1: ["n0"]}, [])
    assert seen.inventory.free_gpus == 2


def test_it_waits_for_another_node_and_keeps_nobody_of_its_size_waiting():
    seen, policy = world(2), SchedMate(Guess())
    decide(policy, seen, job(0, 2))
    started, stopped = decide(policy, seen, job(1, 2, ("n1",)), job(2, 2))
    assert (started, stopped) == ({2: ["n1"]}, [])
    assert list(seen.pending) == [1]


@pytest.mark.parametrize("make", [Fifo, lambda: SchedMate(Guess())])
def test_where_the_others_would_never_do_it_goes_back(make):
    assert decide(make(), world(2), job(0, 4, ("n0",)))[0] == {0: ["n0", "n1"]}
    seen = world(2)
    seen.inventory.remove("n1")
    assert decide(make(), seen, job(0, 2, ("n0",)))[0] == {0: ["n0"]}


def test_nobody_is_stopped_on_a_node_that_it_would_not_use():
    seen, policy = world(2), SchedMate(Guess())
    decide(policy, seen, job(0, 2, name="long"), job(1, 2, name="long"))
    here = {one.placement.parts[0][0]: one.number for one in seen.running.values()}
    seen.now_s = 1010.0
    assert decide(policy, seen, job(2, 2, ("n0",))) == ({2: ["n1"]}, [here["n1"]])


def test_a_wide_job_counts_no_free_node_that_it_avoids():
    seen, policy = world(3), SchedMate(Guess())
    decide(policy, seen, job(0, 2, ("n1", "n2"), name="long"), job(1, 2, ("n0", "n2"), name="long"))
    seen.now_s = 1010.0
    started, stopped = decide(policy, seen, job(2, 4, ("n2",)))
    assert (started[2], sorted(stopped)) == (["n0", "n1"], [0, 1]), "n2 is free, and of no use"


def test_it_shares_no_gpu_of_a_node_that_it_avoids():
    seen, policy = world(2), SchedMate(Guess())
    policy.partners.gpu_memory_mib = 1000.0
    decide(policy, seen, job(0, 2, ("n1",), share=0.5), job(1, 2, ("n0",), name="long"))
    assert decide(policy, seen, job(2, 2, ("n0",), share=0.5))[0] == {2: ["n1"]}
