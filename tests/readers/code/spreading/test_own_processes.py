"""Programs that spread over what they see by themselves: how many that is only the run knows."""

import textwrap

import pytest

MODEL = """
import os
import torch
import torch.distributed as dist
import torchvision

model = torchvision.models.resnet18().cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
data = torchvision.datasets.CIFAR10("data")
loader = torch.utils.data.DataLoader(data, batch_size=64)
"""
LOOP = """
for epoch in range(3):
    for images, labels in loader:
        torch.nn.functional.cross_entropy(model(images), labels).backward()
        optimizer.step()
"""
THREADS = MODEL + "if torch.cuda.device_count() > 1:\n    model = torch.nn.DataParallel(model)\n" + LOOP
FORKS = (
    MODEL
    + """
count = torch.cuda.device_count()
if count > 1:
    for number in range(count):
        if os.fork() == 0:
            break
    dist.init_process_group("nccl", init_method="tcp://localhost:1234", world_size=count, rank=number)
"""
    + LOOP
)


def test_threads_over_all_that_are_seen(read):
    workload = read({"train.py": THREADS}, "python train.py")
    assert (workload.distributed, workload.num_gpus) == ("DataParallel", None)
    assert (workload.batch_size, workload.global_batch_size) == (64, 64)


def test_one_that_is_seen_needs_no_threads(read):
    workload = read({"train.py": THREADS}, "CUDA_VISIBLE_DEVICES=0 python train.py")
    assert (workload.distributed, workload.num_gpus) == ("none", 1)


def test_a_program_that_forks_takes_what_is_there(read):
    workload = read({"train.py": FORKS}, "python train.py")
    assert (workload.distributed, workload.num_gpus) == ("DDP", None)


def test_pipes_between_processes_are_no_pipeline(read):
    program = "import torch.multiprocessing as mp\nhere, there = mp.Pipe()\n" + MODEL + LOOP
    assert read({"train.py": program}, "python train.py").distributed == "none"


STARTED = """
import sys
import torch.multiprocessing as mp

def work(rank, world):
    dist.init_process_group("nccl", init_method="tcp://localhost:1234", world_size=world, rank=rank)
"""
STARTS = """
if __name__ == "__main__":
    count = torch.cuda.device_count()
    mp.spawn(work, args=(WORLD,), nprocs=count)
"""


@pytest.mark.parametrize(("world", "nodes"), [("3 * count", 3), ("count * 3", 3), ("count + 3", 1), ("count", 1)])
def test_only_a_product_of_the_started_processes_counts_machines(read, world, nodes):
    train = textwrap.indent("for epoch in range(3):\n    model(1).sum().backward()\n    optimizer.step()\n", "    ")
    program = MODEL + STARTED + train + STARTS.replace("WORLD", world)
    assert read({"train.py": program}, "python train.py").num_nodes == nodes


SPAWNED = """
import argparse
import paddle
import paddle.distributed as dist

def work(args, plan):
    if dist.get_world_size() > 1:
        dist.init_parallel_env()
    model = paddle.nn.Linear(4, 2)
    if dist.get_world_size() > 1:
        model = paddle.DataParallel(model)
    optimizer = paddle.optimizer.AdamW(parameters=model.parameters(), learning_rate=plan["rate"])
    for epoch in range(plan["rounds"]):
        model(paddle.zeros([3, 4])).sum().backward()
        optimizer.step()

parser = argparse.ArgumentParser()
parser.add_argument("--ngpu", type=int, default=1)
args = parser.parse_args()
plan = {"rate": 0.4, "rounds": 11}
dist.spawn(work, (args, plan), nprocs=args.ngpu)
"""


def test_paddle_spawns_functions_with_their_arguments_alone(read):
    job = read({"train.py": SPAWNED}, "python train.py --ngpu 3")
    assert (job.num_gpus, job.distributed, job.epochs) == (3, "PaddlePaddle data parallel", 11)
    assert (job.optimizer, job.learning_rate) == ("AdamW", 0.4)


PERHAPS = """
import sys
import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from elsewhere import Pipeline, devices

def work(rank, count):
    dist.init_process_group("nccl", rank=rank, world_size=count)
    Pipeline().go(rank)

if __name__ == "__main__":
    if len(devices(sys.argv)) > 1:
        mp.spawn(work, args=(4,), nprocs=len(devices(sys.argv)))
    else:
        Pipeline().go(0)
"""


def test_what_may_start_no_others_and_does_what_nobody_saw_is_not_named(read):
    assert read({"fit.py": PERHAPS}, "python fit.py 0").distributed is None
    always = PERHAPS.replace("if len(devices(sys.argv)) > 1:", "if True:")
    assert read({"fit.py": always}, "python fit.py 0").distributed == "DDP"
