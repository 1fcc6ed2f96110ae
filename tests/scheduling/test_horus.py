"""Horus packs up to full utilisation, prefers idle GPUs, and never overfills memory."""

from schedmate.clusters import LiveJob, NodeSpec, Profile
from schedmate.scheduling.inventory import Inventory
from schedmate.scheduling.policies.horus import Horus
from schedmate.scheduling.view import View


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
    view = View("", Inventory([NodeSpec("n", 2)]))
    plan = arrive(view, Horus(), (1, 80.0, 1000.0), (1, 30.0, 1000.0), (1, 20.0, 1000.0), (1, 60.0, 1000.0))
    partners = [action.partner.number if action.partner else None for action in plan.actions]
    assert partners == [None, None, 1]
    assert list(view.pending) == [3]


def test_memory_and_size_must_fit():
    view = View("", Inventory([NodeSpec("n", 2)]))
    plan = arrive(view, Horus(), (2, 10.0, 20_000.0), (2, 10.0, 8_000.0), (1, 10.0, 1_000.0))
    assert [action.job.number for action in plan.actions] == [0]


def test_without_sharing_everybody_waits_for_idle_gpus():
    view = View("", Inventory([NodeSpec("n", 1)]))
    assert len(arrive(view, Horus(sharing=False), (1, 1.0, 1.0), (1, 1.0, 1.0)).actions) == 1
