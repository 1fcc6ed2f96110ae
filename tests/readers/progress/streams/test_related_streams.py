"""What stands beside the lines that count."""

import pytest

from schedmate import Tracker


def test_a_time_beside_every_tenth_line_is_found_however_long_the_log_is():
    rows = []
    for n in range(1, 601):
        rows += ["0:02:00.31" if n % 20 else "0:01:59.87"] if n % 10 == 0 else []
        rows += [f"iter {40 * n}:, hard_loss={3 / n:.5f}, mean_dist=4.{n % 9}1, lr=0.0001"]
    tracker = Tracker("job.log", formats=())
    tracker.feed("".join(f"{row}\n" for row in rows).encode(), now_s=0)
    tracker.finish()
    assert tracker.metrics().step == 24000
    assert tracker.metrics().step_time_s == pytest.approx(0.3, rel=0.02)
