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


def test_a_pass_called_an_evaluations_is_none_of_training_whatever_its_time_is_called():
    tracker = Tracker("job.log", formats=())
    rows = []
    for epoch in range(11, 16):
        rows += [
            f"******Train Epoch {epoch}: averaged Loss: 0.{99 - epoch}, train time: 30.{epoch} s",
            f"***Val Epoch {epoch}: average Loss: 0.{99 - epoch}, train time: 1.{epoch} s",
            f"***test Epoch {epoch}: average Loss: 0.{99 - epoch}, train time: 2.{epoch} s",
        ]
    tracker.feed("\n".join(rows).encode(), now_s=0)
    assert tracker.metrics().step_time_s == pytest.approx(30.13, rel=0.01)


@pytest.mark.parametrize(("heading", "step_s"), [("start training", 0.44), ("start of the copy", None)])
def test_what_a_step_takes_is_no_work_beside_it(heading, step_s):
    tracker = Tracker("job.log", formats=())
    rows = [heading, *(f"[LOG] Step {n} Rank 0 processed 400 samples in 0.44{n % 3} seconds" for n in range(30))]
    tracker.feed("\n".join(rows).encode(), now_s=0)
    tracker.finish()
    assert tracker.metrics().step_time_s == (step_s and pytest.approx(step_s, rel=0.02))
