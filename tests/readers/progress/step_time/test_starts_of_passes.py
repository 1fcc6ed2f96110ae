"""Passes of which each begins slow, whole passes that a log leaves out, and a print too coarse to tell anything."""

import pytest

from schedmate import Tracker


def read(rows, **options):
    tracker = Tracker("job.log", **options)
    tracker.feed("".join(f"{row}\n" for row in rows).encode(), now_s=0)
    return tracker.metrics()


def clock(second):
    return f"2031-04-05 {10 + int(second) // 3600:02d}:{int(second) // 60 % 60:02d}:{second % 60:06.3f}"


def passes(times, per_pass=2):
    return read(
        (
            f"Epoch [{1 + at // per_pass}][{10 + 10 * (at % per_pass)}/25] loss: {2 - at / 9:.3f}, {time:.3f} s/it"
            for at, time in enumerate(times)
        ),
        formats=(),
    ).step_time_s


def test_the_first_times_of_passes_that_are_all_slower_are_left_out():
    assert passes([1.2, 0.4, 0.8]) == pytest.approx(0.4)
    assert passes([0.9, 0.31, 0.6, 0.33, 0.7]) == pytest.approx(0.32, abs=0.011)


def test_first_times_of_passes_like_the_others_stay():
    assert passes([1.2, 0.4, 0.5]) == pytest.approx(0.45)


def objective(step, pace_s, passed, began=0.0, epoch=0):
    at = clock(began + (passed + step) * pace_s)
    return f"{at} INFO batch {step}/3000 objf: {-2 / (1 + step + passed):.6f}, epoch {epoch}"


def test_whole_passes_that_are_left_out_are_counted_where_the_pace_within_one_says_so():
    rows = [objective(step, 0.2, 0) for step in range(0, 500, 100)]
    assert read([*rows, "...", objective(2800, 0.2, 15000, epoch=5)]).step_time_s == pytest.approx(0.2, rel=0.05)


def test_a_counter_of_the_run_stays_that_where_the_pace_does_not_change():
    rows = [objective(step, 0.2, 0) for step in range(0, 500, 100)]
    assert read([*rows, "...", objective(2800, 0.2, 0, epoch=5)]).step_time_s == pytest.approx(0.2, rel=0.05)


def test_a_time_far_below_the_digits_of_others_settles_no_unit():
    head, middle = "(trainer:300) INFO: 7epoch:train:", "forward_time=0.081, loss=3"
    found = read(
        (
            f"[node] {clock(6)} {head}1-10batch: iter_time=0.008, {middle}",
            ".512, acc=0.311, backward_time=0.090, train_time=0.204",
            f"[node] {clock(8)} {head}11-20batch: iter_time=6.100e-05, {middle}",
            ".207, acc=0.345, backward_time=0.088, train_time=0.200",
        )
    )
    assert found.step_time_s == pytest.approx(0.2, rel=0.05)


def test_a_short_time_alone_stays_a_time():
    found = read(f"step {step} loss {3 / step:.3f} step_time {4e-5 + step * 1e-9:.3e} s" for step in range(1, 9))
    assert found.step_time_s == pytest.approx(4e-5, rel=0.01)
