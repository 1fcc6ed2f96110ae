"""The measures of `duration` on answers worked out by hand, and the Mars-like set as extract reads it."""

import numpy as np
import pytest

from evals.duration import ready
from evals.durations.errors import Errors, ranks
from evals.mars import load_mars
from evals.mars.running import Request, memory_gib, play
from schedmate.errors import MissingExtra
from schedmate.history.similarity.fields import number_of
from schedmate.scheduling.estimators.user_mean import UserMean

NAN = np.nan


def errors(truth, said, low=None, high=None):
    none = np.full(len(truth), NAN)
    bounds = (none if side is None else np.array(side, float) for side in (low, high))
    return Errors(np.array(truth, float), np.array(said, float), *bounds)


def test_shares_count_as_by_hand():
    found = errors([100, 100, 100, 100], [200, 201, 1, NAN])
    assert found.within(1.0) == 0.5
    assert found.factor() == 0.25
    assert found.covered() == 0.75


def test_ranks_share_ties():
    assert ranks(np.array([5.0, 1.0, 5.0])).tolist() == [2.5, 1.0, 2.5]
    assert errors([1, 2, 3], [10, 20, 30]).spearman() == pytest.approx(1)
    assert errors([1, 2, 3], [9, 9, 9]).spearman() is None


def test_intervals_are_counted():
    assert errors([5, 50], [5, 5], [1, 1], [10, 10]).held() == 0.5
    assert errors([5], [5]).held() is None


def test_the_made_jobs_are_really_read():
    jobs = load_mars(25)
    assert len(jobs.jobs) == 25
    for read, true in zip(jobs.jobs, jobs.oracle, strict=True):
        assert read.workload.model_name == true.workload.model_name
        assert read.workload.batch_size == true.workload.batch_size
        assert number_of(read.workload, "total_steps") == number_of(true.workload, "total_steps")
    assert {past.job.status for past in jobs.jobs} >= {"completed", "failed"}
    assert all(past.metrics.throughput for past in jobs.jobs if past.job.status == "completed")


def test_a_job_that_is_too_large_runs_out_of_memory():
    from random import Random

    asked = Request("finetune", "m", "d", 8.0, 4096, 32, 16, 1000, 1, 1e-5)
    assert memory_gib(asked) > 80
    assert play(asked, Random(1)).cause == "memory"


def test_what_needs_an_absent_package_is_left_out_by_name():
    def absent():
        raise MissingExtra("the ga2m estimator", "estimators")

    possible, told = ready({"GA2M": absent, "user mean": UserMean})
    assert list(possible) == ["user mean"]
    assert told == [
        "GA2M is left out: the ga2m estimator needs the extra 'estimators'; pip install 'schedmate[estimators]'"
    ]
