"""Repositories of launch scripts: the trainer lies elsewhere, and only its name and its options are seen."""

import pytest

from tests.readers.code.programs import TORCH_HEAD, TORCH_LOOP

BATCH = """
#!/bin/bash
#SBATCH --nodes=4
#SBATCH --gres=gpu:8
#SBATCH --constraint=a100
cd $WORK/Megatron
python $WORK/scripts/load_ratios.py --split train
ARGS="--num-layers 24 --hidden-size 1024 --micro-batch-size 2 --global-batch-size 256 --lr 3e-4 --bf16"
RUN="python -m torch.distributed.run --nproc_per_node 8 --nnodes 4"
srun bash -c "$RUN `pwd`/pretrain_gpt.py $ARGS --train-iters 9000"
"""


def test_a_trainer_that_lies_elsewhere_is_known_by_its_options_and_outranks_what_prepares_data(read):
    files = {"run.slurm": BATCH, "scripts/load_ratios.py": "import json\nprint(json.dumps({}))\n"}
    job = read(files, "sbatch run.slurm")
    assert (job.is_training, job.num_gpus, job.num_nodes, job.hardware) == (True, 32, 4, "A100")
    assert (job.batch_size, job.global_batch_size, job.learning_rate, job.total_steps) == (2, 256, 3e-4, 9000)
    assert (job.precision, job.distributed, job.framework) == ("bf16", "Megatron", "PyTorch, Megatron-LM")


def test_the_options_of_the_hugging_face_trainer_are_known_whatever_the_script_is_called(read):
    command = (
        "torchrun --nproc_per_node 2 elsewhere/run_clm.py --model_name_or_path gpt2 --dataset_name wikitext "
        "--per_device_train_batch_size 4 --gradient_accumulation_steps 8 --bf16"
    )
    job = read({"README.md": "scripts"}, command)
    assert (job.is_training, job.model_name, job.batch_size, job.global_batch_size) == (True, "gpt2", 4, 64)
    assert (job.learning_rate, job.epochs, job.optimizer, job.distributed) == (5e-5, 3.0, "AdamW", "DDP")


def test_any_trainer_says_what_its_options_say_and_nothing_more(read):
    job = read({"README.md": ""}, "torchrun --nproc_per_node 4 train_flow.py --lr 1e-4 --batch_size 16 --max_steps 100")
    assert (job.is_training, job.framework, job.num_gpus, job.batch_size) == (True, "PyTorch", 4, 16)
    assert (job.learning_rate, job.total_steps) == (1e-4, 100)
    assert (job.epochs, job.optimizer, job.precision, job.model_name) == (None, None, None, None)


@pytest.mark.parametrize(
    "command",
    [
        "python prepare_data.py --batch_size 8 --lr 1",
        "python evaluate_train.py --batch_size 8",
        "python tool.py --lr 1",
    ],
)
def test_what_is_not_named_after_training_is_not_said_to_train(read, command):
    assert read({"README.md": ""}, command).is_training is not True


def test_a_script_that_is_here_is_followed_whatever_its_options(read):
    files = {"train_here.py": "import argparse\nprint('nothing')\n"}
    assert read(files, "python train_here.py --lr 1 --epochs 2").is_training is False


@pytest.mark.parametrize(
    ("words", "name", "gpus"),
    [
        ("--img 416 --batch 24 --epochs 40 --data ../birds.yaml --weights yolov5m.pt", "yolov5m", 1),
        ("--device 0,1 --batch-size 48 --img 9 --epochs 40 --data b.yaml --cfg yolov7.yaml --hyp h.yaml", "yolov7", 2),
    ],
)  # fmt: skip
def test_yolos_trainer_that_is_cloned_beside_is_known_by_its_options(read, words, name, gpus):
    job = read({"run.sh": f"cd yolo\npython train.py {words}\n"}, "bash run.sh")
    assert (job.is_training, job.batch_size, job.epochs, job.num_gpus) == (True, 24, 40, gpus)
    assert (job.model_name, job.task, job.framework, job.optimizer) == (name, "CV", "PyTorch", "SGD")
    assert (job.learning_rate, job.precision) == (0.01, "fp16")


@pytest.mark.parametrize(
    ("told", "steps"),
    [
        ("--train-samples 2560000", 10_000),
        ("--train-samples $((TOKENS/SEQUENCE))", 4000),
        ("--train-samples 2560000 --train-iters 9000", 9000),
        ("--train-samples 100", None),
        ("--eval-samples 2560000", None),
    ],
)
def test_samples_in_all_are_shared_out_into_steps(read, told, steps):
    script = BATCH.replace("--train-iters 9000", told).replace("cd $WORK", "TOKENS=2097152000\nSEQUENCE=2048\ncd $WORK")
    assert read({"run.slurm": script}, "sbatch run.slurm").total_steps == steps


@pytest.mark.parametrize("rounds", ["while time.time() < begin + 3600 * args.hours", "for epoch in range(args.rounds)"])
def test_samples_are_no_duration_where_a_program_cuts_its_data_by_them(read, rounds):
    program = f"""
import argparse
import time
import torch
parser = argparse.ArgumentParser()
parser.add_argument("--train_samples", type=int)
parser.add_argument("--hours", type=float)
parser.add_argument("--rounds", type=int)
args = parser.parse_args()
begin = time.time()
loader = torch.utils.data.DataLoader(rows()[: args.train_samples], batch_size=8)
net = torch.nn.Linear(4, 2)
sgd = torch.optim.SGD(net.parameters(), lr=1e-3)
{rounds}:
    for batch in loader:
        net(batch).sum().backward()
        sgd.step()
"""
    job = read({"go.py": program}, "python go.py --train_samples 800 --hours 5")
    assert (job.batch_size, job.total_steps) == (8, None)


def test_samples_are_no_duration_of_a_trainer_that_nobody_knows(read):
    command = "python train_flow.py --lr 1e-4 --batch_size 16 --train_samples 800"
    assert read({"README.md": ""}, command).total_steps is None


def test_samples_of_a_job_of_epochs_are_those_of_each(read):
    program = """
import argparse
import torch
parser = argparse.ArgumentParser()
parser.add_argument("--train_samples", type=int)
args = parser.parse_args()
loader = torch.utils.data.DataLoader(torch.randn(args.train_samples, 4), batch_size=8)
net = torch.nn.Linear(4, 2)
sgd = torch.optim.SGD(net.parameters(), lr=1e-3)
for epoch in range(3):
    for batch in loader:
        net(batch).sum().backward()
        sgd.step()
"""
    assert read({"go.py": program}, "python go.py --train_samples 800").total_steps == 300


PRETRAIN = """
from megatron.training import get_args, pretrain

def model_provider():
    return Model(get_args().hidden_size)

if __name__ == "__main__":
    pretrain(data_provider, model_provider, forward_step)
"""
OPTIONS = (
    "--micro-batch-size 2 --global-batch-size 16 --num-layers 4 --hidden-size 64 --lr 1e-4 --train-iters 900 --bf16"
)


def test_megatron_is_read_by_its_options_where_only_the_script_is_here(read):
    job = read({"pretrain_own.py": PRETRAIN}, f"torchrun --nproc_per_node=8 pretrain_own.py {OPTIONS}")
    assert (job.is_training, job.batch_size, job.global_batch_size) == (True, 2, 16)
    assert (job.learning_rate, job.total_steps, job.precision) == (1e-4, 900, "bf16")


def test_a_script_without_that_package_is_followed(read):
    program = TORCH_HEAD + TORCH_LOOP + "\ntrain(0.25, 8, 2)\n"
    job = read({"pretrain_own.py": program}, f"torchrun --nproc_per_node=8 pretrain_own.py {OPTIONS}")
    assert (job.learning_rate, job.batch_size) == (0.25, 8)
