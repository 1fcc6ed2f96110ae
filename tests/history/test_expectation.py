"""What past runs let one expect: medians, intervals that widen where little is known, scaling, warnings."""

import pytest

from schedmate.history.expectation import (
    Evidenced,
    estimate_from,
    resubmissions,
    scale_between,
    similar_jobs,
    told_by_ends,
    weighted_median,
)
from schedmate.history.similarity.comparing import Likeness
from schedmate.history.warnings import warn
from schedmate.schemas import Diagnosis, Estimate, Hardware, Job, Metrics, PastJob, Workload


def past(ran_s=100.0, status="completed", batch=None, failure="", **more):
    diagnosis = Diagnosis(category="script", failure_id=failure) if failure else None
    workload = Workload(batch_size=batch) if batch else None
    return PastJob(job=Job(job_id="j", status=status), ran_s=ran_s, workload=workload, diagnosis=diagnosis, **more)


def test_one_run_has_a_wide_interval_and_many_equal_ones_a_narrow_one():
    one = estimate_from(resubmissions([past()]), "resubmission")
    many = estimate_from(resubmissions([past()] * 10), "resubmission")
    assert one.duration_p50_s == many.duration_p50_s == 100
    assert one.duration_p90_s > 1.5 * many.duration_p90_s / 1.2 > 100
    assert many.duration_p90_s < 150


def test_runs_that_disagree_widen_it():
    apart = estimate_from(resubmissions([past(ran_s) for ran_s in (10, 100, 1000, 10_000)]), "resubmission")
    assert apart.duration_p90_s > 2000


def test_the_median_follows_weights():
    assert weighted_median([(1.0, 1.0), (2.0, 1.0)]) == 1.5
    assert weighted_median([(1.0, 1.0), (2.0, 5.0), (9.0, 1.0)]) == 2.0


def test_chances_lie_between_what_was_seen_and_what_is_usual():
    mixed = estimate_from(resubmissions([past(status="failed"), past(status="failed"), past()]), "resubmission")
    assert 0.5 < mixed.p_failure < 0.8
    assert 0 < mixed.p_cancel < 0.2
    assert estimate_from(resubmissions([past(status="unknown")]), "resubmission").p_failure is None


def test_resources_are_means_of_what_was_measured():
    seen = [
        past(hardware=Hardware(gpu_util=0.5), metrics=Metrics(throughput=10, throughput_unit="samples/s")),
        past(hardware=Hardware(gpu_memory_gib=30)),
        past(),
    ]
    said = estimate_from([Evidenced(one, 1.0) for one in seen], "similar")
    assert (said.gpu_util, said.gpu_memory_gib, said.throughput) == (0.5, 30, 10)
    assert said.throughput_unit == "samples/s"


@pytest.mark.parametrize(
    ("now", "then", "factor"),
    [
        ({"total_steps": 200}, {"total_steps": 100}, 2.0),
        ({"epochs": 9}, {"epochs": 3}, 3.0),
        ({"epochs": 9, "global_batch_size": 64}, {"epochs": 9, "global_batch_size": 32}, 1.0),
        ({"epochs": 9}, {}, 1.0),
        ({"total_steps": 10**9}, {"total_steps": 1}, 100.0),
    ],
)
def test_durations_are_scaled_by_what_both_know(now, then, factor):
    assert scale_between(Workload(**now), Workload(**then)) == pytest.approx(factor)


def test_more_gpus_shorten_less_than_in_proportion():
    assert 0.5 < scale_between(Workload(num_gpus=8), Workload(num_gpus=4)) < 0.65


def warnings(jobs, workload=None, estimate=None, gpus=1.0):
    return warn([Evidenced(one, 1.0) for one in jobs], workload, estimate or Estimate(), gpus)


def test_running_out_of_memory_is_told_with_the_batch():
    jobs = [past(failure="cuda.out_of_memory", batch=16), past(failure="cuda.out_of_memory", batch=16), past()]
    told = warnings(jobs, Workload(batch_size=8))
    assert told == ("2 of 3 ran out of GPU memory; they used batch_size 16, this one uses 8",)


def test_other_ends_are_told():
    assert warnings([past(failure="script.key_error"), past()]) == ("1 of 2 failed: script.key_error (1)",)
    assert warnings([past(7200.0, status="timeout"), past()]) == ("1 of 2 were ended by their time limit, after 2.0 h",)
    assert warnings([past(status="cancelled"), past(status="cancelled")]) == ("2 of 2 were cancelled",)
    assert warnings([past(status="failed")]) == ("1 of 1 failed; no log of theirs was diagnosed",)
    assert "10% busy" in warnings([], None, Estimate(gpu_util=0.1))[0]
    assert warnings([past(), past()]) == ()


def similar_to(batch, *found):
    """Estimate a job of a batch from others of its model: pairs of batch, duration and failure."""
    now = Workload(model_name="m", batch_size=batch, total_steps=2000)
    pairs = [
        (
            past(ran_s, failure=failure, status="failed" if failure else "completed").model_copy(
                update={"workload": Workload(model_name="m", batch_size=size, total_steps=1000)}
            ),
            Likeness(1.0, 1.0, (), ()),
        )
        for size, ran_s, failure in found
    ]
    return estimate_from(similar_jobs(now, pairs), "similar")


def test_what_ran_out_of_memory_tells_how_soon_that_happens_to_who_needs_as_much():
    same = similar_to(8, (8, 100, "cuda.out_of_memory"))
    assert same.duration_p50_s == 100  # twice the steps take no longer to fail
    assert similar_to(16, (8, 100, "cuda.out_of_memory"), (4, 5000, "")).duration_p50_s == 100


def test_who_got_through_shows_that_memory_may_suffice():
    found = [(8, 5000, ""), (8, 5000, ""), (8, 100, "cuda.out_of_memory")]
    assert similar_to(8, *found).duration_p50_s == 10_000
    assert similar_to(16, *found).duration_p50_s == 100, "these needed less"


def test_what_ran_out_of_memory_is_nothing_to_who_needs_less():
    assert similar_to(4, (8, 100, "cuda.out_of_memory"), (4, 5000, "")).duration_p50_s == 10_000
    assert similar_to(4, (8, 100, "cuda.out_of_memory")).duration_p50_s == 100  # where nothing else is known


@pytest.mark.parametrize(
    ("cancelled_s", "mean_s"),
    [
        (10.0, 100.0),  # it was on its way to the same
        (700.0, 300.0),  # it took longer than the others, by at least so much
    ],
)
def test_a_cancelled_run_is_a_bound_from_below(cancelled_s, mean_s):
    runs = [past(), past(cancelled_s, status="cancelled"), past(status="failed")]
    assert estimate_from(told_by_ends(resubmissions(runs)), "resubmission").duration_mean_s == mean_s


def test_cancelled_runs_alone_are_no_bound_of_anything():
    assert not any(one.tells_duration for one in told_by_ends(resubmissions([past(status="cancelled")])))
