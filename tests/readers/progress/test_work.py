"""What a line is about: training, its evaluation, or other work."""

import pytest

from schedmate import Tracker


def test_metrics_of_a_step_may_be_those_of_training():
    tracker = Tracker("job.log", formats=())
    for n in range(1, 25):
        row = f"Step: {50 * n}, metrics: {{'loss': {6 / n:.4f}, 'steps_per_sec': {4 + n % 2 / 10}}}\n"
        tracker.feed(row.encode(), now_s=0)
    tracker.finish()
    found = tracker.metrics()
    assert (found.step, found.loss) == (1200, 0.25)
    assert found.step_time_s == pytest.approx(0.25, rel=0.05)
