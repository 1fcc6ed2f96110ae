"""Elastic jobs get what lies idle, give it back to who waits, and nobody holds what another holds."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from schedmate.clusters import JobProgress, LiveJob, NodeSpec, Placement
from schedmate.clusters.simulation.cluster import SimulatedCluster
from schedmate.clusters.simulation.restart_cost import Saving
from schedmate.clusters.simulation.rigid_jobs import RigidPhysics
from schedmate.scheduling.catalogue import PolicyParts, policy_maker
from schedmate.scheduling.estimators.table import TableEstimator
from schedmate.scheduling.loop import Loop
from schedmate.scheduling.placement.inventory import Inventory
from schedmate.scheduling.policies.fifo import Fifo
from schedmate.scheduling.resizing import resize, sizes
from schedmate.scheduling.view import ClusterView, Resize, Start
from tests.scheduling.conftest import Books

NODES = [NodeSpec("a", 4), NodeSpec("b", 4)]
SAVED = JobProgress(remaining_s=10_000.0, saved_s=0.0)


def elastic(number, least, most):
    job = LiveJob(number, str(number), least, float(number))
    job.most_gpus = most
    return job


class Site:
    """Two nodes and a policy."""

    def __init__(self, told=SAVED):
        self.view = ClusterView("", Inventory(NODES), lambda job: told)
        self.policy = Fifo()

    def decide(self, *arrived):
        view = self.view
        view.arrived = [*arrived]
        view.pending |= {job.number: job for job in arrived}
        plan = self.policy.decide(view)
        resize(plan, self.policy)
        return plan.actions


def has(*jobs):
    return [job.placement.gpus if job.placement else 0 for job in jobs]


def test_a_size_is_the_need_doubled_or_the_most():
    assert sizes(elastic(0, 2, 12)) == [12, 8, 4, 2]
    assert sizes(elastic(0, 3, 4)) == [4, 3]


def test_a_job_starts_on_what_lies_idle_as_one_start():
    site, job = Site(), elastic(0, 2, 8)
    assert site.decide(job) == [Start(job, job.placement)]
    assert (has(job), site.view.inventory.free_gpus) == ([8], 0)


def test_nobody_gets_more_while_somebody_waits():
    site, job, large = Site(), elastic(0, 2, 8), LiveJob(1, "1", 8, 1.0)
    site.decide(job, large)
    assert has(job, large) == [2, 0]


def test_what_was_lent_is_given_back_and_the_one_who_waits_starts():
    site, job, late = Site(), elastic(0, 2, 8), LiveJob(1, "1", 4, 1.0)
    site.decide(job)
    (moved,) = site.decide(late)
    assert (moved, has(job)) == (Resize(job, job.placement), [4])
    site.decide()
    assert (has(job, late), site.view.inventory.free_gpus) == ([4, 4], 0)


def test_several_give_back_where_one_is_not_enough():
    site, one, two, late = Site(), elastic(0, 1, 4), elastic(1, 1, 4), LiveJob(2, "2", 6, 2.0)
    site.decide(one)
    site.decide(two)
    assert has(one, two) == [4, 4]
    site.decide(late)
    site.decide()
    assert has(one, two, late) == [1, 1, 6]


@pytest.mark.parametrize("told", [JobProgress(), JobProgress(remaining_s=10_000.0)])
def test_who_was_not_seen_to_save_keeps_what_it_has(told):
    site, job, late = Site(told), elastic(0, 2, 8), LiveJob(1, "1", 4, 1.0)
    site.decide(job)
    assert site.decide(late) == []
    assert (has(job), site.view.inventory.free_gpus) == ([8], 0)


def test_nobody_gives_back_for_who_would_have_no_room_all_the_same():
    site, firm, job, late = Site(), LiveJob(0, "0", 1, 0.0), elastic(1, 2, 4), LiveJob(2, "2", 8, 2.0)
    site.decide(firm)
    site.decide(job)
    assert site.decide(late) == []
    assert (has(job), site.view.inventory.free_gpus) == ([4], 3)


@pytest.mark.parametrize(("left_s", "size"), [(10_000.0, 8), (100.0, 2)])
def test_a_job_grows_where_that_wins_more_than_it_costs(left_s, size):
    site = Site(JobProgress(remaining_s=left_s, saved_s=0.0))
    job, brief = elastic(1, 2, 8), LiveJob(0, "0", 6, 0.0)
    site.decide(brief, job)
    assert has(job) == [2]
    brief.placement = None
    del site.view.running[0]
    site.view.inventory = Inventory(NODES)
    site.view.inventory.claim(job.placement)
    site.decide()
    assert has(job) == [size]


JOBS = st.lists(st.tuples(st.integers(0, 40), st.integers(1, 60), st.integers(1, 4), st.integers(0, 8)), max_size=25)


@pytest.mark.parametrize("policy", ["fifo", "schedmate"])
@given(rows=JOBS, saves=st.booleans())
def test_no_gpu_is_held_twice_and_all_end_whoever_grows_and_shrinks(policy, rows, saves):
    rows = sorted(rows)
    duration_s = np.array([10.0 * row[1] for row in rows])
    live = [elastic(number, row[2], row[2] + row[3] if row[3] else 0) for number, row in enumerate(rows)]
    for job, row in zip(live, rows, strict=True):
        job.submit_s, job.packable = 10.0 * row[0], not job.most_gpus
    told = JobProgress(remaining_s=1000.0, saved_s=0.0) if saves else JobProgress()
    books, guess = Books(NODES), TableEstimator(duration_s)
    cluster = SimulatedCluster(NODES, iter(live), RigidPhysics(duration_s, Saving(0.0, 0.0)))
    make = policy_maker(policy, PolicyParts(guess, guess))
    Loop(cluster, make, [books], progress=lambda job: told, resize=resize).run()
    assert len(books.done) == len(rows)


def test_a_place_is_kept_by_who_could_not_move():
    site, job = Site(), elastic(0, 4, 8)
    site.decide(job, LiveJob(1, "1", 3, 1.0))
    assert (has(job), job.placement) == ([4], Placement("gpu", (("a", 15),)))
