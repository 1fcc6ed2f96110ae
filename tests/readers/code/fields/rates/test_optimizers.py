"""Which optimizer, at what peak learning rate."""

import pytest

from tests.readers.code.programs import FIT_BATCHES


def test_the_rate_that_the_command_chose_counts_more_than_a_written_one(read):
    main = FIT_BATCHES + (
        "import argparse\np = argparse.ArgumentParser()\np.add_argument('--lr', type=float, default=1e-3)\n"
        "args = p.parse_args()\nalpha = torch.optim.Adam([torch.zeros(1)], lr=3e-4)\nfit(args.lr, 3)\n"
    )
    assert read({"main.py": main}, "python main.py --lr 0.05").learning_rate == 0.05


SEARCHED = """
    import argparse
    import torch

    parser = argparse.ArgumentParser()
    parser.add_argument("--lr", type=float, default=1e-4)
    args = parser.parse_args()
    model = torch.nn.Linear(4, 2)

    def fit(rate, epochs):
        optimizer = torch.optim.Adam(model.parameters(), lr=rate)
        for epoch in range(epochs):
            loss = model(torch.zeros(1, 4)).sum()
            loss.backward()
            optimizer.step()
        return float(loss)

    def find_lr():
        fit(args.lr, 1)
        return float(torch.rand(1))

    fit({rate}, 8)
    """


@pytest.mark.parametrize(("rate", "found"), [("find_lr()", None), ("args.lr", 1e-4)])
def test_a_rate_that_is_searched_for_is_open(read, rate, found):
    assert read({"train.py": SEARCHED.replace("{rate}", rate)}, "python train.py").learning_rate == found


def test_the_wrapper_of_an_optimizer_is_none(read):
    program = """
        import tensorflow.compat.v1 as tf

        class MixedWrapper(tf.train.Optimizer):
            def __init__(self, inner):
                self.inner = inner

            def minimize(self, loss):
                return self.inner.minimize(loss)

        MixedWrapper({inner}).minimize(1)
    """
    found = read({"fit.py": program.format(inner="tf.train.MomentumOptimizer(0.25, 0.9)")}, "python fit.py")
    assert (found.optimizer, found.learning_rate) == ("SGD", 0.25)
    assert read({"fit.py": program.format(inner="tf.somewhere()")}, "python fit.py").optimizer is None


STEPS = """
import torch
from torch import nn

net = nn.Sequential(nn.Linear(4, 4), nn.Linear(4, 2))
import argparse
parser = argparse.ArgumentParser()
parser.add_argument("--lr", type=float, default=0.05)
args = parser.parse_args()
sgd = torch.optim.SGD([{groups}], momentum=0.9)
for x, y in torch.utils.data.DataLoader([]):
    net(x).sum().backward()
    sgd.step()
"""
BODY, HEAD = "{'params': net[0].parameters(), 'lr': %s}", "{'params': net[1].parameters(), 'lr': %s}"


@pytest.mark.parametrize(
    ("body", "head", "rate"),
    [("0.1 * args.lr", "args.lr", 0.05), ("args.lr", "10 * args.lr", 0.05), ("0.003", "0.03", 0.003)],
)
def test_of_several_rates_the_one_that_is_told_is_the_rate(read, body, head, rate):
    groups = f"{BODY % body}, {HEAD % head}"
    assert read({"main.py": STEPS.format(groups=groups)}, "python main.py").learning_rate == rate


LOOP = """
import torch
model = torch.nn.Linear(2, 2)
{groups}
optimizer = torch.optim.SGD(groups, momentum=0.9)
for epoch in range(3):
    model(1).sum().backward()
    optimizer.step()
"""


@pytest.mark.parametrize(
    ("groups", "rate"),
    [
        ("groups = [dict(params=[p], lr=0.25) for name, p in model.named_parameters()]", 0.25),
        ("groups = [{'params': bias, 'lr': 0.5, 'weight_decay': 0}, {'params': rest, 'lr': 0.25}]", 0.25),
        ("groups = [{'params': back, 'lr': 0.25}, {'params': head, 'lr': 2.5}]", 0.25),
    ],
)
def test_rates_of_groups(read, groups, rate):
    job = read({"train.py": LOOP.format(groups=groups)}, "python train.py")
    assert job.learning_rate == rate


def test_groups_that_differ_from_parameter_to_parameter_have_no_default_rate(read):
    groups = "groups = []\nfor name, p in dict(model.named_parameters()).items():\n    if 'bias' in name:\n"
    groups += (
        "        groups += [{'params': [p], 'lr': 0.5}]\n    else:\n        groups += [{'params': [p], 'lr': 0.25}]\n"
    )
    assert read({"train.py": LOOP.format(groups=groups)}, "python train.py").learning_rate in (None, 0.25)


SCHEDULE = """
class Schedule:
    def __init__(self, optimizer, start, peak, warmup):
        self.optimizer, self.start, self.peak, self.warmup, self.count = optimizer, start, peak, warmup, 0.0
    def step(self):
        self.count += 1
        rate = self.peak
        if self.count < self.warmup:
            rate = self.start + self.count / self.warmup * (self.peak - self.start)
        for group in self.optimizer.param_groups:
            group["lr"] = rate
"""


def test_the_first_step_of_a_warm_up_is_not_the_rate(read):
    code = (
        "import torch, yaml\nwith open('run.yaml') as file:\n    cfg = yaml.safe_load(file)\n"
        + SCHEDULE
        + "net = torch.nn.Linear(3, 2)\noptimizer = torch.optim.AdamW(net.parameters())\n"
        "schedule = Schedule(optimizer, cfg['start_lr'], cfg['lr'], 1000)\n"
        "for step in range(90):\n    schedule.step()\n    net(torch.ones(3)).sum().backward()\n    optimizer.step()\n"
    )
    assert (
        read({"train.py": code, "run.yaml": "start_lr: 0.0002\nlr: 0.0008\n"}, "python train.py").learning_rate
        == 0.0008
    )


WARMED_BY_HAND = """
import argparse
import math
import torch

parser = argparse.ArgumentParser()
parser.add_argument("--batch-size", type=int, default=1024)
parser.add_argument("--base-rate-of-weights", type=float, default=0.2)
args = parser.parse_args()


def adjust(optimizer, loader, step):
    warmup = 10 * len(loader)
    base = args.batch_size / 256
    if step < warmup:
        rate = base * step / warmup
    else:
        rate = base * 0.5 * (1 + math.cos(math.pi * step / (100 * len(loader))))
    optimizer.param_groups[0]["lr"] = rate * args.base_rate_of_weights


net = torch.nn.Conv2d(3, 3, 3)
optimizer = torch.optim.SGD(net.parameters(), lr=0)
loader = torch.utils.data.DataLoader([], batch_size=args.batch_size)
for epoch in range(100):
    for step, image in enumerate(loader, start=epoch * len(loader)):
        adjust(optimizer, loader, step)
        net(image).sum().backward()
        optimizer.step()
"""


def test_rates_in_the_groups_win_over_a_zero_beside_them(read):
    program = WARMED_BY_HAND.replace(
        "net.parameters(), lr=0", "[dict(params=net.parameters(), lr=0.3)], 0, momentum=0.9"
    )
    assert (
        read({"train.py": program.replace("        adjust(", "        print(")}, "python train.py").learning_rate == 0.3
    )


DECAYS = """
    import torch

    class Pulled{base}:
        def __init__(self, {names}):
            super().__init__(params, dict(lr=lr, pull=pull))

    model = torch.nn.Linear(4, 2)
    optimizer = Pulled({given})
    for step in range(20):
        model(torch.zeros(1, 4)).sum().backward()
        optimizer.step()
    """


@pytest.mark.parametrize(
    ("names", "given"),
    [
        ("params, pull, lr=0.01", "model.parameters(), 0.9, 0.03"),
        ("params, pull, lr=0.01", "model.parameters(), 0.9, lr=0.03"),
        ("params, lr, pull=0.9", "model.parameters(), 0.03, 0.7"),
    ],
)
def test_an_optimizer_of_ones_own_takes_its_rate_where_it_says(read, names, given):
    main = DECAYS.format(base="(torch.optim.Optimizer)", names=names, given=given)
    assert read({"main.py": main}, "python main.py").learning_rate == 0.03


NAMED = """
    import argparse
    import torch
    parser = argparse.ArgumentParser()
    parser.add_argument("--lr", type=float, default=0.2)
    parser.add_argument("--bs", type=int, default=16)
    args = parser.parse_args()
    RATES = {"learning_rate": 0.7, "batch_size": 128}
    model = torch.nn.Linear(4, 2)
    loader = torch.utils.data.DataLoader(torch.zeros(64, 4), batch_size=args.bs)
    optimizer = torch.optim.SGD(model.parameters(), lr=args.lr)
    for batch in loader:
        model(batch).sum().backward()
        optimizer.step()
    print(RATES["learning_rate"], RATES["batch_size"])
    """


def test_what_the_command_leaves_to_a_variable_is_filled_by_nothing_alike(read):
    found = read({"main.py": NAMED}, "python main.py --lr $RATE --bs $SIZE")
    assert (found.learning_rate, found.batch_size) == (None, None)
    found = read({"main.py": NAMED}, "RATE=0.5 SIZE=8; python main.py --lr $RATE --bs $SIZE")
    assert (found.learning_rate, found.batch_size) == (0.5, 8)
