"""What the live policy ranks by: the mean of the three most similar jobs, through a restart too."""

import time

import pytest

from schedmate.clusters import LiveJob
from schedmate.history.expectation import estimate_from, resubmissions
from schedmate.history.live import LiveStore
from schedmate.history.live_rows import Submission
from schedmate.scheduling.live.estimates import LiveEstimates
from schedmate.scheduling.live.learning import past_job
from schedmate.schemas import Estimate, Hardware, Job, PastJob


@pytest.fixture
def store(tmp_path):
    opened = LiveStore(tmp_path)
    yield opened
    opened.close()


def run(number, ran_s):
    return PastJob(job=Job(job_id=f"j{number}", status="completed"), ran_s=ran_s)


def submitted(store, name="n"):
    return store.submit(Submission(("true",), "/", {}, user="u", name=name), name, time.time())


def test_the_latest_three_count_alike_and_older_ones_not():
    estimate = estimate_from(
        resubmissions([run(number, ran_s) for number, ran_s in enumerate((10, 20, 60, 9000))]), "resubmission"
    )
    assert estimate.duration_mean_s == 30.0
    assert estimate_from([], "resubmission").duration_mean_s is None


def test_the_mean_ranks_and_the_median_stands_in(store):
    estimates = LiveEstimates(store)
    job = LiveJob(0, "1", 1, 0.0, "u", "n")
    assert estimates.duration_s(job) == estimates.fallback.first_guess_s
    assert estimates.answer(0, Estimate(duration_p50_s=50.0))
    assert estimates.duration_s(job) == 50.0
    assert estimates.answer(0, Estimate(duration_p50_s=50.0, duration_mean_s=80.0))
    assert not estimates.answer(0, Estimate(duration_p50_s=1.0, duration_mean_s=80.0)), "no news"
    assert not estimates.answer(0, Estimate())
    assert estimates.duration_s(job) == 80.0
    estimates.learn(job, 90.0, "completed")
    assert estimates.duration_s(LiveJob(1, "2", 1, 0.0, "u", "n")) == 90.0


def test_what_was_answered_outlives_the_loop(store):
    number = submitted(store)
    store.update(number, estimate=Estimate(duration_mean_s=80.0, duration_p50_s=50.0).model_dump_json())
    assert LiveEstimates(store).duration_s(LiveJob(number, str(number), 1, 0.0, "u", "n")) == 80.0


def test_what_was_measured_goes_into_the_history(store):
    number = submitted(store)
    measured = Hardware(gpu_util=0.4, gpu_memory_gib=9.0)
    assert past_job(store.job(number), store).hardware is None
    store.update(number, hardware=measured.model_dump_json())
    assert past_job(store.job(number), store).hardware == measured
