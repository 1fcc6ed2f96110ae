"""Hugging Face Accelerate: wraps model, optimizer and data; its launcher settles processes and precision."""

from tests.readers.code.programs import TORCH_HEAD, TORCH_LOOP


def test_what_is_prepared_together_comes_back_in_its_order(outcome):
    text = "from accelerate import Accelerator\nx, y = Accelerator().prepare(1, 2)\nx = (x, y)\n"
    assert outcome(text) == (1, 2)


def test_accelerate_makes_the_group_of_the_processes_that_are_started(read):
    files = {
        "train.py": TORCH_HEAD
        + TORCH_LOOP
        + "import torch.distributed as dist\nfrom accelerate import Accelerator\n\ndef size():\n"
        + "    return dist.get_world_size() if dist.is_initialized() else 1\n\n"
        + "accelerator = Accelerator()\ntrain(0.125 * size(), 8, 2)\n"
    }
    assert read(files, "torchrun --nproc_per_node 2 train.py").learning_rate == 0.25
    alone = read(files, "accelerate launch --num_processes 1 train.py")
    assert (alone.learning_rate, alone.distributed, alone.num_gpus) == (0.125, "none", 1)
