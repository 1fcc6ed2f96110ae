"""What a dead job's log says of its last save, in the words of trainers, with and without clocks."""

import pytest

from schedmate.readers.failures.runs.last_save import last_save


def log(tmp_path, *lines):
    path = tmp_path / "job.log"
    path.write_text("\n".join(lines) + "\n")
    return str(path)


def at(minute, words):
    return f"2026-05-01 10:{minute:02}:00,123 INFO {words}"


SAVED = (
    "successfully saved checkpoint from iteration    5000 to /ckpt/run [ t 1/1, p 1/1 ]",
    "Saved checkpoint checkpoints/checkpoint1.pt (epoch 1 @ 30 updates, score None) (writing took 2.1 seconds)",
    "Model checkpoint of size 4.98 GiB saved to /out/epoch_0/hf_model_0001.bin",
    "Checkpoint saved at step 400",
    "[Torch] Saved global_step400/mp_rank_00_model_states.pt checkpoint.",
    "wrote snapshot 12",
)
BEGUN = (
    "Saving model checkpoint to /out/checkpoint-500",
    "Saving checkpoint at 3 epochs",
    "saving checkpoint at iteration    5000 to /ckpt/run",
    "Epoch 00003: saving model to weights.03.hdf5",
)
NONE = (
    "save_steps=500 and checkpoint dir out",
    "Failed to save checkpoint at step 400",
    "a checkpoint will be saved every 100 steps",
    "Saving model checkpoints is disabled",
    "checkpoint not saved: disk quota exceeded",
    "Resuming from saved checkpoint step 300",
    "saved the plot of the loss",
)


@pytest.mark.parametrize("words", [*SAVED, *BEGUN])
def test_what_came_after_the_last_save_is_lost(tmp_path, words):
    lines = [
        at(0, words),
        at(1, "step 1 loss 2.0"),
        at(10, words),
        at(11, "step 2 loss 1.9"),
        at(31, "step 3 loss 1.8"),
    ]
    found = last_save(log(tmp_path, *lines, "Traceback (most recent call last):", "ValueError: x"))
    assert (found.quote, found.lost_s) == (f"INFO {words}", 21 * 60)


@pytest.mark.parametrize("words", BEGUN)
def test_a_save_during_which_the_job_died_is_none(tmp_path, words):
    lines = [at(0, words), at(1, "step 1 loss 2.0"), at(31, words), "OSError: [Errno 28] No space left on device"]
    assert last_save(log(tmp_path, *lines)).lost_s == 31 * 60


@pytest.mark.parametrize("words", NONE)
def test_what_only_speaks_of_saving_is_none(tmp_path, words):
    assert last_save(log(tmp_path, at(0, words), at(1, "step 1 loss 2.0"), at(9, "step 2 loss 1.0"))) is None


def test_a_line_without_a_clock_is_as_old_as_the_one_before_it(tmp_path):
    lines = [at(5, "step 1 loss 2.0"), SAVED[0], at(6, "step 2 loss 2.0"), at(15, "step 3 loss 2.0")]
    assert last_save(log(tmp_path, *lines)).lost_s == 600


def test_without_a_clock_nothing_is_told(tmp_path):
    assert last_save(log(tmp_path, "step 1 loss 2", SAVED[0], "step 2 loss 2", "ValueError: x")) is None
    assert last_save(log(tmp_path)) is None


def test_odd_logs_cost_little(tmp_path):
    path = tmp_path / "job.log"
    path.write_bytes(b"saved " * 400_000 + b"\n" + b"\x00\xff saved checkpoint\n" * 20_000)
    assert last_save(str(path)) is None
