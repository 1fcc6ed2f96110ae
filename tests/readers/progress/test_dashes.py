"""Names and their numbers joined by a dash, rates shortened to one letter, trees that tell the test alone."""

import pytest

from schedmate import Tracker


def read(text):
    tracker = Tracker("job.log")
    tracker.feed(text.encode(), now_s=0)
    tracker.finish()
    return tracker.metrics()


@pytest.mark.parametrize(
    "spelling", ["iter-{n}/9000", "Step-{n}", "epoch-2 iter-{n}", "batch-{n}-of-9000", "step: {n}"]
)
def test_a_dash_between_a_counter_and_its_number_is_no_minus(spelling):
    rows = [
        f"2031-02-03 10:{minute:02}:00.25, {spelling.format(n=100 * minute)}, loss:2.{40 - minute}"
        for minute in range(1, 6)
    ]
    metrics = read("\n".join(rows) + "\n")
    assert (metrics.step, metrics.step_time_s) == (500, pytest.approx(0.6))


def test_a_number_below_zero_stays_one_where_no_counter_stands_before_it():
    rows = [f"2031-02-03 10:{minute:02}:00, step {100 * minute}, loss=-0.{minute}" for minute in range(1, 6)]
    assert read("\n".join(rows) + "\n").loss == -0.5


def test_a_bar_may_shorten_iterations_to_one_letter():
    bar = "┣██████████┫ [100.00%, 400/400, 00:{seconds}/00:{seconds}, {rate}i/s] \n"
    told = "(:epoch, {epoch}, :loss, 0.{loss}f0)\n"
    text = "".join((bar + told).format(seconds=20 - e, rate=20 + e, epoch=e, loss=90 - e) for e in range(1, 4))
    assert read(text).step_time_s == pytest.approx(1 / 23, rel=0.05)


def test_trees_that_tell_their_test_alone_are_training():
    rows = ["0:\ttest: 0.81\tbest: 0.81 (0)\ttotal: 44ms\tremaining: 1m 28s"]
    rows += [
        f"{n}:\ttest: 0.8{n // 100}\tbest: 0.8{n // 100} ({n})\ttotal: {n // 50}s\tremaining: {40 - n // 50}s"
        for n in range(500, 1600, 500)
    ]
    metrics = read("\n".join(rows) + "\n")
    assert (metrics.step, metrics.step_time_s) == (1500, pytest.approx(0.02, rel=0.05))


def test_outside_bars_the_letter_may_count_images():
    rows = [f"step {10 * n}/1000 loss 1.{99 - n} 1200.0 i/s" for n in range(1, 20)]
    assert read("\n".join(rows) + "\n").step_time_s is None
