"""A single process that is given one GPU of one node has nothing to spread over."""

import pytest

UNSEEN = "python train_talker.py --epochs 4 --lr 0.1"


@pytest.mark.parametrize(
    ("command", "gpus", "spread"),
    [
        (f"sbatch -N 1 --gres=gpu:1 --wrap '{UNSEEN}'", 1, "none"),
        (f"sbatch -N 1 --gres=gpu:a100:1 --wrap '{UNSEEN}'", 1, "none"),
        (f"sbatch -N 1 --gres=gpu:4 --wrap '{UNSEEN}'", None, None),
        (f"sbatch -N 2 --gres=gpu:1 --wrap '{UNSEEN}'", None, None),
        (UNSEEN, None, None),
    ],
)
def test_one_gpu_is_all_that_an_unseen_program_can_take(read, command, gpus, spread):
    found = read({"README.md": "# Notes\n"}, command)
    assert (found.num_gpus, found.distributed, found.learning_rate) == (gpus, spread, 0.1)
