"""Single steps' times without a unit, of which the newest lies far off: the unit is known by most of them."""

import pytest

from schedmate import Tracker

TIMES = [0.52, 0.61, 0.48, 2.1, 0.55, 0.43, 1.9, 0.6, 0.51, 2.3, 0.47]


@pytest.mark.parametrize("last", [3.4, 2.1])
def test_a_last_time_far_off_yields_to_the_clock_between_reports(last):
    tracker = Tracker("job.log")
    rows = [
        f"2031-07-15 16:{at:02}:30,250   INFO  Train:   3/80 [{60 * at:4}/900]  Loss: 1.{90 - at} (1.95)  "
        f"Batch time: {time:.2f}(0.97)"
        for at, time in enumerate([*TIMES, last], 1)
    ]
    tracker.feed("".join(f"{row}\n" for row in rows).encode(), now_s=0)
    assert tracker.metrics().step_time_s == pytest.approx(1.0, rel=0.1)
