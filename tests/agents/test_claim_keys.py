"""A number counts only where its line says that it is this field's."""

import pytest

from schedmate.agents.claim_keys import bears_key, headings, is_implied, misfits, said_by_command
from schedmate.schemas import Workload


def bears(name, number, line, above=()):
    return bears_key(name, number, line.index(number), line, above)


@pytest.mark.parametrize(
    ("name", "number", "line"),
    [
        ("batch_size", "32", "parser.add_argument('--batch-size', type=int, default=32, help='per device')"),
        ("batch_size", "24", "batch per gpu: 24"),
        ("batch_size", "8", "  --per_device_train_batch_size 8 \\"),
        ("epochs", "90", "for epoch in range(90):"),
        ("epochs", "90", "train for 90 epochs"),
        ("learning_rate", "3e-4", "optimizer = AdamW(model.parameters(), lr=3e-4)"),
        ("total_steps", "600000", "max_iters = 600000"),
        ("num_gpus", "8", "#SBATCH --gres=gpu:8"),
        ("num_gpus", "4", "torchrun --nproc_per_node 4 train.py"),
        ("num_nodes", "2", "srun --nodes=2"),
    ],
)
def test_a_line_that_names_the_field_bears_it(name, number, line):
    assert bears(name, number, line)


@pytest.mark.parametrize(
    ("name", "number", "line"),
    [
        ("batch_size", "15", "message_passing_steps: 15"),
        ("batch_size", "32", "hidden_size = 32"),
        ("batch_size", "64", "eval_batch_size: 64"),
        ("epochs", "5", "warmup_epochs = 5"),
        ("total_steps", "500", "save_steps: 500"),
        ("learning_rate", "0.1", "dropout = 0.1"),
        ("num_gpus", "8", "num_workers: 8"),
        ("total_steps", "7", "log_every = 100, seed = 7"),
        ("epochs", "3", "step 90 of epoch 12, seed 3"),
    ],
)
def test_a_number_of_something_else_does_not(name, number, line):
    assert not bears(name, number, line)


def test_the_heading_of_a_block_names_it_too():
    lines = ["model:", "  size: 24", "batch:", "  # per device", "  size: 24"]
    assert headings(lines, 5) == ["batch:"]
    assert bears("batch_size", "24", lines[4], headings(lines, 5))
    assert not bears("batch_size", "24", lines[1], headings(lines, 2))


def test_the_command_wins_over_a_default():
    assert said_by_command("learning_rate", 0.1, "python train.py --lr 0.05") == "0.05"
    assert said_by_command("learning_rate", 0.05, "python train.py --lr 0.05") == ""
    assert said_by_command("epochs", 3, "python train.py --lr 0.05") == ""


@pytest.mark.parametrize(
    ("command", "implied"),
    [
        ("python train.py", True),
        ("SEED=1 python3 -u train.py --lr 1", True),
        ("torchrun train.py", False),
        ("python -m torch.distributed.run train.py", False),
        ("bash run.sh", False),
        ("python train.py --gpus 4", False),
    ],
)
def test_one_process_without_a_launcher_implies_one_gpu(command, implied):
    assert is_implied("num_gpus", 1, command) is implied
    assert not is_implied("num_gpus", 8, command)


def test_batches_devices_and_steps_have_to_fit():
    assert not misfits(Workload(global_batch_size=64, batch_size=8, num_gpus=8, distributed="DDP"))
    assert not misfits(Workload(global_batch_size=64, batch_size=8, num_gpus=16, distributed="tensor parallel"))
    assert misfits(Workload(global_batch_size=60, batch_size=8))
    assert misfits(Workload(global_batch_size=32, batch_size=8, num_gpus=8, distributed="DDP"))
