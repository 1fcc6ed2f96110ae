"""What a pass cost is a time where the losses beside it have names of their own, and it is no sum of theirs."""

import pytest

from schedmate import Tracker


def read(lines):
    tracker = Tracker("job.log")
    tracker.feed(("\n".join(lines) + "\n").encode(), now_s=0)
    tracker.finish()
    return tracker.metrics()


def detector(costs):
    rows = []
    for at, cost in enumerate(costs, 30):
        parts = f"HeatLoss={4.2 - at / 50:.3f}, SizeLoss={1.9 - at / 90:.3f}"
        rows += [f"[Epoch {at}][Batch {batch}], Speed: 91.{batch} samples/sec, {parts}" for batch in (49, 99, 149)]
        rows.append(f"[Epoch {at}] Training cost: {cost}, {parts}")
    return rows


def test_a_cost_that_is_no_sum_of_the_losses_is_the_time_of_the_pass():
    found = read(detector([352.1, 349.8, 361.0, 350.6, 347.2, 351.9]))
    assert found.loss == pytest.approx(4.2 - 35 / 50)
    assert found.step_time_s == pytest.approx(350 / 175, rel=0.2)


def test_a_cost_that_may_be_the_sum_stays_a_loss():
    found = read(detector([5.9, 5.8, 5.7, 5.6, 5.6, 5.5]))
    assert found.step_time_s is None
