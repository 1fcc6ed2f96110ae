"""The ranking metrics on matrices worked out by hand."""

import numpy as np
import pytest

from evals.similarity.calibration import logistic
from evals.similarity.families import family_jobs
from evals.similarity.made_jobs import make_workloads
from evals.similarity.ranking import rank, separate

SIMILARITIES = np.array([[1, 0.9, 0.2, 0.3], [0.9, 1, 0.1, 0.95], [0.2, 0.1, 1, 0.4], [0.3, 0.95, 0.4, 1]])
CLUSTERS = ["a", "a", "", "a"]


def test_ranking_counts_as_by_hand():
    found = rank(SIMILARITIES, CLUSTERS, list("wxyz"))
    assert found.queries == 3
    assert found.precision_at_1 == 1
    assert found.map == pytest.approx((1 + 1 + (1 + 2 / 3) / 2) / 3)


def test_a_miss_is_named():
    wrong = SIMILARITIES.copy()
    wrong[0, 2] = 0.99
    found = rank(wrong, CLUSTERS, list("wxyz"))
    assert found.misses == ("w found y first",)
    assert found.mrr == pytest.approx((0.5 + 1 + 1) / 3)


def test_pairs_part():
    pairs = separate(SIMILARITIES, CLUSTERS)
    assert len(pairs.same) == 3
    assert pairs.auc() == pytest.approx(8 / 9)
    assert pairs.passing(0.9) == (pytest.approx(2 / 3), 0.0)


def test_the_fit_finds_the_even_point():
    raw = np.concatenate([np.linspace(0.1, 0.5, 200), np.linspace(0.45, 0.9, 100)])
    slope, even = logistic(raw, np.repeat([0.0, 1.0], [200, 100]))
    assert slope > 10
    assert even == pytest.approx(0.475, abs=0.02)


def test_made_jobs_are_the_same_each_time():
    assert make_workloads(4, 3, 1, held_out=True) == make_workloads(4, 3, 1, held_out=True)
    assert len(set(make_workloads(4, 3, 1, held_out=True)[1])) == 4


def test_families_are_whole():
    jobs, clusters, names = family_jobs()
    assert len(jobs) == len(clusters) == len(set(names)) == 50
    assert all(clusters.count(cluster) >= 2 for cluster in clusters)
    assert {job.is_training for job in jobs} == {True, False}
    assert all(job.model_name and job.num_gpus for job in jobs)
