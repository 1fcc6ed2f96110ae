"""Command lines that libraries make ready."""

import pytest

from tests.readers.code.programs import TORCH_HEAD, TORCH_LOOP

OPTIONS = """
[DEFAULTS]
# samples of one step
batch_size = 4
learning_rate = 0.001
precision = "16-mixed"
epochs = 3
"""
PROGRAM = f"{TORCH_HEAD}from prefigure.prefigure import get_all_args\n{TORCH_LOOP}\nargs = get_all_args()\n"
CALL = "train(args.learning_rate, args.batch_size, args.epochs)\n"


@pytest.mark.parametrize(("words", "batch"), [("", 4), ("--batch-size 8", 8), ("--batch_size 16", 16)])
def test_prefigure_takes_its_options_from_a_file(read, words, batch):
    job = read({"train.py": PROGRAM + CALL, "defaults.ini": OPTIONS}, f"python train.py {words}")
    assert (job.is_training, job.batch_size, job.learning_rate, job.epochs) == (True, batch, 0.001, 3)


def test_without_its_file_prefigures_options_are_open(read):
    job = read({"train.py": PROGRAM + CALL}, "python train.py")
    assert (job.batch_size, job.learning_rate) == (None, None)
