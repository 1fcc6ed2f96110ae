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


def test_accelerate_on_a_group_of_xlas_is_no_ddp(read):
    text = TORCH_HEAD + TORCH_LOOP + "import torch.distributed as dist\nfrom accelerate import Accelerator\n"
    files = {
        "train.py": text + "accelerator = Accelerator()\ntrain(0.1, 8, 2)\n",
        "slice.py": text
        + "a = Accelerator()\ndist.init_process_group('xla', init_method='xla://')\ntrain(0.1, 8, 2)\n",
        "slice.yaml": "distributed_type: XLA\n",
    }
    assert read(files, "accelerate launch slice.py").distributed == "XLA data parallel"
    assert read(files, "accelerate launch --config_file slice.yaml train.py").distributed == "XLA data parallel"
    assert read(files, "accelerate launch --num_processes 2 train.py").distributed == "DDP"
