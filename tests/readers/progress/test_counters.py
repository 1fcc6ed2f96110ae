"""Counters that no name tells: they show when many lines are seen together."""

import pytest

from schedmate import Tracker


def read(rows):
    tracker = Tracker("job.log", formats=())
    tracker.feed("".join(f"{row}\n" for row in rows).encode(), now_s=0)
    return tracker.metrics()


def clock(second):
    return f"2031-04-05 {second // 3600:02.0f}:{second // 60 % 60:02.0f}:{second % 60:06.3f}"


def test_a_nameless_number_that_rises_is_the_counter():
    found = read(
        f"{clock(step * 0.5)} INFO - {step:7d} - 812.5 sent/s - MLM loss {9 / step:.4f}" for step in range(5, 205, 5)
    )
    assert (found.step, found.step_time_s, found.loss) == (200, pytest.approx(0.5), 0.045)


def test_a_number_in_brackets_behind_a_prefix_is_the_counter():
    found = read(
        f"I0405 10:00:{step // 10:02d}.000000 4242 metrics.py:71] [{step}] training_loss = {9 / step:.4f}, lr = 0.1"
        for step in range(10, 600, 10)
    )
    assert (found.step, found.step_time_s) == (590, pytest.approx(0.1))


def test_a_fraction_whose_end_rises_is_a_pass_and_its_step():
    found = read(
        f"{clock((pas * 400 + step) * 0.25)} TRAIN Batch {pas}/{step} loss {9 / (step + 1):.4f}"
        for pas in range(3)
        for step in range(0, 400, 10)
    )
    assert (found.epoch, found.step, found.step_time_s) == (2, 390, pytest.approx(0.25))


def test_two_leading_numbers_are_a_pass_and_its_step():
    found = read(f"{clock(step * 0.2)} 1 {step} loss - {9 / (step + 1):.4f}" for step in range(0, 300, 10))
    assert (found.step, found.loss) == (290, pytest.approx(9 / 291, abs=1e-4))


def test_a_number_that_stands_still_is_no_counter():
    found = read(f"{clock(row * 0.5)} INFO - 4242 - training loss {9 / (row + 1):.4f}" for row in range(40))
    assert found.step is None


def test_an_end_of_an_evaluation_bar_is_not_that_of_training():
    rows = []
    for epoch in range(1, 4):
        rows += [f"{step}/400 [00:{step // 10:02d}<00:10, 10.0it/s, train_loss=0.5]" for step in range(10, 401, 10)]
        rows += [f"{step}/60 [00:0{step // 10}<00:01, 20.0it/s]" for step in range(10, 61, 10)]
        rows += [f"train ({epoch}/3) accuracy: 0.5 | loss: 0.5"]
    found = read(rows)
    assert (found.step, found.total_steps, found.step_time_s) == (400, 400, 0.1)


def test_a_total_time_that_does_not_grow_is_that_of_a_step():
    rows = []
    for step in range(1, 20):
        rows += [f"===== Step {step}/1000 =====", "Results:", "  Loss: 0.5", f"  Total step time: {42 + step % 3}.5s"]
    found = read(rows)
    assert found.step_time_s == pytest.approx(43.5)
    assert min(found.trend) > 40


def test_one_loss_of_a_part_is_the_loss():
    found = read(f"epoch: 1, iter: {step}, l_pix: {9 / step:.4f}, lr: 0.1" for step in range(1, 30))
    assert found.loss == pytest.approx(9 / 29, abs=1e-4)
