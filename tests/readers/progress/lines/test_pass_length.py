"""How long a pass is may stand elsewhere in the log than beside its counter."""

import pytest

from schedmate import Tracker
from schedmate.readers.progress.kinds.shapes import Shapes
from schedmate.readers.progress.lines.formats import known_formats
from schedmate.readers.progress.lines.pass_length import lengths_said
from schedmate.watching.job import Log


@pytest.mark.parametrize(
    ("text", "want"),
    [
        ("Number of training batches: 480", 480),
        ("2031-01-02 10:00:01 INFO iterations per epoch = 1,480", 1480),
        ("480 steps per epoch", 480),
        ("train dataloader has 480 iters", 480),
        ("len(train_loader) = 480, len(val_loader) = 31", 480),
        ("Length of train loader: 480", 480),
        ("Training for 20 epochs, 480 iterations each", 480),
        ("Epoch 7 done (480 batches) - loss 0.3120 - 97.5s", 480),
    ],
)
def test_a_line_tells_how_long_a_pass_is_that_trains(text, want):
    assert set(lengths_said(text)) == {want}


@pytest.mark.parametrize(
    "text",
    [
        "Length of val loader: 31",
        "20 epochs, 480 iterations in all",
        "Training for 40 epochs, 19200 steps.",
        "schedule: cosine (warm-up 2 epochs, 500 steps)",
        "Number of validation batches: 31",
        "val iterations per epoch: 31",
        "training for 480 steps",
        "Epoch 7 validation (31 batches) - loss 0.3120",
        "Epoch 7 (480 samples)",
        "Batch 480/960",
        "Number of training batches: 480/960",
        "[train] 480 batches of size 16",
        "learning rate decays 0.5 times per epoch: 3.2",
        "Total training batches: 19200 (40 epochs)",
        "batches per epoch: 80 % of those on disk",
        "train_size: 640",
        "train on 1281167 images was done by the authors",
        "Train on 7680 samples, validate on 410 samples",
    ],
)
def test_other_numbers_are_no_length_of_a_pass(text):
    assert not lengths_said(text)


def read(*lines):
    tracker = Tracker("job.log", formats=())
    tracker.feed("".join(f"{line}\n" for line in lines).encode(), now_s=0)
    tracker.finish()
    return tracker.metrics()


PASSES = [f"Epoch {n}/40: loss {3 / n:.3f}, took {96 + n % 3}.5 s" for n in range(1, 7)]


def test_a_step_is_a_part_of_a_pass_of_which_the_log_tells_the_length():
    found = read("Number of training batches: 480", *PASSES)
    assert found.step_time_s == pytest.approx(97.5 / 480, rel=0.02)
    assert found.total_steps == 40
    assert found.eta_s == pytest.approx(34 * 97.5, rel=0.05)
    assert any("Number of training batches: 480" in one.quote for one in found.evidence)


@pytest.mark.parametrize(
    "told",
    [
        ["iterations per epoch: 480", "iterations per epoch: 31"],
        ["Validation dataset", "  Number of batches: 31"],
        ["training set size: 7680", "batch_size: 16", "world_size: 8"],
    ],
)
def test_without_one_length_a_step_is_a_pass(told):
    found = read(*told, *PASSES)
    assert found.step_time_s == pytest.approx(97.5, rel=0.02)
    assert found.total_steps == 40


def test_what_acts_counts_the_steps_of_its_world():
    acting = [f"{line}, EpRet {n}.5, episode_reward {9 * n}.0" for n, line in enumerate(PASSES)]
    assert read("steps_per_epoch: 4000", *acting).step_time_s == pytest.approx(97.5, rel=0.02)


def test_reports_of_whole_passes_are_waited_for_as_long_as_passes_take(tmp_path):
    log = tmp_path / "job.log"
    text = "".join(f"{line}\n" for line in ("Number of training batches: 480", *PASSES))
    log.write_text(text)
    watched = Log(str(log), Shapes(known_formats()))
    watched.poll(0.0)
    watched.work_out()
    assert watched.metrics.step_time_s == pytest.approx(97.5 / 480, rel=0.02)
    assert watched.usual_s == pytest.approx(97.5, rel=0.05)
