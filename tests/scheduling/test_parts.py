"""The parts that are plugged in: packing tree, throughput model, profiler, failure handler, order of ties."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schedmate.clusters.simulation.cluster_spec import parse_nodes
from schedmate.errors import InputError
from schedmate.scheduling.lucid.arrival_model import DAY, WEEK, features, learn_forecast
from schedmate.scheduling.lucid.packing_tree import TreeNode, features_of, judge, scores_of_pairs, train
from schedmate.scheduling.simulation.experiment import Experiment, Faults
from schedmate.scheduling.simulation.profiling import ProfilerSetup
from schedmate.scheduling.simulation.run_policy import run
from schedmate.scheduling.simulation.sweep import fingerprint
from schedmate.traces.generating import generate
from schedmate.traces.profiles import Configuration, Profiles, draw_profiles
from schedmate.traces.reshaping import shuffle_ties


def configuration(util, score, mib=2_000.0, amp=0):
    return Configuration("m", "d", int(util), amp, util, util / 2, mib, score)


def test_the_tree_finds_the_question_that_parts_the_scores():
    heavy = [configuration(util, 2) for util in (91.0, 95.0, 99.0)]
    light = [configuration(util, 0) for util in (5.0, 12.0, 20.0)]
    tree = train([*heavy, *light])
    assert (tree.feature, tree.threshold) == (1, (20.0 + 91.0) / 2)
    assert [tree.decide(features_of(configuration(util, -1))) for util in (1.0, 50.0, 60.0, 100.0)] == [0, 0, 2, 2]


scored = st.lists(st.tuples(st.floats(0, 100), st.integers(0, 2), st.floats(500, 24_000)), min_size=1, max_size=30)


@settings(max_examples=60)
@given(rows=scored)
def test_the_tree_knows_what_it_was_taught(rows):
    """Whatever it is taught, it errs only where equal measurements have different scores."""
    cases = [configuration(util, score, mib) for util, score, mib in rows]
    tree = train(cases)
    taught = {}
    for one in cases:
        taught.setdefault(tuple(features_of(one)), set()).add(one.score)
    wrong = [one for one in cases if tree.decide(features_of(one)) not in taught[tuple(features_of(one))]]
    # A single row that no one threshold sets apart profitably may be pruned; it is never most of them.
    assert len(wrong) <= len(cases) // 3


def test_without_labels_there_is_no_tree():
    with pytest.raises(InputError, match="no configuration has a sharing score"):
        train([configuration(5.0, -1)])


def test_scores_follow_the_mean_speed_beside_others():
    a, b, c = (("m", "d", i, 0) for i in range(3))
    pairs = {(a, b): 0.99, (a, c): 0.97, (b, a): 0.9, (b, c): 0.94, (c, a): 0.6, (c, b): 0.9}
    assert scores_of_pairs(pairs) == {a: 0, b: 1, c: 2}


def test_profiles_are_judged_by_the_tree():
    profiles = Profiles((configuration(5.0, -1), configuration(99.0, 0)), np.array([0, 1, 1], np.int32))
    judged = judge(profiles, TreeNode(0, 1, 50.0, TreeNode(0), TreeNode(2)))
    assert [one.score for one in judged.configurations] == [0, 2]
    assert judged.codes.tolist() == [0, 1, 1]


@pytest.fixture(scope="module")
def month():
    return generate(jobs=8_000, days=28, seed=3)


def test_the_throughput_model_beats_the_mean_and_never_looks_ahead(month):
    told = np.array(learn_forecast(month).jobs)
    came = np.bincount((month.submit_s // 600).astype(int))
    assert np.isnan(told[:WEEK]).all()
    later = slice(WEEK, None)
    assert ((told[later] - came[later]) ** 2).mean() < 0.9 * came[later].var()
    cut = month.rows(month.submit_s < (2 * WEEK + 3 * DAY) * 600)
    known = 2 * WEEK + 2 * DAY
    assert learn_forecast(cut).jobs[:known] == pytest.approx(told[:known].tolist(), nan_ok=True)


def test_what_the_model_sees_of_a_bin_is_an_hour_old():
    series = [np.arange(400.0), np.arange(400.0)]
    before = features(series)
    series[0][300:] += 1_000.0
    after = features(series)
    assert all((one[:306] == two[:306]).all() for one, two in zip(before, after, strict=True))


def experiment(month, **options):
    jobs = month.rows(np.arange(600))
    return Experiment(trace=replace(jobs, gpus=np.minimum(jobs.gpus, 8)), nodes=tuple(parse_nodes("6x8")), **options)


def test_who_is_known_need_not_be_profiled(month):
    every, new, none = (
        run(experiment(month, profiler=setup), "lucid").summary
        for setup in (ProfilerSetup(), ProfilerSetup(known=True), None)
    )
    assert every.profiling_gpu_h > new.profiling_gpu_h > none.profiling_gpu_h == 0


def test_jobs_that_lose_their_node_are_queued_again_or_given_up(month):
    faults = Faults(mean_up_s=20_000.0, repair_s=600.0)
    again, gone = (
        run(experiment(month, faults=replace(faults, requeue=requeue)), "fifo").outcomes for requeue in (True, False)
    )
    assert (again.run_s >= again.duration_s - 1e-6).all()
    assert (gone.run_s < gone.duration_s - 1e-6).any()
    assert np.isfinite(gone.end_s).all()


def test_the_oracle_predicts_better_than_history(month):
    history, oracle = (run(experiment(month, estimator=name), "qssf").summary for name in ("history", "oracle"))
    assert oracle.avg_jct_s <= history.avg_jct_s


def test_an_estimator_that_learned_before_starts_with_more(month):
    plain, taught = (run(experiment(month, estimator="user_mean", before=before), "qssf") for before in (None, month))
    assert taught.summary.avg_jct_s != plain.summary.avg_jct_s
    assert taught.summary.jobs == plain.summary.jobs


def test_ties_can_be_shuffled_and_nothing_else(month):
    tied = replace(month, submit_s=np.floor(month.submit_s / 7200) * 7200)
    mixed = shuffle_ties(tied, 1)
    assert mixed.submit_s.tolist() == tied.submit_s.tolist()
    assert mixed.job_id.tolist() != tied.job_id.tolist()
    assert sorted(mixed.job_id.tolist()) == sorted(tied.job_id.tolist())
    assert shuffle_ties(tied, 1).job_id.tolist() == mixed.job_id.tolist()


def test_every_part_has_a_say_in_a_runs_name(month):
    base = experiment(month)
    profiles = draw_profiles(base.trace, 1)
    others = [
        replace(base, estimator="oracle"),
        replace(base, profiler=ProfilerSetup(known=True)),
        replace(base, faults=Faults(1e5, requeue=False)),
        replace(base, profiles=profiles),
        replace(base, profiles=replace(profiles, codes=profiles.codes[::-1].copy())),
        replace(base, forecast=learn_forecast(base.trace)),
        replace(base, interference=lambda job, partner: 1.0),
    ]
    names = [fingerprint(one, "lucid", 0) for one in (base, *others)]
    assert len(set(names)) == len(names)
