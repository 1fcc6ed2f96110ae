"""A log that is looked at while it grows ends amid a line, amid a number; and what it counts is not always training."""

import pytest

from schedmate import Tracker
from schedmate.readers.progress.lines.cut_line import without_cut


def read(text):
    tracker = Tracker("job.log")
    tracker.feed(text.encode(), now_s=0)
    tracker.finish()
    return tracker.metrics()


def test_a_number_that_was_cut_is_neither_loss_nor_time():
    lines = [f"iter {10 * n}: loss 1.3{n}83 BPC, time 6{n}.25ms, mfu 5.8{n}%\n" for n in range(1, 9)]
    whole = read("".join(lines))
    in_time = read("".join(lines) + "iter 90: loss 1.2911 BPC, time 63")
    assert in_time.step_time_s == pytest.approx(whole.step_time_s, rel=0.05)
    assert (in_time.step, in_time.loss) == (90, 1.2911)
    assert in_time.evidence[-1].quote == "iter 90: loss 1.2911 BPC, time "
    in_loss = read("".join(lines) + "iter 90: loss 1.")
    assert (in_loss.step, in_loss.loss) == (90, whole.loss)


def test_an_exponent_that_was_cut_off_is_missed():
    lines = "".join(f"<epoch:{n}, lr:1.000e-04> loss: 3.{n}52e-02\n" for n in range(1, 8))
    assert read(lines + "<epoch:8, lr:1.000e-04> loss: 3.21").loss == 0.03752


def test_a_last_line_without_an_end_that_is_whole_counts():
    lines = "".join(f"step {n} loss 0.{n}12\n" for n in range(10, 18))
    found = read(lines + "step 18 loss 0.181")
    assert (found.step, found.loss) == (18, 0.181)


def test_a_line_like_no_other_is_left_as_it_is():
    assert without_cut(b"global step 18 loss 0.181", b"Loading data\nstep 3\n") == b"global step 18 loss 0.181"


def test_printed_times_that_differ_much_yield_to_the_clock():
    times = [0.28, 1.31, 0.32, 1.24, 0.39, 1.29, 0.31, 1.21, 0.34, 1.32]
    found = read(
        "".join(
            f"2031-03-02 10:{n:02d}:00,100 INFO Train: [{60 * n}/2000] Loss: 0.{50 - n} Batch time: {took:.2f}\n"
            for n, took in enumerate(times, start=1)
        )
    )
    assert found.step_time_s == pytest.approx(1.0, rel=0.02)


def test_a_pass_in_brackets_before_a_counter_is_no_step():
    rows = []
    for epoch in range(1, 7):
        start = 100 * epoch
        rows.append(f"{clock(start)} - INFO - trainer - [{epoch}/20] Start to train in the training set.")
        rows += [
            f"{clock(start + 0.5 * n)} - INFO - trainer - [{epoch}/20] Step: {n}/120, Training Loss: 0.{80 - n // 4}."
            for n in range(0, 120, 20)
        ]
    found = read("\n".join(rows) + "\n")
    assert found.step_time_s == pytest.approx(0.5, rel=0.05)
    assert (found.step, found.total_steps, found.epoch) == (100, 120, 6)


def clock(seconds):
    return f"08/23/2031 12:{int(seconds) // 60:02d}:{int(seconds) % 60:02d}"


def bars(words, total, rate, rounds=4):
    rows = []
    for _ in range(rounds):
        for n in range(0, total + 1, max(1, total // 5)):
            took, left = n / rate, (total - n) / rate
            span = f"{took // 60:02.0f}:{took % 60:02.0f}<{left // 60:02.0f}:{left % 60:02.0f}"
            rows.append(
                f"{words}{100 * n // total:3d}%|{'#' * (n * 10 // total):10}| {n}/{total} [{span}, {rate:.2f}it/s]"
            )
    return "\r".join(rows) + "\n"


@pytest.mark.parametrize("words", ["permutations: ", "Processing Train Data (block0): "])
def test_a_bar_that_is_called_something_else_tells_no_training(words):
    assert read("[scorer] loading a model\n" + bars(words, 125, 2.5)).step_time_s is None


def test_a_bar_that_is_far_too_fast_tells_no_training():
    assert read("Reading pictures\n" + bars("", 60000, 1320.0, rounds=1)).step_time_s is None


@pytest.mark.parametrize("words", ["", "Training: ", "Overall progress: ", "Iteration: "])
def test_other_bars_still_do(words):
    assert read("Using device cuda\n" + bars(words, 125, 2.5)).step_time_s == pytest.approx(0.4, rel=0.1)


@pytest.mark.parametrize("told", ["step time 1.0e-07 s", "time 2.0e-07"])
def test_no_step_goes_by_in_no_time(told):
    assert read("".join(f"step {n} | loss 2.{90 - n} | {told}\n" for n in range(1, 40))).step_time_s is None


def test_what_is_called_wall_is_no_clock_when_it_is_nothing():
    text = "".join(f"fit: ep={20 * n} sum=1.{n}2e-02 inner=3.0{n}e-03 wall=1.{n}44e-15\n" for n in range(1, 30))
    assert read(text).step_time_s is None
