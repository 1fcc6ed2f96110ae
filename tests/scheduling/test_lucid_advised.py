"""Lucid with SchedMate's parts: what it is told of jobs, whose estimates it takes, which pairs it tries."""

from dataclasses import replace

import numpy as np
import pytest

from schedmate.clusters import LiveJob, Profile
from schedmate.clusters.simulation.cluster_spec import parse_nodes
from schedmate.clusters.simulation.interference import by_load
from schedmate.clusters.simulation.likeness import Matching
from schedmate.scheduling.estimators.similar import REMEMBERED, Similar
from schedmate.scheduling.estimators.table import TableEstimator
from schedmate.scheduling.parting import TRIES, SpeedWatch
from schedmate.scheduling.policies.lucid import CAPACITY
from schedmate.scheduling.simulation.experiment import Experiment
from schedmate.scheduling.simulation.profiling import ProfilerSetup
from schedmate.scheduling.simulation.run_policy import run
from schedmate.scheduling.simulation.simulated_setup import believed
from schedmate.traces.generating import generate
from schedmate.traces.profiles import WarmUp, as_profiled, draw_profiles


@pytest.fixture(scope="module")
def base():
    trace = generate("helios", jobs=600, days=1.0, seed=3)
    trace = replace(trace, gpus=np.minimum(trace.gpus, 8))
    return Experiment(
        trace=trace,
        nodes=tuple(parse_nodes("12x8")),
        profiles=draw_profiles(trace, 3),
        accounting="honest",
        profiler=ProfilerSetup(nodes=2, lenders=("", "")),
    )


def test_a_profiler_takes_what_warms_up_for_light(base):
    profiles = base.profiles
    truth = np.array([one.gpu_util for one in profiles.configurations])[profiles.codes]
    warm_s = WarmUp(100.0).draw(len(base.trace), 1)
    seen = as_profiled(profiles, warm_s, 200.0)
    shown = np.array([one.gpu_util for one in seen.configurations])[seen.codes]
    memory = [of.configurations[0].gpu_memory_mib for of in (profiles, seen)]
    assert (shown <= truth + 1e-9).all()
    assert (shown[warm_s > 190.0] == 0).all()
    assert shown[warm_s < 10.0] == pytest.approx(truth[warm_s < 10.0])
    assert memory[0] == memory[1], "memory is taken from the start"


def test_only_a_profiler_is_deceived(base):
    warm = replace(base, warm_up=WarmUp(1e6))
    assert {one.gpu_util for one in believed(warm, "lucid").configurations} == {0.0}
    assert believed(warm, "horus") is base.profiles
    assert believed(warm, "schedmate") is None


def test_known_jobs_are_not_profiled(base):
    profiled = run(base, "lucid").summary
    spared = run(replace(base, metadata=Matching(1.0)), "lucid").summary
    assert spared.jobs == profiled.jobs
    assert 0 < spared.profiling_gpu_h < profiled.profiling_gpu_h


def asked(similar, number, ran_s, user="ann"):
    """Ask about a job, then let it end."""
    job = LiveJob(number, str(number), 1, 0.0, user, "train")
    said_s = similar.duration_s(job)
    similar.learn(job, ran_s, "completed")
    return said_s


def test_similar_jobs_are_asked_once_they_have_been_the_better_guide():
    similar = Similar(TableEstimator(np.array([100.0] * 99)))
    said = [asked(similar, number, 400.0) for number in range(6)]
    assert said[:4] == [100.0] * 4, "the first has no like, three more make the record"
    assert said[4:] == pytest.approx([200.0, 200.0]), "between 100 s and their mean of 400 s, in ratio"
    assert asked(similar, 6, 400.0, "bob") == 100.0


def test_similar_jobs_that_mislead_are_not_asked():
    similar = Similar(TableEstimator(np.array([100.0, 10_000.0] * 40)))
    said = [asked(similar, number, 10_000.0 if number % 2 else 100.0) for number in range(40)]
    assert said == [100.0, 10_000.0] * 20, "the scheduler's own estimate knows what their mean does not"


def test_similar_jobs_are_forgotten_when_a_user_does_something_else():
    similar = Similar(TableEstimator(np.array([100.0] * 99)))
    for number in range(6):
        asked(similar, number, 400.0)
    for number in range(6, 6 + REMEMBERED):
        asked(similar, number, 100.0)
    assert asked(similar, 50, 100.0) == 100.0


def test_jobs_whose_like_end_in_the_profiler_are_profiled_though_known(base):
    short = np.where(np.arange(len(base.trace)) % 2, 100.0, base.trace.duration_s)
    same = replace(base, trace=replace(base.trace, duration_s=np.full(len(base.trace), 100.0)))
    known, unknown = (run(one, "lucid").outcomes for one in (replace(same, metadata=Matching(1.0)), same))
    assert known.end_s.tolist() == unknown.end_s.tolist()
    mixed = replace(base, trace=replace(base.trace, duration_s=short))
    spared = run(replace(mixed, metadata=Matching(1.0)), "lucid").summary
    assert spared.profiling_gpu_h < run(mixed, "lucid").summary.profiling_gpu_h


def test_heavier_pairs_are_tried_as_long_as_they_go_well():
    def pair(score):
        jobs = [LiveJob(number, str(number), 1, 0.0) for number in (0, 1)]
        for one in jobs:
            one.profile = Profile("m", "d", 1, 0, 50.0, 10.0, 1000.0, score)
        return jobs

    watch = SpeedWatch(0.65)
    for _ in range(TRIES - 1):
        watch.remember(*pair(2), 0.5)
    assert watch.allows(4)
    watch.remember(*pair(2), 0.5)
    assert not watch.allows(4)
    for _ in range(TRIES):
        watch.remember(*pair(1), 0.9)
    assert watch.allows(2)


def test_pairs_above_capacity_are_packed_only_where_that_is_asked_for(base):
    heavy = replace(base, interference=by_load, evict_below=0.65, nodes=tuple(parse_nodes("3x8")))
    cautious, bold = run(heavy, "lucid").summary, run(replace(heavy, tries_pairs=True), "lucid").summary
    assert CAPACITY == 2
    assert cautious.jobs == bold.jobs
    assert bold.evictions > cautious.evictions, "what was packed too heavily is parted again"
