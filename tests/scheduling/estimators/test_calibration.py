"""Means that are right on average, intervals that hold what they promise, whatever the mixture believes."""

import math
from random import Random

import pytest

from schedmate.scheduling.estimators.best import NEW, Best, met
from schedmate.scheduling.estimators.calibration import BEYOND, LEAST_MOVED, MOST_MOVED, Calibration
from schedmate.schemas import Job, PastJob


def test_nothing_is_changed_before_anything_has_ended():
    fresh = Calibration()
    assert fresh.mean_s(300.0) == pytest.approx(300.0)
    assert fresh.ends(1.0, 2.0, 3.0) == (1.0, 3.0)


def test_a_mean_is_what_such_jobs_took():
    learned, draw = Calibration(), Random(1)
    for _ in range(4_000):
        # Of the jobs said to take minutes one in fifty takes a day; those said to take ten hours do.
        learned.learn(300.0, (0, 20), math.log(86_400 if draw.random() < 0.02 else 200))
        learned.learn(36_000.0, (0, 20), math.log(36_000))
    assert learned.mean_s(300.0) == pytest.approx(0.98 * 200 + 0.02 * 86_400, rel=0.2)
    assert learned.mean_s(36_000.0) == pytest.approx(36_000, rel=0.05)


@pytest.mark.parametrize("width", [0.1, 0.5, 1.2])
def test_one_in_ten_lies_beyond_each_end(width):
    learned, draw = Calibration(), Random(2)
    beyond = [0, 0]
    for number in range(6_000):
        truth = 6 + draw.gauss(0, 1)
        low, high = learned.ends(6 - width, 6.0, 6 + width)
        if number >= 1_000:
            beyond[0] += truth < low
            beyond[1] += truth > high
        learned.learn(400.0, (low, high), truth)
    assert [count / 5_000 for count in beyond] == pytest.approx([BEYOND, BEYOND], abs=0.02)


def test_an_interval_is_narrowed_a_little_and_does_not_grow_for_ever():
    learned = Calibration()
    for _ in range(1_000):
        learned.learn(60.0, (0.0, 20.0), 5.0)
    assert learned.ends(4.0, 5.0, 6.0) == (4.0 - LEAST_MOVED, 6.0 + LEAST_MOVED)
    for _ in range(1_000):
        learned.learn(60.0, (9.0, 1.0), 5.0)
    assert learned.moved[False] == (MOST_MOVED, MOST_MOVED)


def test_new_users_have_intervals_of_their_own():
    learned = Calibration()
    for _ in range(100):
        learned.learn(60.0, (4.0, 5.0), 9.0, is_new=True)
        learned.learn(60.0, (0.0, 20.0), 5.0)
    assert learned.ends(4.0, 5.0, 6.0, is_new=True)[1] > 8.0
    assert learned.ends(4.0, 5.0, 6.0)[1] <= 6.0


def test_who_has_ended_few_jobs_is_new_to_best():
    best = Best(trees=False)
    for number in range(NEW):
        job = Job(job_id=str(number), user="ann", gpus=1, submit_s=number * 10.0, status="completed")
        best.estimate(job)
        best.begin(job)
        assert best.open[job.job_id].is_new
        best.learn(PastJob(job=job, ran_s=300.0))
    known = Job(job_id="known", user="ann", gpus=1, submit_s=1e4)
    best.begin(known)
    assert not best.open["known"].is_new


def test_the_mean_of_best_counts_what_is_rare_and_long():
    """All jobs take five minutes as a rule, one in ten a day: three hours on average."""
    best, draw = Best(trees=False), Random(3)
    for number in range(1_200):
        job = Job(job_id=str(number), user=f"user{number % 5}", gpus=1, submit_s=number * 10.0)
        best.begin(job)
        ran_s = 86_400.0 if draw.random() < 0.1 else 300.0
        best.learn(PastJob(job=job.model_copy(update={"status": "completed"}), ran_s=ran_s))
    said = best.estimate(Job(job_id="new", user="user1", gpus=1, submit_s=1e5))
    assert said.duration_p50_s == pytest.approx(300, rel=0.2)
    assert said.duration_mean_s == pytest.approx(0.1 * 86_400 + 270, rel=0.4)


def test_jobs_that_nobody_asked_about_teach_too():
    """A queue asks only about jobs that wait; the ends of the others count all the same."""
    best = Best(trees=False)
    for number in range(60):
        job = Job(job_id=str(number), user="ann", gpus=1, submit_s=number * 10.0, status="completed")
        best.learn(PastJob(job=job, ran_s=300.0))
    assert best.calibration.counts.sum() == pytest.approx(59)
    assert best.estimate(Job(job_id="new", user="ann", gpus=1, submit_s=1e4)).duration_p50_s == pytest.approx(
        300, rel=0.1
    )


def test_trees_that_agree_leave_the_middle_alone_and_those_that_do_not_draw_it_to_them():
    assert met(6.0, math.nan) == 6.0
    assert met(6.0, 6.3) == pytest.approx(6.0, abs=0.01)
    assert 8.5 < met(6.0, 11.0) < 9.0
    assert 2.0 < met(6.0, 1.0) < 3.5


def test_a_new_user_is_told_by_what_he_has_sent_not_by_what_has_ended():
    best = Best(trees=False)
    first = Job(job_id="", user="ada", gpus=1, submit_s=0.0)
    best.learn(PastJob(job=first.model_copy(update={"job_id": "old", "user": "bob"}), ran_s=60.0))
    for number in range(NEW + 1):
        best.begin(first.model_copy(update={"job_id": f"j{number}"}))
    assert best.open["j0"].is_new
    assert best.open[f"j{NEW - 1}"].is_new
    assert not best.open[f"j{NEW}"].is_new
