"""Where printed times differ, the newest tells how long a step takes now."""

import pytest

from schedmate import Tracker


def read(times):
    tracker = Tracker("job.log", formats=())
    rows = [
        f"epoch: 1, iter: {10 * n}/900, iter_time: {time:.3f}s, loss: 2.{90 - n}" for n, time in enumerate(times, 1)
    ]
    tracker.feed("".join(f"{row}\n" for row in rows).encode(), now_s=0)
    return tracker.metrics()


@pytest.mark.parametrize(
    ("times", "now"),
    [
        ([2.0, 2.1, 1.9, 2.0, 2.05, 2.02], 2.02),
        ([9.1, 8.8, 7.9, 8.1, 6.2, 5.0], 5.0),
        ([2.0, 3.9, 2.2, 4.1, 2.1, 3.9, 2.3, 3.8], 3.8),
        ([2.0, 2.1, 1.9, 2.0, 2.05, 9.5], 2.05),
    ],
    ids=["steady", "drifting", "up and down", "one that fell out"],
)
def test_the_newest_time_counts_but_where_it_fell_out(times, now):
    assert read(times).step_time_s == pytest.approx(now, rel=0.03)


def test_a_time_that_differs_from_most_is_less_sure():
    assert read([9.1, 8.8, 7.9, 8.1, 6.2, 5.0]).confidence < read([2.0, 2.1, 1.9, 2.0, 2.05, 2.02]).confidence
