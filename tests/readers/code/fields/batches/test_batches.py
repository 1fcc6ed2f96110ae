"""Loaders of a repository's own that cut a text into B rows of T tokens."""

import pytest

PROGRAM = """
import torch
from torch import nn

class Pages:
    def __init__(self, B, T):
        self.B, self.T = B, T

    def next_batch(self):
        return torch.zeros(self.B, self.T)

total_batch_size = {total}
print("in all", total_batch_size)
pages = Pages(B=8, T=256)
model = nn.Linear(256, 256)
optimizer = torch.optim.AdamW(model.parameters(), lr=0.001)
for step in range(100):
    model(pages.next_batch()).sum().backward()
    optimizer.step()
"""


@pytest.mark.parametrize(("total", "whole"), [(8192, 32), (64, 64)])
def test_rows_are_the_batch_and_tokens_count_as_rows(read, total, whole):
    found = read({"go.py": PROGRAM.format(total=total)}, "python go.py")
    assert (found.batch_size, found.global_batch_size) == (8, whole)


SETTINGS = """
import torch
from torch import nn

class Quantizer:
    def __init__(self, B, T):
        self.B, self.T = B, T

quantizer = Quantizer(8, {steps})
global_batch_size = 512
print("in all", global_batch_size, "of", {batch})
model = nn.Linear(4, 4)
optimizer = torch.optim.AdamW(model.parameters(), lr=0.001)
for step in range(100):
    model(step).sum().backward()
    optimizer.step()
"""


def test_letters_of_what_gives_no_batches_are_none(read):
    assert read({"go.py": SETTINGS.format(steps=2, batch=None)}, "python go.py").batch_size is None


@pytest.mark.parametrize("steps", [0, 64])
def test_letters_of_what_gives_no_batches_leave_the_whole_batch_as_it_is(read, steps):
    program = SETTINGS.format(steps=steps, batch=8).replace("global_batch_size = 512", OPTIONS)
    found = read({"go.py": program}, "python go.py")
    assert (found.batch_size, found.global_batch_size) == (8, 512)


OPTIONS = """
import argparse
parser = argparse.ArgumentParser()
parser.add_argument("--batch_size", type=int, default=8)
parser.add_argument("--global_batch_size", type=int, default=512)
args = parser.parse_args()
global_batch_size = args.global_batch_size
"""

NETWORK = """
import torch
from torch import nn

class Mixer(nn.Module):
    def __init__(self, B, T):
        super().__init__()
        self.B, self.T = B, T
        self.layer = nn.Linear(4, 4)

model = Mixer(3, 5)
optimizer = torch.optim.AdamW(model.parameters(), lr=0.001)
for step in range(100):
    model(step).sum().backward()
    optimizer.step()
"""


def test_letters_of_a_network_are_no_batch(read):
    assert read({"go.py": NETWORK}, "python go.py").batch_size is None


MODULES = """
import torch
from evaluate import evaluate
from rows import iterate
net = torch.nn.Linear(4, 2)
sgd = torch.optim.SGD(net.parameters(), lr=1e-3)
for epoch in range(3):
    for batch in iterate({told}):
        net(batch).sum().backward()
        sgd.step()
    evaluate(net)
"""
EVALUATE = """
from rows import iterate

def evaluate(net):
    batch_size = 1
    for batch in iterate(batch_size=batch_size):
        net(batch)
"""


def test_a_batch_of_the_module_that_evaluates_is_not_the_job_s(read):
    files = {"evaluate.py": EVALUATE, "rows.py": "from elsewhere import iterate\n"}
    assert read({"go.py": MODULES.format(told=""), **files}, "python go.py").batch_size is None
    told = MODULES.replace("net =", "batch_size = 12\nnet =").format(told="batch_size")
    assert read({"go.py": told, **files}, "python go.py").batch_size in (12, None)


def test_what_is_called_whole_and_is_less_than_the_batch_is_a_share(read):
    program = """
import torch

class Config:
    batch_size = 32

torch.distributed.init_process_group("nccl")
config = Config()
effective_batch_size = config.batch_size // torch.distributed.get_world_size()
net = torch.nn.parallel.DistributedDataParallel(torch.nn.Linear(4, 2))
sgd = torch.optim.SGD(net.parameters(), lr=1e-3)
for batch in make(effective_batch_size):
    net(batch).sum().backward()
    sgd.step()
"""
    found = read({"go.py": program}, "torchrun --nproc_per_node 4 go.py")
    assert (found.batch_size, found.global_batch_size) == (8, 32)


def test_one_copy_on_one_gpu_makes_its_whole_batch(read):
    program = """
from transformers import Trainer, TrainingArguments
told = TrainingArguments(per_device_train_batch_size=2, gradient_accumulation_steps=4, output_dir="x")
Trainer(model=make(), args=told, train_dataset=rows()).train()
"""
    script = "#!/bin/bash\n#SBATCH --gres=gpu:{}\nsrun python go.py\n"
    found = read({"go.py": program, "job.sh": script.format(1)}, "sbatch job.sh")
    assert (found.num_gpus, found.global_batch_size) == (1, 8)


CUT_AGAIN = """
import argparse
import torch
import torch.distributed as dist

def train(batch_size, batch_gpu):
    a_process = batch_size // dist.get_world_size()
    if batch_gpu is None or batch_gpu > a_process:
        batch_gpu = a_process
    rounds = a_process // batch_gpu
    loader = iter(torch.utils.data.DataLoader(torch.zeros(4096, 4), batch_size=batch_gpu))
    model = torch.nn.parallel.DistributedDataParallel(torch.nn.Linear(4, 4))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    while True:
        optimizer.zero_grad()
        for _ in range(rounds):
            model(next(loader)).sum().backward()
        optimizer.step()

parser = argparse.ArgumentParser()
parser.add_argument("--batch-gpu", type=int)
options = parser.parse_args()
dist.init_process_group("nccl")
train(batch_size=512, batch_gpu=options.batch_gpu)
"""


@pytest.mark.parametrize(("told", "micro"), [("--batch-gpu 16", 16), ("", 128)])
def test_rounds_that_follow_from_the_whole_batch_do_not_multiply_it(read, told, micro):
    found = read({"go.py": CUT_AGAIN}, f"torchrun --nproc_per_node 4 go.py {told}")
    assert (found.batch_size, found.global_batch_size) == (micro, 512)


@pytest.mark.parametrize(
    ("settings", "whole"),
    [
        ("batch_size = 32\nrounds = 4", 128),
        ("batch_size, rounds = 32, 4", None),
        ("batch_size = 32\nrounds = batch_size // 8", 32),
    ],
)
def test_rounds_that_only_stand_in_the_same_line_do_not_follow_from_the_whole_batch(read, settings, whole):
    program = f"""
import torch
import torch.distributed as dist
{settings}
dist.init_process_group("nccl")
model = torch.nn.parallel.DistributedDataParallel(torch.nn.Linear(4, 4))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = torch.utils.data.DataLoader(torch.zeros(4096, 4), batch_size=batch_size // dist.get_world_size())
for epoch in range(3):
    for place, batch in enumerate(loader):
        loss = model(batch).sum() / rounds
        loss.backward()
        if (place + 1) % rounds == 0:
            optimizer.step()
            optimizer.zero_grad()
"""
    assert read({"go.py": program}, "torchrun --nproc_per_node $MANY go.py").global_batch_size == whole


@pytest.mark.parametrize(("head", "whole"), [("import gym\nplace = gym.make('Maze-v2')", 16), ("", 48)])
def test_how_often_an_agent_updates_its_target_is_no_accumulation(read, head, whole):
    program = f"""
import argparse
import torch
{head}
parser = argparse.ArgumentParser()
parser.add_argument("--update_freq", type=int, default=3)
told = parser.parse_args()
net = torch.nn.Linear(4, 2)
sgd = torch.optim.SGD(net.parameters(), lr=1e-3)
for step, batch in enumerate(torch.utils.data.DataLoader(make(), batch_size=16)):
    net(batch).sum().backward()
    follow(told.update_freq)
    sgd.step()
"""
    assert read({"go.py": program}, "python go.py").global_batch_size == whole


@pytest.mark.parametrize(("every", "whole"), [("3", 48), ("100_000_000", 16)])
def test_nobody_gathers_gradients_over_millions_of_batches(read, every, whole):
    program = f"""
import torch
net = torch.nn.Linear(4, 2)
update_freq = {every}
sgd = torch.optim.SGD(net.parameters(), lr=1e-3)
for step, batch in enumerate(torch.utils.data.DataLoader(make(), batch_size=16)):
    net(batch).sum().backward()
    follow(update_freq)
    sgd.step()
"""
    assert read({"go.py": program}, "python go.py").global_batch_size == whole
