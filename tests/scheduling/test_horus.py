"""Horus packs up to full utilisation, prefers idle GPUs, and never overfills memory."""

from dataclasses import replace

import numpy as np
import pytest

from schedmate.clusters import LiveJob, NodeSpec, Profile
from schedmate.clusters.simulation.cluster_spec import parse_nodes
from schedmate.scheduling.placement.inventory import Inventory
from schedmate.scheduling.policies.horus import Horus, HorusAsSimulated
from schedmate.scheduling.simulation.experiment import Experiment
from schedmate.scheduling.simulation.run_policy import run
from schedmate.scheduling.simulation.timeline import Timeline
from schedmate.scheduling.view import ClusterView, Start
from schedmate.traces.columns import Labels
from schedmate.traces.generating import generate
from schedmate.traces.profiles import draw_profiles


def arrive(view, policy, *jobs):
    for number, (gpus, util, mib) in enumerate(jobs):
        job = LiveJob(number, str(number), gpus, 0.0)
        job.profile = Profile("m", "d", 1, 0, util, 10.0, mib, 0)
        view.pending[number] = job
        view.arrived.append(job)
    plan = policy.decide(view)
    view.arrived.clear()
    return plan


def test_the_least_loaded_partner_is_taken():
    view = ClusterView("", Inventory([NodeSpec("n", 2)]))
    plan = arrive(view, Horus(), (1, 80.0, 1000.0), (1, 30.0, 1000.0), (1, 20.0, 1000.0), (1, 60.0, 1000.0))
    partners = [action.partner.number if action.partner else None for action in plan.actions]
    assert partners == [None, None, 1]
    assert list(view.pending) == [3]


def test_memory_and_size_must_fit():
    view = ClusterView("", Inventory([NodeSpec("n", 2)]))
    plan = arrive(view, Horus(), (2, 10.0, 20_000.0), (2, 10.0, 8_000.0), (1, 10.0, 1_000.0))
    assert [action.job.number for action in plan.actions] == [0]


def test_without_sharing_everybody_waits_for_idle_gpus():
    view = ClusterView("", Inventory([NodeSpec("n", 1)]))
    assert len(arrive(view, Horus(sharing=False), (1, 1.0, 1.0), (1, 1.0, 1.0)).actions) == 1


def test_the_cost_is_the_published_one():
    policy = HorusAsSimulated(most_util=200.0, gpu_memory_mib=10_000.0)
    first, second = LiveJob(0, "0", 1, 0.0), LiveJob(1, "1", 1, 0.0)
    for job, util, mib in ((first, 60.0, 2_000.0), (second, 80.0, 3_000.0)):
        job.profile = Profile("m", "d", 1, 0, util, 10.0, mib, 0)
    assert policy.cost(first, second) == 1.3 * 0.5 + 1.6 * 0.4 + 1
    second.profile = second.profile._replace(gpu_util=10.0)
    assert policy.cost(first, second) == 1.3 * 0.5 + 0.3 + 1
    assert HorusAsSimulated(most_util=60.0).cost(first, second) is None
    second.profile = second.profile._replace(gpu_memory_mib=9_000.0)
    assert policy.cost(first, second) is None


def test_nobody_beyond_the_look_ahead_overtakes():
    view = ClusterView("", Inventory([NodeSpec("n", 4)]))
    jobs = [(3, 90.0, 1.0)] + [(2, 90.0, 1.0)] * 5 + [(1, 90.0, 1.0)]
    assert [action.job.number for action in arrive(view, HorusAsSimulated(), *jobs).actions] == [0]
    view = ClusterView("", Inventory([NodeSpec("n", 4)]))
    assert [action.job.number for action in arrive(view, Horus(), *jobs).actions] == [0, 6]


@pytest.mark.parametrize("policy", ["horus", "lucid"])
def test_nobody_shares_a_gpu_of_a_kind_that_it_did_not_ask_for(policy):
    trace = replace(
        generate("helios", jobs=40, seed=2),
        submit_s=np.arange(40.0),
        duration_s=np.full(40, 5000.0),
        gpus=np.full(40, 4),
        kind=Labels(np.arange(40, dtype=np.int32) % 2, ("a100", "t4")),
        vc=Labels.same("", 40),
    )
    nodes = tuple(parse_nodes("4x4:a100,1x4:t4"))
    light = replace(draw_profiles(trace, 0), codes=np.zeros(40, np.int32))
    seen = []

    class Watch(Timeline):
        def decided(self, part, actions):
            seen.extend(
                (one.job.kind, one.placement.kind) for one in actions if isinstance(one, Start) and one.job.kind
            )

    run(Experiment(trace=trace, nodes=nodes, accounting="honest", profiler=None, profiles=light), policy, None, Watch())
    assert len(seen) == 40
    assert all(wanted == got for wanted, got in seen)
