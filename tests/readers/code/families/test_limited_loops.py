"""Loops over data that are left at a number of rounds, of one pass or of all passes together."""

import pytest

HEAD = """
import argparse, torch
from torch.utils.data import DataLoader, Dataset, TensorDataset
parser = argparse.ArgumentParser()
parser.add_argument("--most_steps", type=float, default=70.0)
args = parser.parse_args()
model = torch.nn.Linear(2, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
class Unknown(Dataset):
    def __len__(self):
        return len(read_all())
known = DataLoader(TensorDataset(torch.zeros(42, 2)), batch_size=4)
unknown = DataLoader(Unknown(), batch_size=4)
def work(rows):
    optimizer.zero_grad()
    model(rows).sum().backward()
    optimizer.step()
"""


def lasts(read, loops):
    job = read({"train.py": HEAD + loops}, "python train.py")
    return job.epochs, job.total_steps


PUSHED = """
import torch
from torchvision.datasets import CIFAR10
loader = torch.utils.data.DataLoader(CIFAR10("here", train=True), batch_size=100)
net = torch.nn.Linear(3, 3)
sgd = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(4):
    for x, y in loader:
        push = torch.zeros(3, requires_grad=True)
        for again in range(7):
            net(x + push).sum().backward()
            {inside}
        {outside}
"""


@pytest.mark.parametrize(
    ("inside", "outside", "steps"),
    [
        ("push = push.grad.sign()", "net(x + push).sum().backward()\n        sgd.step()", 2000),
        ("sgd.step()", "pass", None),
        ("sgd.step()", "net(x).sum().backward()\n        sgd.step()", None),
    ],
)
def test_looking_for_the_worst_input_is_no_step(read, inside, outside, steps):
    job = read({"go.py": PUSHED.format(inside=inside, outside=outside)}, "python go.py")
    assert (job.epochs, job.total_steps) == (4, steps)


@pytest.mark.parametrize(
    ("around", "found"),
    [
        ("for i in range(9):", (5, None)),
        ("for epoch in range(9):", (9, None)),
        ("for fold in range(9):", (5, None)),
    ],
)
def test_a_fit_that_is_done_again_has_steps_of_its_own(read, around, found):
    epochs = 1 if "epoch" in around else 5
    code = f"""
import numpy as np
from tensorflow import keras
{around}
    net = keras.Sequential([keras.layers.Dense(2)])
    net.compile(optimizer="adam", loss="mse")
    net.fit(np.zeros((640, 3)), np.zeros(640), epochs={epochs})
"""
    job = read({"go.py": code}, "python go.py")
    assert (job.epochs, job.total_steps) == found


STAGES = """
def {name}(net, data):
    for epoch in range(9):
        for rows in data:
            work(rows)
def main():
    source = iter(known)
    {main}
    {name}(model, known)
main()
"""


@pytest.mark.parametrize(
    ("name", "main", "found"),
    [
        ("finetune", "for step in range(300):\n        work(next(source))", (None, 300)),
        ("finetune", "pass", (9, 99)),
        ("train", "for step in range(300):\n        work(next(source))", (9, 99)),
    ],
)
def test_what_comes_after_the_training_is_not_it(read, name, main, found):
    assert lasts(read, STAGES.format(name=name, main=main)) == found


def test_a_loader_of_what_comes_after_has_another_batch(read):
    code = """
def finetune(net):
    for epoch in range(9):
        for rows in DataLoader(Unknown(), batch_size=512, shuffle=True):
            work(rows)
source = iter(known)
for step in range(300):
    work(next(source))
finetune(model)
"""
    job = read({"train.py": HEAD + code}, "python train.py")
    assert (job.batch_size, job.total_steps) == (4, 300)
