"""How long a pass is may stand elsewhere in the log than beside its counter."""

import pytest

from schedmate import Tracker
from schedmate.readers.progress.lines.pass_length import lengths_said


@pytest.mark.parametrize(
    ("text", "want"),
    [
        ("Number of batches: 480", [("pass_steps", 480)]),
        ("2031-01-02 10:00:01 INFO iterations per epoch = 1,480", [("pass_steps", 1480)]),
        ("480 steps per epoch", [("pass_steps", 480)]),
        ("train dataloader has 480 iters", [("pass_steps", 480)]),
        ("len(train_loader) = 480, len(val_loader) = 31", [("pass_steps", 480)]),
        ("# training images = 7680", [("pass_samples", 7680)]),
        ("Train on 7680 samples, validate on 410 samples", [("pass_samples", 7680)]),
        ("Length of train loader: 480", [("pass_steps", 480)]),
        ("length of the train dataset = 7680", [("pass_samples", 7680)]),
        ("Training for 20 epochs, 480 iterations each", [("pass_steps", 480)]),
        ("Epoch 7 done (480 batches) - loss 0.3120 - 97.5s", [("pass_steps", 480)]),
        ("Epoch 7 validation (31 batches) - loss 0.3120", []),
        ("Epoch 7 (480 samples)", []),
        ("Length of val loader: 31", []),
        ("20 epochs, 480 iterations in all", []),
        ("Number of validation batches: 31", []),
        ("val iterations per epoch: 31", []),
        ("training for 480 steps", []),
        ("Batch 480/960", []),
        ("Number of batches: 480/960", []),
        ("[train] 480 batches of size 16", []),
        ("learning rate decays 0.5 times per epoch: 3.2", []),
    ],
)
def test_a_line_tells_how_long_a_pass_is_that_trains(text, want):
    assert list(dict.fromkeys(lengths_said(text))) == want


def read(*lines):
    tracker = Tracker("job.log", formats=())
    tracker.feed("".join(f"{line}\n" for line in lines).encode(), now_s=0)
    tracker.finish()
    return tracker.metrics()


PASSES = [f"Epoch {n}/40: loss {3 / n:.3f}, took {96 + n % 3}.5 s" for n in range(1, 7)]


def test_a_step_is_a_part_of_a_pass_of_which_the_log_tells_the_length():
    found = read("Number of batches: 480", *PASSES)
    assert found.step_time_s == pytest.approx(97.5 / 480, rel=0.02)
    assert found.total_steps == 40
    assert found.eta_s == pytest.approx(34 * 97.5, rel=0.05)
    assert any("Number of batches: 480" in one.quote for one in found.evidence)


def test_samples_and_the_size_of_a_batch_tell_it_too():
    found = read("training set size: 7680", "batch_size: 16", *PASSES)
    assert found.step_time_s == pytest.approx(97.5 / 480, rel=0.02)


def test_two_lengths_are_none():
    found = read("Number of batches: 480", "Number of batches: 31", *PASSES)
    assert found.step_time_s == pytest.approx(97.5, rel=0.02)
    assert found.total_steps == 40
