"""Who goes first under each policy, on clusters where every job needs one GPU, so that nothing but order decides."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schedmate.clusters import LiveJob, NodeSpec
from schedmate.clusters.simulation.cluster import SimulatedCluster
from schedmate.clusters.simulation.restart_cost import PUBLISHED
from schedmate.clusters.simulation.rigid_jobs import RigidPhysics
from schedmate.scheduling.estimators.table import TableEstimator
from schedmate.scheduling.loop import Loop
from schedmate.scheduling.policies.fifo import Fifo
from schedmate.scheduling.policies.horus import Horus
from schedmate.scheduling.policies.lucid import Lucid
from schedmate.scheduling.policies.qssf import Qssf
from schedmate.scheduling.policies.sjf import Sjf
from schedmate.scheduling.policies.srtf import Srtf
from schedmate.scheduling.policies.tiresias import Tiresias
from schedmate.scheduling.view import Start
from tests.scheduling.conftest import Books

SETTINGS = settings(max_examples=40)
jobs_of_one_gpu = st.lists(
    st.tuples(st.integers(0, 300), st.integers(1, 400), st.integers(1, 9)), min_size=1, max_size=16
).map(sorted)


class Order:
    """After each decision, hands who was started and who is left to a rule."""

    def __init__(self, rule):
        self.rule = rule

    def submitted(self, job, part):
        pass

    def ended(self, job, part, status):
        pass

    def decided(self, part, actions):
        started = [action.job for action in actions if isinstance(action, Start)]
        self.rule(part.view, started, list(part.view.pending.values()))


def play(jobs, make, rule):
    duration = np.array([float(job[1]) for job in jobs])
    live = [LiveJob(number, str(number), 1, float(job[0])) for number, job in enumerate(jobs)]
    nodes = [NodeSpec("n", 2)]
    cluster = SimulatedCluster(nodes, iter(live), RigidPhysics(duration, PUBLISHED))
    books = Books(nodes)
    Loop(cluster, lambda vc: make(duration), [Order(rule), books]).run()
    assert len(books.done) == len(jobs)


def ahead(key):
    """Say that nobody who was started is behind, by this key, somebody who is left."""

    def rule(view, started, left):
        for one in started:
            assert all((key(one), one.number) <= (key(other), other.number) for other in left)

    return rule


@SETTINGS
@given(jobs=jobs_of_one_gpu)
def test_by_submission(jobs):
    for make in (lambda duration: Fifo(), lambda duration: Horus(sharing=False)):
        play(jobs, make, ahead(lambda job: job.submit_s))


@SETTINGS
@given(jobs=jobs_of_one_gpu)
def test_shortest_first(jobs):
    play(jobs, lambda duration: Sjf(TableEstimator(duration)), ahead(lambda job: jobs[job.number][1]))


@SETTINGS
@given(jobs=jobs_of_one_gpu)
def test_lucid_without_sharing_by_predicted_gpu_time(jobs):
    guess = TableEstimator(np.array([float(job[2]) for job in jobs]))
    play(jobs, lambda duration: Lucid(guess, sharing=False), ahead(lambda job: jobs[job.number][2]))


@SETTINGS
@given(jobs=jobs_of_one_gpu)
def test_qssf_by_prediction_among_those_that_had_to_wait(jobs):
    guess = TableEstimator(np.array([float(job[2]) for job in jobs]))

    def rule(view, started, left):
        waited = [job for job in started if job.submit_s < view.now_s]
        ahead(lambda job: jobs[job.number][2])(view, waited, [job for job in left if job.submit_s < view.now_s])

    play(jobs, lambda duration: Qssf(guess), rule)


@SETTINGS
@given(jobs=jobs_of_one_gpu)
def test_nobody_with_less_left_waits_for_one_with_more(jobs):
    policies = []

    def make(duration):
        policies.append(Srtf(TableEstimator(duration), PUBLISHED))
        return policies[-1]

    def rule(view, started, left):
        remaining = policies[0].remaining_s
        if left and len(view.running) == 2:
            most = max(remaining(job, view.now_s) for job in view.running.values())
            # A job that was just stopped has its restart to pay, and is looked at again a second later.
            waited = [job for job in left if job.preemptions == 0]
            assert all(remaining(job, view.now_s) >= most for job in waited)

    play(jobs, make, rule)


@SETTINGS
@given(jobs=jobs_of_one_gpu)
def test_who_had_least_service_runs_at_a_round(jobs):
    threshold = 60.0

    def low(job, view):
        return job.service_s(view.now_s) > threshold

    def rule(view, started, left):
        if view.now_s % 60 == 0 and started:
            running = {(low(job, view), job.number) for job in view.running.values()}
            assert all((low(job, view), job.number) > max(running) for job in left)

    play(jobs, lambda duration: Tiresias(threshold_gpu_s=threshold), rule)


@pytest.mark.parametrize("speed", [0.25, 1.0, 3.0])
def test_another_kind_of_accelerator_runs_at_its_ratio(speed):
    """A TPU or FPGA is a kind with a speed; a job that names it is not run elsewhere."""
    nodes = [NodeSpec("g", 1, "gpu"), NodeSpec("t", 1, "tpu")]
    live = [LiveJob(0, "0", 1, 0.0), LiveJob(1, "1", 1, 0.0), LiveJob(2, "2", 1, 0.0)]
    live[1].kind = live[2].kind = "tpu"
    ends = {}

    class Ends(Order):
        def ended(self, job, part, status):
            ends[job.number] = part.since_s

    physics = RigidPhysics(np.array([100.0] * 3), PUBLISHED, {"tpu": speed})
    loop = Loop(SimulatedCluster(nodes, iter(live), physics), lambda vc: Fifo(), [Ends(lambda *_: None)])
    loop.run()
    assert ends == pytest.approx({0: 100.0, 1: 100.0 / speed, 2: 200.0 / speed}, abs=1e-5)
