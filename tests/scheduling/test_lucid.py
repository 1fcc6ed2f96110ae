"""Lucid: the fast walk against a naive one, its packing rules, and its profiling stage."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schedmate.clusters import LiveJob, NodeSpec, Profile
from schedmate.clusters.simulation.cluster import SimulatedCluster
from schedmate.clusters.simulation.cluster_spec import parse_nodes
from schedmate.clusters.simulation.job_faults import Mishaps
from schedmate.clusters.simulation.restart_cost import PUBLISHED
from schedmate.clusters.simulation.rigid_jobs import RigidPhysics
from schedmate.scheduling.estimators.table import TableEstimator
from schedmate.scheduling.loop import Loop
from schedmate.scheduling.lucid.forecasts import TableForecast
from schedmate.scheduling.parting import SpeedWatch
from schedmate.scheduling.policies.lucid import Lucid
from schedmate.scheduling.requeueing import RequeueAtOnce
from schedmate.scheduling.simulation.experiment import Experiment
from schedmate.scheduling.simulation.profiling import ProfilerSetup, profile, set_apart
from schedmate.scheduling.simulation.results import Recorder
from schedmate.scheduling.simulation.run_policy import run
from schedmate.traces.generating import generate
from tests.scheduling.conftest import Books
from tests.scheduling.reference import place

NODES = [NodeSpec(f"n{i}", 4) for i in range(2)]
SETTINGS = settings(max_examples=50)
job = st.tuples(
    st.integers(0, 100),
    st.integers(1, 120),
    st.sampled_from([1, 1, 1, 2, 2, 4, 6]),
    st.integers(1, 200),
    st.sampled_from([0, 0, 1, 2]),
    st.sampled_from([2_000, 9_000, 16_000]),
)
workloads = st.lists(job, min_size=1, max_size=14).map(lambda jobs: sorted(jobs, key=lambda job: job[0]))

ANY = Profile("m", "d", 1, 0, 50.0, 10.0, 1000.0, 0)


def live(jobs):
    for number, (submit, _, gpus, _, score, mib) in enumerate(jobs):
        one = LiveJob(number, str(number), gpus, float(submit))
        one.profile = Profile("m", "d", 1, 0, 50.0, 10.0, float(mib), score)
        yield one


def fast(jobs, sharing=True, sticky=False, forecast=None, speed=0.5, watch=None):
    submit, duration, gpus, guess = (np.array([float(job[k]) for job in jobs]) for k in range(4))
    recorder, books = Recorder(submit, duration, gpus.astype(int)), Books(NODES)
    physics = RigidPhysics(duration, PUBLISHED, interference=lambda one, beside: speed, truth=lambda number: ANY)
    cluster = SimulatedCluster(NODES, live(jobs), physics, tick_s=1.0, sticky_interference=sticky)
    estimator = TableEstimator(guess)
    loop = Loop(cluster, lambda vc: Lucid(estimator, forecast, sharing, sticky), [recorder, books], watch=watch)
    loop.run()
    assert not books.live
    return recorder


def naive(jobs, sharing, sticky):
    """Walk the whole queue and all running jobs at every second, as the published simulator does."""
    state = [
        {"n": n, "submit": s, "left": d, "gpus": g, "priority": p * g, "score": score, "mib": mib}
        for n, (s, d, g, p, score, mib) in enumerate(jobs)
    ]
    free, queue, running, end, starts = [4, 4], [], [], {}, 0
    for now in range(100_000):
        for one in running:
            one["left"] -= one["rate"]
        for one in list(running):
            if one["left"] <= 0:
                end[one["n"]] = now
                running.remove(one)
                pair = one["pair"]
                if pair is None:
                    for node, gpus in one["nodes"]:
                        free[node] += gpus
                else:
                    pair["pair"] = None
                    if not (sticky and one["start"] < pair["start"]):
                        pair["rate"], pair["alone"] = 1.0, True
        queue += [one for one in state if one["submit"] == now]
        queue.sort(key=lambda one: one["priority"])
        for one in list(queue):
            pair = None
            if sharing:
                pair = next((other for other in running if fits(one, other)), None)
            nodes = pair["nodes"] if pair else place(free, 4, one["gpus"])
            if not nodes:
                if sharing:
                    continue
                break
            starts += 1
            one |= {"nodes": nodes, "pair": pair, "start": starts, "rate": 0.5 if pair else 1.0, "alone": not pair}
            if pair:
                pair |= {"pair": one, "rate": 0.5, "alone": False}
            else:
                for node, gpus in nodes:
                    free[node] -= gpus
            queue.remove(one)
            running.append(one)
        if len(end) == len(jobs):
            return [end[n] for n in range(len(jobs))]
    raise AssertionError("the naive walk did not end")


def fits(one, other):
    return (
        other["alone"]
        and one["gpus"] == other["gpus"]
        and one["mib"] + other["mib"] < 24_576
        and one["score"] + other["score"] <= 2
        and one["priority"] <= other["priority"] * 2
    )


@pytest.mark.parametrize(("sharing", "sticky"), [(True, False), (True, True), (False, False)])
@SETTINGS
@given(jobs=workloads)
def test_equals_the_naive_walk(sharing, sticky, jobs):
    assert fast(jobs, sharing, sticky).end_s.tolist() == naive(jobs, sharing, sticky)


@SETTINGS
@given(jobs=workloads)
def test_packing_that_costs_nothing_never_hurts_the_work_done(jobs):
    recorder = fast(jobs, speed=1.0)
    assert np.array_equal(recorder.run_s, recorder.duration_s)


def test_a_quiet_forecast_switches_sharing_off():
    jobs = [(0, 100, 4, 100, 0, 2_000)] * 3
    busy, quiet = (TableForecast([rate] * 99, [9.0] * 99) for rate in (5.0, 2.0))
    assert fast(jobs, forecast=busy).first_start_s.tolist() == [0.0, 0.0, 0.0]
    assert fast(jobs, forecast=quiet).first_start_s.tolist() == [0.0, 0.0, 100.0]


def test_a_slow_newcomer_is_evicted_and_not_packed_again():
    jobs = [(0, 4000, 4, 4000, 2, 2_000), (0, 4000, 4, 4000, 2, 2_000), (1, 100, 4, 100, 0, 2_000)]
    watch = SpeedWatch(0.6, look_after_s=60)
    recorder = fast(jobs, watch=watch)
    assert watch.evicted == 1
    assert recorder.first_start_s.tolist() == [0.0, 0.0, 1.0]
    assert recorder.end_s[2] == 4000 + 70 + 40
    assert fast(jobs, watch=SpeedWatch(0.4)).preemptions.sum() == 0
    assert fast(jobs, watch=SpeedWatch(0.6, detection_rate=0.0)).preemptions.sum() == 0


def test_the_profiler_serves_the_smallest_first_and_ends_short_jobs():
    gpus, duration = [8, 1, 1, 16], np.array([500.0, 50.0, 500.0, 500.0])
    jobs = (LiveJob(n, str(n), gpus[n], 0.0) for n in range(4))
    done = profile(jobs, duration, [NodeSpec("p", 8)], ProfilerSetup(nodes=1, limit_s=200, factor=8), None)
    assert done.start_s.tolist()[:3] == [200.0, 0.0, 0.0]
    assert done.end_s.tolist()[:3] == [400.0, 50.0, 200.0]
    assert np.isnan(done.start_s[3])
    assert done.finished.tolist() == [False, True, False, False]
    assert done.gpu_s == 8 * 200 + 50 + 200


def test_the_profiler_borrows_a_node_while_many_wait_and_gives_it_back():
    jobs = (LiveJob(n, str(n), 8, 1.0) for n in range(14))
    quiet = TableForecast([1.0] * 99, [1.0] * 99)
    setup = ProfilerSetup(nodes=1, factor=8, scale_lender="v")
    done = profile(jobs, np.full(14, 500.0), [NodeSpec("p", 8)], setup, quiet)
    assert done.lends[0] == (10.0, True)
    assert done.lends[-1][1] is False
    assert done.lends[-1][0] % 100 == 0


def test_beyond_the_end_of_the_forecast_the_borrowed_node_goes_back():
    """Many were to come up to its end; of what follows nobody knows anything, and the run must end some day."""
    jobs = (LiveJob(n, str(n), 8, 1.0) for n in range(14))
    setup = ProfilerSetup(nodes=1, factor=8, scale_lender="v")
    done = profile(jobs, np.full(14, 500.0), [NodeSpec("p", 8)], setup, TableForecast([99.0] * 4, [999.0] * 4))
    assert done.lends == ((10.0, True), (1800.0, False))


def test_nodes_are_set_apart_from_the_largest_virtual_clusters():
    nodes = [NodeSpec(f"{vc}{i}", 8, "gpu", vc) for vc, count in (("a", 1), ("b", 3), ("c", 2)) for i in range(count)]
    bench, rest = set_apart(nodes, ProfilerSetup())
    assert [node.name for node in bench] == ["b2", "c1"]
    assert len(rest) == 4


def test_no_node_is_set_apart_that_the_largest_job_needs():
    trace = generate(jobs=300, seed=1)
    trace = replace(trace, gpus=np.minimum(trace.gpus, 16))
    tight = Experiment(trace=trace, nodes=tuple(parse_nodes("2x8")))
    assert tight.profiler_for("lucid") is None
    assert Experiment(trace=trace, nodes=tuple(parse_nodes("9x8"))).profiler_for("lucid").nodes == 2
    assert run(tight, "lucid").summary.profiling_gpu_h == 0


def test_nobody_is_put_beside_a_job_that_a_fault_has_ended_and_nobody_has_noticed():
    rows = [(0, 100, 1, 100, 0, 2_000), (60, 50, 1, 100, 0, 2_000)]
    duration = np.array([100.0, 50.0])
    recorder = Recorder(np.array([0.0, 60.0]), duration, np.ones(2, int))
    physics = RigidPhysics(duration, PUBLISHED, interference=lambda one, beside: 1.0, truth=lambda number: ANY)
    nodes = [NodeSpec("n", 1)]
    cluster = SimulatedCluster(nodes, live(rows), physics, mishaps=Mishaps({0: (70.0,)}))
    estimator = TableEstimator(np.full(2, 100.0))
    loop = Loop(cluster, lambda vc: Lucid(estimator), [recorder], requeueing=RequeueAtOnce(1000.0))
    loop.run()
    assert (recorder.end_s > 0).all()
    assert recorder.end_s[1] == 110.0, "it had the GPU to itself"
