"""All estimators keep to one Protocol, learn nothing before it has happened, and say what they rest on."""

import math
import threading

import numpy as np
import pytest

from schedmate.clusters import LiveJob
from schedmate.errors import InputError
from schedmate.models.embedders.built_in import open_built_in
from schedmate.scheduling.estimators import ga2m
from schedmate.scheduling.estimators.catalogue import ESTIMATORS, open_estimator
from schedmate.scheduling.estimators.history_mean import HistoryMean
from schedmate.scheduling.estimators.live import LiveEstimator
from schedmate.scheduling.estimators.replay import replay
from schedmate.scheduling.estimators.retraining import Retraining
from schedmate.schemas import Job, PastJob, Workload

DAY_S = 86_400.0
LLAMA = Workload(
    is_training=True, model_name="llama-3-8b", dataset_name="alpaca", task_fine="instruction tuning", epochs=3
)


def past(number, *, user="ada", gpus=1, at_s=None, ran_s=100.0, status="completed", command="", workload=None):
    at_s = 1000.0 * number if at_s is None else at_s
    job = Job(job_id=f"j{number}", user=user, gpus=gpus, submit_s=at_s, status=status, command=command)
    return PastJob(job=job, ran_s=ran_s, workload=workload)


def opened(name, **more):
    return open_estimator(name, embedder=open_built_in(), in_background=False, **more)


def two_users(count):
    draw = np.random.default_rng(3)
    for number in range(count):
        user, usual = ("ada", 60.0) if number % 2 else ("bob", 7200.0)
        yield past(number, user=user, at_s=DAY_S / 60 * number, ran_s=usual * math.exp(draw.normal(0, 0.2)))


@pytest.mark.parametrize("name", [name for name in ESTIMATORS if name != "oracle"])
def test_each_tells_users_apart_or_says_that_it_cannot(name, monkeypatch):
    monkeypatch.setattr(ga2m, "ROUNDS", 60)
    estimator = opened(name)
    answers = list(replay(two_users(260), [estimator]))
    late = answers[-40:]
    if name == "advisor":
        assert all(said[0].duration_p50_s is None and said[0].notes for _, said in late)
        return
    ratios = [abs(math.log(said[0].duration_p50_s / one.duration_s)) for one, said in late]
    assert np.median(ratios) < math.log(2)


def test_an_end_teaches_when_it_has_passed_and_not_before():
    estimator = opened("best", trees=False)
    jobs = [past(0, at_s=0, ran_s=5000), past(1, at_s=4999), past(2, at_s=5001)]
    said = [estimates[0] for _, estimates in replay(jobs, [estimator])]
    assert [one.rests_on for one in said] == [(), (), ("j0",)]


def test_asking_changes_nothing():
    estimator = opened("best", trees=False)
    list(replay(two_users(60), [estimator]))
    job = Job(job_id="new", user="ada", gpus=1, submit_s=10 * DAY_S)
    assert estimator.estimate(job) == estimator.estimate(job)


@pytest.mark.parametrize("name", ["advisor", "best"])
def test_runs_of_the_same_thing_come_first_then_similar_jobs(name):
    estimator = opened(name, trees=False)
    jobs = [past(n, command="python train.py --lr 1", workload=LLAMA, ran_s=500.0) for n in range(6)]
    list(replay([*jobs, past(9, user="bob")], [estimator]))
    again = estimator.estimate(Job(job_id="a", user="ada", gpus=1, command="python train.py --lr 1", submit_s=DAY_S))
    other = estimator.estimate(Job(job_id="b", user="eve", gpus=1, command="python x.py", submit_s=DAY_S), LLAMA)
    assert (again.source, other.source) == ("resubmission", "similar")
    assert again.duration_p50_s == pytest.approx(500, rel=0.1)
    assert other.duration_p50_s == pytest.approx(500, rel=0.4)
    assert len(other.rests_on) == 3
    assert estimator.estimate(Job(job_id="c", user="eve", gpus=64, submit_s=DAY_S)).source == "fallback"


def test_a_longer_job_of_a_kind_is_expected_to_take_longer():
    estimator = opened("advisor")
    for number in range(3):
        estimator.learn(past(number, workload=LLAMA, ran_s=600.0))
    longer = LLAMA.model_copy(update={"epochs": 9})
    said = estimator.estimate(Job(job_id="x", user="eve"), longer)
    assert said.duration_p50_s == pytest.approx(1800, rel=0.01)


@pytest.mark.parametrize("name", [name for name in ESTIMATORS if name != "oracle"])
def test_odd_pasts_do_no_harm(name):
    estimator = opened(name)
    for number, ran_s in enumerate([-5.0, None, 0.0, 1e12]):
        estimator.learn(past(number, ran_s=ran_s))
    said = estimator.estimate(Job(job_id="x", user="ada"))
    assert said.duration_p50_s is None or (said.duration_p50_s >= 0 and math.isfinite(said.duration_p50_s))


def test_the_oracle_knows():
    assert opened("oracle", truth_s={"j1": 77.0}).estimate(Job(job_id="j1")).duration_p50_s == 77.0


def test_an_unknown_name_lists_the_known():
    with pytest.raises(InputError, match="no estimator"):
        open_estimator("crystal ball")


def test_a_policy_may_ask_any():
    live = LiveEstimator(opened("user_mean"))
    first = LiveJob(0, "a", 1, 0.0, user="ada")
    live.duration_s(first)
    live.learn(first, 50.0, "COMPLETED")
    assert live.duration_s(LiveJob(1, "b", 1, 10.0, user="ada")) == 50.0


def test_training_never_blocks_a_decision():
    release, trained = threading.Event(), []

    def train(rows, targets):
        release.wait(10)
        trained.append(len(rows))
        return

    retraining = Retraining(train, every_s=10, at_least=2)
    for number in range(3):
        retraining.add(number, float(number))
    retraining.tick(0.0)
    retraining.tick(50.0)
    assert not trained, "the thread still waits, and no second one was started"
    release.set()
    retraining.thread.join(10)
    assert trained == [3]


def test_training_waits_until_it_is_due():
    retraining = Retraining(lambda rows, targets: None, every_s=100, at_least=1, in_background=False)
    retraining.add(1, 1.0)
    for at_s in (0.0, 50.0, 99.0, 100.0, 150.0):
        retraining.tick(at_s)
    assert retraining.trainings == 2


def test_only_ends_of_their_own_teach_what_a_job_takes_live_as_in_the_simulator():
    job = LiveJob(1, "", 1, 0.0, "ada", "train")
    means = HistoryMean()
    for took_s, status in ((100.0, "completed"), (3.0, "CANCELLED"), (5.0, "failed"), (0.0, "killed"), (200.0, "")):
        means.learn(job, took_s, status)
    assert means.duration_s(job) == 150.0


def test_the_latest_three_of_a_request_count_and_all_of_a_user_where_none_was_like_it():
    job, other = LiveJob(1, "", 1, 0.0, "ada", "train"), LiveJob(2, "", 8, 0.0, "ada", "train")
    means = HistoryMean()
    for took_s in (9000.0, 10.0, 20.0, 60.0):
        means.learn(job, took_s, "completed")
    assert means.duration_s(job) == 30.0
    assert means.duration_s(other) == 2272.5
