"""What sums up an evaluation now and then is not the loop that goes on around it."""

import pytest

from schedmate import Tracker


def read(lines):
    tracker = Tracker("job.log")
    tracker.feed("".join(f"{line}\n" for line in lines).encode(), now_s=0)
    tracker.finish()
    return tracker.metrics()


def clock(seconds):
    return f"2031-04-05 {9 + seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}.250"


def test_steps_between_evaluations_are_those_of_training():
    rows, now = [], 0
    for n in range(1, 31):
        now += 40
        rows.append(f"{clock(now)} [{50 * n}] global_step={50 * n}, grad_norm=0.01, loss=0.{90 - n}")
        if n % 6 == 0:
            now += 300
            losses = f"{{'train/loss': 0.4, 'validation/loss': 0.5{n}, 'validation/examples': 900}}"
            rows.append(f"{clock(now)} Time since start: {now}.02s, Step: {50 * n}, {losses}")
    found = read(rows)
    assert found.step == 1500
    assert found.step_time_s == pytest.approx(0.8, rel=0.05)
    assert found.loss == pytest.approx(0.6)


def test_a_tracker_of_experiments_tells_the_loss_of_a_bar():
    bar = [f" 40%|████      | {n}/50 [00:{n:02d}<00:30,  1.00s/it]" for n in range(5, 20)]
    trace = [f'  File "train.py", line {n}, in main' for n in range(40)]
    summary = ["wandb: Run summary:", "wandb: train/global_step 19", "wandb:    train/loss 1.25"]
    assert read([*bar, *trace, *summary]).loss == pytest.approx(1.25)


@pytest.mark.parametrize("tail", ["(test)", "[val]", "(validation)"])
def test_a_word_in_a_bracket_behind_all_says_what_the_line_is_of(tail):
    rows = []
    for epoch in range(1, 4):
        rows += [f"epoch {epoch} batch {n}/500 loss 1.{n} {500 + n % 7} ms/batch (train)" for n in range(100, 600, 100)]
        rows += [f"epoch {epoch} batch {n}/300 loss 2.{n} {100 + n % 7} ms/batch {tail}" for n in range(100, 400, 100)]
    found = read(rows)
    assert (found.step, found.total_steps) == (500, 500)
    assert found.step_time_s == pytest.approx(0.5, rel=0.05)


def test_other_words_in_a_bracket_there_say_nothing():
    rows = [f"batch {n}/500 loss 1.{n} {500 + n % 7} ms/batch (best)" for n in range(100, 600, 100)]
    assert read(rows).step_time_s == pytest.approx(0.5, rel=0.05)
