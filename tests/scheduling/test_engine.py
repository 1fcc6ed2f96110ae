"""The engine against the naive reference, and what must hold whatever the policy."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schedmate.clusters import NodeSpec
from schedmate.clusters.simulation.node_faults import Breakage
from schedmate.clusters.simulation.restart_cost import PUBLISHED
from schedmate.scheduling.estimators.table import TableEstimator
from schedmate.scheduling.policies.srtf import Srtf
from schedmate.scheduling.policies.tiresias import Tiresias
from schedmate.scheduling.stalls import Stalled
from schedmate.scheduling.view import Plan
from tests.scheduling import reference

POLICIES = ["fifo", "sjf", "srtf", "qssf", "tiresias"]
SETTINGS = settings(max_examples=30)

job = st.tuples(
    st.integers(0, 200), st.integers(1, 300), st.sampled_from([1, 1, 1, 2, 3, 4, 5, 6, 8]), st.integers(1, 9)
)
workloads = st.lists(job, min_size=1, max_size=14).map(lambda jobs: sorted(jobs, key=lambda job: job[0]))


@pytest.mark.parametrize("policy", POLICIES)
@SETTINGS
@given(jobs=workloads)
def test_equals_the_naive_engine(policy, play, jobs):
    outcomes, _ = play(policy, jobs, nodes=2, predicted=[job[3] for job in jobs])
    assert outcomes.end_s.tolist() == reference.simulate(policy, jobs, nodes=2, size=4)


class AskedAgain:
    """Lets a policy decide again and again while somebody waits, though nothing has happened."""

    def __init__(self, inner, after_s):
        self.inner, self.name, self.after_s = inner, inner.name, after_s

    def decide(self, view):
        plan = self.inner.decide(view)
        if view.pending:
            plan.wake_at(view.now_s + self.after_s)
        return plan


parts_too = st.tuples(
    st.integers(0, 200), st.integers(1, 900), st.sampled_from([0.3, 0.5, 1, 2, 3, 4, 6, 8]), st.integers(1, 9)
)


@pytest.mark.parametrize("after_s", [1.0, 7.0])
@SETTINGS
@given(jobs=st.lists(parts_too, min_size=1, max_size=14).map(lambda jobs: sorted(jobs, key=lambda job: job[0])))
def test_preemptive_policies_know_when_another_look_changes_nothing(play, after_s, jobs):
    duration = TableEstimator(np.array([float(job[1]) for job in jobs]))
    for make in (lambda: Srtf(duration, PUBLISHED), lambda: Tiresias(threshold_gpu_s=500.0)):
        once, _ = play(lambda vc, make=make: make(), jobs, nodes=2)
        again, _ = play(lambda vc, make=make: AskedAgain(make(), after_s), jobs, nodes=2)
        assert once.end_s.tolist() == again.end_s.tolist()


@SETTINGS
@given(jobs=workloads)
def test_tiresias_demotes_like_the_naive_engine(play, jobs):
    long = [(submit, duration * 50, gpus, guess) for submit, duration, gpus, guess in jobs[:3]]
    outcomes, _ = play("tiresias", long, nodes=2)
    assert outcomes.end_s.tolist() == reference.simulate("tiresias", long, nodes=2, size=4)


@pytest.mark.parametrize("policy", POLICIES)
@SETTINGS
@given(jobs=workloads)
def test_work_is_conserved(policy, play, jobs):
    outcomes, loop = play(policy, jobs, nodes=2)
    paid = outcomes.duration_s + outcomes.preemptions * 40
    assert np.allclose(outcomes.run_s, paid)
    assert np.allclose(sum(part.busy_gpu_s for part in loop.parts.values()), (paid * outcomes.gpus).sum())


@pytest.mark.parametrize("policy", POLICIES)
@SETTINGS
@given(jobs=workloads)
def test_is_deterministic(policy, play, jobs):
    first, _ = play(policy, jobs, nodes=2)
    second, _ = play(policy, jobs, nodes=2)
    assert first.end_s.tolist() == second.end_s.tolist()


@SETTINGS
@given(jobs=workloads)
def test_fifo_starts_in_order_of_submission(play, jobs):
    outcomes, _ = play("fifo", jobs, nodes=2)
    assert (np.diff(outcomes.first_start_s) >= 0).all()


@SETTINGS
@given(jobs=workloads, seed=st.integers(0, 99), spares=st.integers(0, 1))
def test_no_job_is_lost_when_nodes_break(play, jobs, seed, spares):
    nodes = [NodeSpec(f"n{i}", 4) for i in range(2)]
    for policy in POLICIES:
        breakage = Breakage(nodes, 600.0, 200.0, swap_s=20.0, spares=spares, checkpoint_s=100.0, seed=seed)
        outcomes, _ = play(policy, jobs, nodes, breakage=breakage)
        assert np.isfinite(outcomes.end_s).all()
        assert (outcomes.run_s >= outcomes.duration_s - 1e-6).all()


def test_a_break_that_fell_into_an_idle_spell_does_not_turn_time_back(play):
    nodes = [NodeSpec(f"n{i}", 4) for i in range(2)]
    jobs = [(1, 61, 5), (1, 61, 8), (61, 61, 1), (61, 61, 1), (61, 61, 1), (61, 1, 1), (61, 1, 1)]
    for policy in POLICIES:
        breakage = Breakage(nodes, 600.0, 200.0, swap_s=20.0, checkpoint_s=100.0, seed=29)
        outcomes, _ = play(policy, jobs, nodes, breakage=breakage)
        assert (outcomes.run_s >= outcomes.duration_s - 1e-6).all()


class Lazy:
    name = "lazy"

    def decide(self, view):
        return Plan(view)


class Restless(Lazy):
    name = "restless"

    def decide(self, view):
        plan = view.plan()
        plan.wake_at(view.now_s + 1)
        return plan


@pytest.mark.parametrize("policy", [Lazy, Restless])
def test_a_policy_that_starts_nothing_is_reported(play, policy):
    with pytest.raises(Stalled, match=f"{policy.name} .*queue of 2, nothing running"):
        play(lambda vc: policy(), [(0, 5, 1), (1, 5, 1)], nodes=1)


class Sleepless(Restless):
    name = "sleepless"

    def decide(self, view):
        plan = super().decide(view)
        for job in list(view.pending.values()):
            plan.start(job)
        return plan


def test_a_policy_that_wakes_for_ever_is_reported_though_nobody_waits(play):
    with pytest.raises(Stalled, match="sleepless goes in circles: .*queue of 0") as caught:
        play(lambda vc: Sleepless(), [(0, 5, 1)], nodes=1)
    assert caught.value.hint == "nobody waits"


def test_a_job_that_never_fits_is_reported_not_waited_for(play):
    with pytest.raises(Stalled, match="queue of 1, nothing running") as caught:
        play("fifo", [(0, 5, 99)], nodes=1)
    assert "wants 99 GPUs" in caught.value.hint


def test_jobs_of_no_duration_end_at_once(play):
    outcomes, _ = play("srtf", [(5, 0, 1), (5, 0, 4)], nodes=1)
    assert outcomes.end_s.tolist() == [5.0, 5.0]
