"""Short pieces of logs as people paste them: a few lines, the last of a pass, and what was printed around them."""

import pytest

from schedmate import Tracker


def read(lines, formats=None):
    tracker = Tracker("job.log", formats)
    tracker.feed(("\n".join(lines) + "\n").encode(), now_s=0)
    tracker.finish()
    return tracker.metrics()


def test_words_between_strokes_behind_a_share_are_no_bar():
    rows = [f"pass 2/9 | {at / 10:.1f}% | loss {4 - at / 90:.4f} | step {4000 + at} | 8.00 it/s" for at in (20, 40, 60)]
    metrics = read(rows)
    assert (metrics.step, metrics.loss) == (4060, 3.3333)
    assert metrics.step_time_s == pytest.approx(0.125, rel=0.01)


def test_a_share_and_what_is_left_beside_a_step_belong_to_the_step():
    metrics = read(["ep 2/30 |   2.5% | step    3000 | loss 3.3141 | lr 2.1e-04 | 61,200 tok/s | ETA 195min"])
    assert (metrics.step, metrics.loss) == (3000, 3.3141)


def test_a_drawn_bar_with_digits_is_still_one():
    def row(at):
        drawn = f"{'#' * (at // 10)}{at % 10}{' ' * (9 - at // 10)}"
        return f" {at}%|{drawn}| {at * 8}/800 [00:{at // 2:02d}<00:49, 16.00it/s, loss=0.{at}]"

    metrics = read(map(row, (31, 42, 53)))
    assert (metrics.step, metrics.total_steps, metrics.step_time_s) == (424, 800, 1 / 16)


def test_brief_bars_of_training_and_of_its_evaluation_with_a_line_a_pass():
    rows = []
    for at in range(12, 18):
        rows += [f"Fit Epoch [{at}/60]: 100%|█████| 64/64 [00:02<00:00, 31.{at}it/s]"]
        rows += ["Validation Epoch: 100%|█████| 8/8 [00:00<00:00, 40.21it/s]"]
        rows += [f"Epoch [{at}/60], Training Loss: 0.{90 - at}, Validation Loss: 0.{95 - at}"]
    assert read(rows).step_time_s == pytest.approx(1 / 31.15, rel=0.01)
