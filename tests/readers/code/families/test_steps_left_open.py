"""Steps that follow from epochs and data only where nothing else decides: other claims are left open."""

import pytest

START = """
import torch
from torch.utils.data import DataLoader
from torchvision.datasets import MNIST, SVHN
net = torch.nn.Linear(784, 10)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
loader = DataLoader(MNIST("d"), batch_size=64)
"""
STEP = "optimizer.zero_grad(); net(x).sum().backward(); optimizer.step()"


def job_of(read, text):
    return read({"train.py": START + text.replace("STEP", STEP)}, "python train.py")


GATHERED = """
n = 0
for epoch in range(5):
    for i, (x, y) in enumerate(loader):
        net(x).sum().backward()
        n += 1
        if {count} % 8 == 0:
            optimizer.step()
            optimizer.zero_grad(){rest}
"""


@pytest.mark.parametrize(
    ("count", "rest", "steps"),
    [
        ("(i + 1)", "", 585),
        ("(i + 1)", "\n    optimizer.step()", 590),
        ("(i + 1)", "\n        elif i + 1 == len(loader):\n            optimizer.step()", 590),
        ("n", "", 586),
        ("n", "\n    n = 0", 585),
    ],
)
def test_batches_left_over_are_stepped_or_not(read, count, rest, steps):
    assert job_of(read, GATHERED.format(count=count, rest=rest)).total_steps == steps


def test_it_means_no_steps_around_data(read):
    text = "from mine import stream\nfor it in range(20):\n    for x, y in stream('a'):\n        STEP\n"
    job = job_of(read, text)
    assert (job.epochs, job.total_steps) == (20, None)
    job = job_of(read, "from mine import draw\nfor it in range(20):\n    x, y = draw('a')\n    STEP\n")
    assert (job.epochs, job.total_steps) == (None, 20)
    rounds = "    for it in range(20):\n        for x, y in stream('a'):\n            STEP\n"
    assert job_of(read, f"from mine import stream\nfor epoch in range(5):\n{rounds}").total_steps is None


ROUND = """
def run(epoch, limit):
    for i, (x, y) in enumerate(loader):
        if {test}:
            break
        STEP
limit = 100
limits = [10, 100, 900, 900, 900]
for epoch in range(5):
    run(epoch, {limit})
{after}
"""


@pytest.mark.parametrize(
    ("test", "limit", "after", "steps"),
    [
        ("i >= limit", "100", "", 500),
        ("i >= limit", "limit", "    for x, y in DataLoader(MNIST('d', train=False), batch_size=64): net(x)", 500),
        ("i >= limit", "100 if epoch == 0 else 10000", "", None),
        ("i >= limit", "limits[epoch]", "", None),
        ("i >= limit", "limit", "    limit += 100", None),
        ("i >= 50 and epoch == 0", "limit", "", None),
    ],
)
def test_limits_that_change_from_epoch_to_epoch_are_open(read, test, limit, after, steps):
    job = job_of(read, ROUND.format(test=test, limit=limit, after=after))
    assert (job.epochs, job.total_steps) == (5, steps)
