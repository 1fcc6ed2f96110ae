"""EASY backfilling: who may go ahead of the first in the queue, and that it is delayed in no way."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schedmate.clusters import LiveJob, NodeSpec
from schedmate.clusters.simulation.cluster import SimulatedCluster
from schedmate.clusters.simulation.cluster_spec import parse_nodes
from schedmate.clusters.simulation.rigid_jobs import RigidPhysics
from schedmate.scheduling.estimators.table import TableEstimator
from schedmate.scheduling.loop import Loop
from schedmate.scheduling.policies.easy import Easy
from schedmate.scheduling.policies.fifo import Fifo
from schedmate.scheduling.simulation.experiment import Experiment
from schedmate.scheduling.simulation.results import Recorder
from schedmate.scheduling.simulation.run_policy import run
from schedmate.traces.generating import generate
from schedmate.traces.limits import USUAL_S, limits_of
from tests.scheduling.conftest import Books

NODES = [NodeSpec("a", 4), NodeSpec("b", 4)]
workloads = st.lists(
    st.tuples(st.integers(0, 200), st.integers(1, 200), st.sampled_from([1, 2, 4, 4, 8])), min_size=1, max_size=14
).map(lambda jobs: sorted(jobs, key=lambda job: job[0]))


def play(jobs, policy):
    submit, duration, gpus = (np.array([job[column] for job in jobs], float) for column in range(3))
    live = [LiveJob(number, str(number), int(gpus[number]), submit[number]) for number in range(len(jobs))]
    recorder, books = Recorder(submit, duration, gpus.astype(int)), Books(NODES)
    Loop(
        SimulatedCluster(NODES, iter(live), RigidPhysics(duration)), lambda vc: policy(duration), [recorder, books]
    ).run()
    assert len(books.done) == len(jobs)
    return recorder.first_start_s.tolist()


def easy(duration):
    return Easy(TableEstimator(duration))


def test_who_is_gone_in_time_goes_ahead():
    # Four GPUs are held until 100; the second wants all eight, the third is gone by then, the fourth is not.
    jobs = [(0, 100, 4), (1, 50, 8), (2, 90, 4), (3, 120, 4)]
    assert play(jobs, easy) == [0, 100, 2, 150]
    assert play(jobs, lambda duration: Fifo()) == [0, 100, 150, 150]


def test_who_needs_no_kept_node_goes_ahead_however_long():
    # The first in the queue wants one whole node: that which comes free at 50; the other has room for the long one.
    jobs = [(0, 50, 4), (0, 500, 2), (1, 50, 4), (2, 900, 2)]
    assert play(jobs, easy) == [0, 0, 50, 2]


def test_limits_that_are_too_long_keep_jobs_back():
    jobs = [(0, 100, 4), (1, 50, 8), (2, 90, 4)]
    assert play(jobs, lambda duration: Easy(TableEstimator(10 * duration))) == [0, 100, 2]
    assert play(jobs, lambda duration: Easy(TableEstimator(duration + np.array([0, 0, 1000.0])))) == [0, 100, 150]


@settings(max_examples=60)
@given(workloads)
def test_with_true_limits_the_first_to_wait_starts_no_later_than_in_turn(jobs):
    ahead, in_turn = play(jobs, easy), play(jobs, lambda duration: Fifo())
    waited = [number for number, job in enumerate(jobs) if in_turn[number] > job[0]]
    if waited:
        assert ahead[waited[0]] <= in_turn[waited[0]]


def test_a_trace_is_played_with_the_limits_that_it_tells():
    trace = generate("helios", jobs=400, days=0.5, seed=2)
    trace = replace(trace, gpus=np.minimum(trace.gpus, 8))
    assert set(limits_of(trace)) <= {*USUAL_S, *trace.duration_s}
    assert (limits_of(trace) >= trace.duration_s).all()
    told = replace(trace, limit_s=np.where(np.arange(400) % 2, np.nan, trace.duration_s + 60.0))
    assert limits_of(told)[::2] == pytest.approx(trace.duration_s[::2] + 60.0)
    base = Experiment(trace=trace, nodes=tuple(parse_nodes("6x8")))
    queue_s = {policy: run(base, policy).summary.avg_queue_s for policy in ("fifo", "easy")}
    assert queue_s["easy"] < queue_s["fifo"]
