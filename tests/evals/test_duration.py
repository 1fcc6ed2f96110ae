"""The measures of `duration` on answers worked out by hand, and the Mars-like set as extract reads it."""

import numpy as np
import pytest

from evals.duration import FIRST, by_past, ready
from evals.durations.bounds import bounds, means
from evals.durations.errors import Errors, ranks
from evals.durations.job_set import JobSet
from evals.mars import load_mars
from evals.mars.running import Request, memory_gib, play
from schedmate.errors import MissingExtra
from schedmate.history.similarity.fields import number_of
from schedmate.scheduling.estimators.user_mean import UserMean
from schedmate.schemas import Job, PastJob

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


def sent(count, user="ada"):
    jobs = [Job(job_id=f"{user}{number}", user=user, gpus=1, submit_s=100.0 * number) for number in range(count)]
    return [PastJob(job=job, ran_s=60.0 if number % 2 else 600.0) for number, job in enumerate(jobs)]


def test_users_first_jobs_are_counted_apart():
    jobs = sent(FIRST + 10)
    high = [100.0] * FIRST + [1000.0] * 10
    truth = [past.ran_s for past in jobs]
    table = by_past(jobs, {"x": errors(truth, high, [1.0] * len(jobs), high)})
    assert table.rows[0][1:3] == [0.5, 1.0]


def test_a_mean_that_leaves_itself_out_says_nothing_of_itself():
    place, asked = np.array([0.1, 0.5, 0.9]), np.array([True, True, True])
    keys = [("a",), ("a",), ("b",)]
    assert means(keys, place, asked, with_itself=True).tolist() == pytest.approx([0.3, 0.3, 0.9])
    assert means(keys, place, asked, with_itself=False).tolist() == pytest.approx([0.5, 0.1, 0.5])


def test_what_sees_the_future_orders_a_users_habit_and_trees_that_do_not_see_it_do_too():
    pytest.importorskip("lightgbm")
    jobs = sorted(sent(300) + sent(300, "bob"), key=lambda past: past.job.submit_s)
    jobs = [past.model_copy(update={"ran_s": past.ran_s * (30 if past.job.user == "bob" else 1)}) for past in jobs]
    counted, left_out, peeking, honest = dict(bounds(JobSet("made", jobs, 15_000.0, "")).rows).values()
    assert left_out < counted, "who is left out of a mean of two kinds is told the other"
    assert min(peeking, honest) > max(0.85, counted), "trees see which kind the last was"


def test_nobody_knows_more_of_the_made_jobs_than_their_law():
    jobs = load_mars(25)
    (law,) = jobs.published.values()
    assert set(law) == {past.job.job_id for past in jobs.jobs}
    evened = [past for past in jobs.jobs if past.job.status == "completed"]
    assert np.median([abs(np.log(law[past.job.job_id] / past.ran_s)) for past in evened]) < 0.5
