"""For how many steps a time is, however a program says it."""

import pytest

from schedmate import Tracker


def read(told, *, before=""):
    tracker = Tracker("job.log", formats=())
    rows = [f"iter {n * 100}, loss {5 / n:.4f}, {told.format(29 + n % 3)}" for n in range(1, 10)]
    tracker.feed("".join(f"{row}\n" for row in (before, *rows)).encode(), now_s=0)
    tracker.finish()
    return tracker.metrics()


@pytest.mark.parametrize(
    "told",
    [
        "time/100 iters: {}.5s",
        "secs/100 iters {}.50",
        "sec/100 steps: {}.5",
        "time_per_100_iter={}.5",
        "duration of 100 batches {}.5s",
        "100 steps cost {}.5 seconds",
        "time since last print: {}.5s",
        "elapsed since the last report {}.5 s",
    ],
)
def test_a_time_of_so_many_steps_is_divided_by_them(told):
    assert read(told).step_time_s == pytest.approx(0.3, rel=0.05)


@pytest.mark.parametrize("told", ["avg time x batch 0.{}", "Time x Batch: 0.{}", "time/iters: 0.{}"])
def test_a_time_by_the_batch_is_that_of_one(told):
    assert read(told).step_time_s == pytest.approx(0.3, rel=0.05)


@pytest.mark.parametrize(
    "told",
    ["acc/100 images: 0.{}", "time since last checkpoint: {}.5s", "loss x batch 0.{}"],
)
def test_what_tells_nothing_of_so_many_steps_is_none_of_their_times(told):
    assert read(told).step_time_s is None
