"""Rates that only stand in the optimizer until a schedule written by hand sets others."""

import pytest

from tests.readers.code.programs import TORCH_HEAD

PROGRAM = """
import argparse
import torch
parser = argparse.ArgumentParser()
parser.add_argument("--lr", type=float, default=0.02)
parser.add_argument("--warmup", type=int, default=200)
args = parser.parse_args()
told = {{
    "min_lr": 1e-7,
    "max_lr": 0.003,
    "lr": 0.05, "lr_min": 1e-6,
}}
model = torch.nn.Linear(4, 2)

def rate_at(step):
    if step < args.warmup:
        return told["min_lr"] + (told["max_lr"] - told["min_lr"]) * step / args.warmup
    return told["max_lr"]

def train():
    {optimizer}
    for step in range(1000):
        model(torch.randn(8, 4)).sum().backward()
        {write}
        sgd.step()

train()
"""
RISES = """
        for group in sgd.param_groups:
            group["lr"] = args.lr * (step + 1) / args.warmup
"""
DECAYS = """
        rate = args.lr * (1 + 0.001 * step) ** -0.75
        for group in sgd.param_groups:
            group["lr"] = rate
"""
CALLED = """
        for group in sgd.param_groups:
            group["lr"] = rate_at(step)
"""


@pytest.mark.parametrize(
    ("rate", "body", "expected"),
    [
        ("args.lr / args.warmup", RISES, 0.02),
        ("1.0", DECAYS, 0.02),
        ("1", RISES, 0.02),
        ('told["min_lr"]', CALLED, 0.003),
        # What stays as it was: a rate that is kept, and one from which a schedule comes down.
        ("args.lr", DECAYS, 0.02),
        ("args.lr / args.warmup", "", 0.0001),
        ("1.0", "", 1.0),
        ('told["min_lr"]', "", 1e-7),
        ('told["lr"]', CALLED, 0.05),
    ],
)
def test_the_schedule_s_peak_is_the_rate(read, rate, body, expected):
    optimizer = f"sgd = torch.optim.SGD(model.parameters(), lr={rate})"
    program = PROGRAM.format(optimizer=optimizer, write=body.strip() or "pass")
    found = read({"go.py": program}, "python go.py")
    assert found.optimizer == "SGD"
    assert found.learning_rate == pytest.approx(expected)


def test_a_factor_of_a_function_is_no_rate_where_no_optimizer_was_seen(read):
    program = """
import torch
from elsewhere import Trainer

def scaled(values, lr=1.0):
    return [value * lr for value in values]

scaled([1, 2])
Trainer(torch.nn.Linear(4, 2)).train()
"""
    assert read({"go.py": program}, "python go.py").learning_rate is None


@pytest.mark.parametrize(("optimizer", "expected"), [("Adam", None), ("SGD", 1.0)])
def test_adam_s_configured_rate_of_one_is_a_factor(read, optimizer, expected):
    program = """
import torch, yaml
from elsewhere import told
plan = yaml.safe_load(open("plan.yaml"))
net = torch.nn.Linear(4, 2)
steps = torch.optim.KIND(net.parameters(), **told(plan["lr"]))
for step in range(10):
    net(draw()).sum().backward()
    steps.step()
"""
    files = {"go.py": program.replace("KIND", optimizer), "plan.yaml": "lr: 1.0\n"}
    assert read(files, "python go.py").learning_rate == expected


def test_one_that_the_program_writes_over_is_no_rate(read):
    program = (
        "import torch\nmodel = torch.nn.Linear(3, 3)\noptimizer = torch.optim.SGD(model.parameters(), lr=1)\n"
        "for epoch in range(4):\n    for group in optimizer.param_groups:\n        group['lr'] = plan_of(epoch)\n"
        "    model(torch.zeros(2, 3)).sum().backward()\n    optimizer.step()\n"
    )
    assert read({"fit.py": program}, "python fit.py").learning_rate is None


def test_a_rate_that_is_set_in_the_groups_is_not_the_default(read):
    program = (
        TORCH_HEAD
        + """
model = torch.nn.Linear(3, 1)
optimizer = torch.optim.Adam(model.parameters())
for step in range(10):
    for group in optimizer.param_groups:
        group["lr"] = 2.0 * min((step + 1) ** -0.5, step * 400 ** -1.5)
    model(torch.randn(2, 3)).sum().backward()
    optimizer.step()
"""
    )
    assert read({"train.py": program}, "python train.py").learning_rate is None


def test_a_wrapped_model_makes_its_own_optimizer_and_its_peak_is_the_rate(read):
    code = (
        "import os, torch\nfrom torch.nn.parallel import DistributedDataParallel as DDP\n"
        "class GPT(torch.nn.Module):\n    def configure(self, rate):\n"
        "        return torch.optim.AdamW(self.parameters(), lr=rate)\n"
        "many = int(os.environ.get('RANK', -1)) != -1\nmodel = torch.compile(GPT())\n"
        "if many:\n    model = DDP(model)\nraw = model.module if many else model\nmax_lr = 6e-4\n"
        "def rate_at(step):\n    if step < 50: return max_lr * (step + 1) / 50\n    return max_lr\n"
        "optimizer = raw.configure(max_lr)\nfor step in range(900):\n    model(1).sum().backward()\n"
        "    lr = rate_at(step)\n    for group in optimizer.param_groups: group['lr'] = lr\n    optimizer.step()\n"
    )
    job = read({"train.py": code}, "torchrun --nproc_per_node=4 train.py")
    assert (job.optimizer, job.learning_rate, job.total_steps) == ("AdamW", 6e-4, 900)


RISING = """
import torch

class Rising(torch.optim.Adam):
    def __init__(self, params, lr=1e-3, {start}=1e-7, warmup_updates=100):
        super().__init__(params, lr={start})
        self.low, self.top, self.count, self.done = {start}, lr, warmup_updates, 0

    def step(self):
        self.done += 1
        for group in self.param_groups:
            group["lr"] = self.low + min(self.done, self.count) * (self.top - self.low) / self.count
        super().step()

net = torch.nn.Linear(4, 2)
optimizer = Rising(net.parameters(), lr=0.005, {start}=2e-7)
for step in range(1000):
    net(torch.randn(8, 4)).sum().backward()
    optimizer.step()
"""


@pytest.mark.parametrize("start", ["warmup_init_lr", "warmup_start_lr", "initial_warmup_lr"])
def test_the_rate_from_which_a_warm_up_starts_is_not_its_peak(read, start):
    job = read({"fit.py": RISING.format(start=start)}, "python fit.py")
    assert (job.learning_rate, job.optimizer) == (0.005, "Adam")
