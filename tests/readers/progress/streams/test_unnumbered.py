"""Lines that tell of one step each, and do not number it, are steps where their stamps come evenly."""

import pytest

from schedmate import Tracker


def read(lines):
    tracker = Tracker("job.log")
    tracker.feed("".join(f"{line}\n" for line in lines).encode(), now_s=0)
    tracker.finish()
    return tracker.metrics()


def stamped(text, every, count=30):
    def clock(at):
        seconds = sum(every(one) for one in range(at))
        return f"2031-04-05 09:{int(seconds) // 60:02d}:{seconds % 60:06.3f}".replace(".", ",")

    return [f"{clock(at)} - INFO - {text(at)}" for at in range(count)]


def of_a_pass(at):
    return f"Epoch 2 - Batch loss: {9 / (at + 1):.4f}"


def of_a_picture(at):
    names = "owl", "elk", "eel", "ant", "hen"
    return f"iter shots/{names[at % 5]}.png, loss: {9 / (at + 1):.4f}"


@pytest.mark.parametrize("text", [of_a_pass, of_a_picture])
def test_each_line_is_a_step(text):
    metrics = read(stamped(text, lambda at: 1.7 + 0.01 * (at % 3)))
    assert metrics.step_time_s == pytest.approx(1.71, abs=0.03)
    assert metrics.confidence <= 0.6
    assert metrics.step is None
    assert metrics.loss == pytest.approx(0.3)


def test_lines_that_come_unevenly_are_not_all_lines():
    assert read(stamped(of_a_pass, lambda at: (0.4, 3.0, 9.0)[at % 3])).step_time_s is None


def test_lines_that_name_no_step_may_tell_of_many():
    assert read(stamped(lambda at: f"loss: {9 / (at + 1):.4f}", lambda at: 1.7)).step_time_s is None


def test_without_stamps_nothing_is_known():
    assert read(of_a_pass(at) for at in range(30)).step_time_s is None
