"""What counts and is no loop."""

import pytest

from schedmate import Tracker


def read(text):
    tracker = Tracker("job.log")
    tracker.feed(text.encode(), now_s=0)
    tracker.finish()
    return tracker.metrics()


STEPS = [f"[step {n:4}/40] {250 + n % 3}.4 ms/step" for n in range(5, 41, 5)]


@pytest.mark.parametrize(
    "summary",
    [
        "[tuning] CE final: 0.0121 (down 98.2% on batch 0; total 10012.2 ms = 250.3 ms/step)",
        "[tuning] loss final: 0.0121 on batch 3, 0.25 s per step",
    ],
)
def test_a_summary_said_once_is_not_the_loop_that_it_sums_up(summary):
    metrics = read("\n".join(["[tuning] 339 batches", *STEPS, summary]) + "\n")
    assert (metrics.step, metrics.total_steps) == (40, 40)
    assert metrics.step_time_s == pytest.approx(0.25, rel=0.05)


def test_one_report_alone_is_the_loop():
    assert read("[tuning] loss 0.0121 on batch 3, 0.25 s per step\n").step_time_s == pytest.approx(0.25)
