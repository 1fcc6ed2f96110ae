"""What a heading says of the lines beneath it."""

import pytest

from schedmate import Tracker


def read(rows):
    tracker = Tracker("job.log", formats=())
    tracker.feed("".join(f"{row}\n" for row in rows).encode(), now_s=0)
    tracker.finish()
    return tracker.metrics()


def block(name, took, loss):
    return [name, f"\tTime: {took:.3f}", f"\tAvg. Loss: {loss:.4f}", "\tAccuracy"]


def test_what_stands_under_the_heading_of_an_evaluation_is_its():
    rows = []
    for n in range(1, 9):
        rows += [f"Epoch: {n}", *block("TRAIN", 52 + n % 3, 4 / n), *block("DEV", 2.5, 0), *block("TEST", 4.1, 0)]
    found = read(rows[:-4])
    assert found.epoch == 8
    assert found.loss == pytest.approx(0.5)
    assert found.step_time_s == pytest.approx(53, rel=0.05)
