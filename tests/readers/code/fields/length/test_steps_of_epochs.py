"""Epochs and data of a known size make a number of steps: cut at random, of one's own, of a library, out of files."""

import pytest

LOOP = """
import json
import numpy as np
import pandas as pd
import torch
from sklearn.model_selection import train_test_split
from torch.utils.data import ConcatDataset, DataLoader, Dataset, Subset, TensorDataset, random_split
from torchvision.datasets import CIFAR10, MNIST

class Numbers(Dataset):
    def __init__(self, size):
        self.items = np.zeros(size)
        self.size = size
    def __len__(self):
        return self.size

class Listed(Dataset):
    def __init__(self, path):
        self.rows = [line.strip().split() for line in open(path)]
    def __len__(self):
        return len(self.rows)

{data}
loader = DataLoader(data, batch_size=32, shuffle=True{more})
net = torch.nn.Linear(4, 2).cuda()
optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)
for epoch in range(10):
    for place, batch in enumerate(loader):
        optimizer.zero_grad()
        net(batch).sum().backward()
        optimizer.step(){end}
"""


def steps(read, data, more="", end="", files=None):
    job = read({"train.py": LOOP.format(data=data, more=more, end=end), **(files or {})}, "python train.py")
    assert job.epochs == 10
    return job.total_steps


@pytest.mark.parametrize(
    ("data", "count"),
    [
        ("data = Numbers(1000)", 320),
        ("data = MNIST('x', train=True)", 18750),
        ("data = CIFAR10('x', train=True, download=True)", 15630),
        ("data, rest = random_split(MNIST('x', train=True), [55_000, 5_000])", 17190),
        ("data, rest = random_split(Numbers(1000), [0.8, 0.2])", 250),
        ("both = Numbers(1000)\nn = int(0.9 * len(both))\ndata, rest = random_split(both, [n, len(both) - n])", 290),
        ("data = ConcatDataset([Numbers(100), MNIST('x', train=False)])", 3160),
        ("data = Subset(Numbers(1000), range(64))", 20),
        ("part, _ = random_split(Numbers(1000), [900, 100])\ndata = Subset(Numbers(1000), part.indices)", 290),
        ("data = TensorDataset(torch.randn(640, 4), torch.zeros(640))", 200),
        (
            "rows = pd.read_csv('rows.csv')\na, b = train_test_split(rows, test_size=0.2)\ndata = TensorDataset(a, a)",
            30,
        ),
        ("data = Listed('train.lst')", 40),
        ("data = Listed('absent.lst')", None),
        ("data = json.load(open('rows.json'))", 20),
        ("data = unknown_data()", None),
        (
            "rows = []\nfor row in read():\n    rows.append(row)\ndata = []\nfor row in rows:\n    data.append(row)",
            None,
        ),
    ],
)
def test_an_epoch_goes_over_all_samples(read, data, count):
    files = {
        "rows.csv": "a,b\n" + "1,2\n" * 100,
        "train.lst": "x.png y.png\n" * 128,
        "rows.json": "[" + ",".join(['{"a": 1}'] * 64) + "]",
    }
    assert steps(read, data, files=files) == count


@pytest.mark.parametrize(
    ("more", "end", "count"),
    [
        (", drop_last=True", "", 310),
        ("", "\n        if place > 5:\n            break", 70),
        ("", "\n        if batch.sum() > 5:\n            break", None),
        (", batch_sampler=mine", "", None),
        (", sampler=torch.utils.data.SubsetRandomSampler(range(100))", "", 40),
        (", sampler=torch.utils.data.RandomSampler(data)", "", 320),
        (", sampler=torch.utils.data.RandomSampler(data, num_samples=64)", "", 20),
    ],
)
def test_what_cuts_an_epoch_short_counts(read, more, end, count):
    assert steps(read, "data = Numbers(1000)", more, end) == count


def test_the_length_of_an_epoch_may_be_told(read):
    code = """
import argparse, torch
parser = argparse.ArgumentParser()
parser.add_argument("--epochs", type=int, default=7)
parser.add_argument("--steps-per-epoch", type=int, default=500)
args = parser.parse_args()
net = torch.nn.Linear(4, 2).cuda()
optimizer = torch.optim.Adam(net.parameters())
for epoch in range(args.epochs):
    for batch in endless(args.steps_per_epoch):
        net(batch).sum().backward()
        optimizer.step()
"""
    assert read({"train.py": code}, "python train.py --epochs 6").total_steps == 3000


ROUNDS = """
import numpy as np
import torch
from torchvision.datasets import MNIST
loader = torch.utils.data.DataLoader(MNIST('x', train=True), batch_size=64, shuffle=True)
net = torch.nn.Linear(4, 2)
sgd = torch.optim.SGD(net.parameters(), lr=1e-3)
{loops}
        net(batch).sum().backward()
        sgd.step()
"""


@pytest.mark.parametrize(
    ("loops", "epochs", "count"),
    [
        ("for epoch in range(1):\n    for batch in loader:", 1, 938),
        ("for epoch in range(1, 2):\n    for batch in loader:", 1, 938),
        ("for epoch in np.arange(3):\n    for batch in loader:", 3, 2814),
        ("for epoch in np.arange(1, 4):\n    for batch in loader:", 3, 2814),
        ("for step in np.arange(500):\n    if True:\n        batch = next(iter(loader))", None, 500),
        ("for epoch in np.arange(0.0, 1.0, 0.1):\n    for batch in loader:", None, None),
        ("for run in range(1):\n    for batch in loader:", None, None),
        ("for epoch in range(1):\n    for batch in loader:\n        if input():\n            break", 1, None),
    ],
)
def test_one_epoch_and_ranges_of_arrays_are_counted(read, loops, epochs, count):
    found = read({"go.py": ROUNDS.format(loops=loops)}, "python go.py")
    assert (found.epochs, found.total_steps) == (epochs, count)


@pytest.mark.parametrize(
    ("told", "count"),
    [
        ('"Rowan/hellaswag", split="train"', 4989),
        ('"yahma/alpaca-cleaned", split="train"', 6470),
        ('"allenai/ai2_arc", "ARC-Easy", split="train"', 282),
        ('"somebody/hellaswag", split="train"', None),
        ('"allenai/ai2_arc", split="train"', None),
    ],
)
def test_sets_of_the_hub_have_their_sizes(read, told, count):
    program = f"""
import torch
from datasets import load_dataset
loader = torch.utils.data.DataLoader(load_dataset({told}), batch_size=8, shuffle=True)
net = torch.nn.Linear(4, 2)
sgd = torch.optim.SGD(net.parameters(), lr=1e-3)
for epoch in range(1):
    for batch in loader:
        net(batch).sum().backward()
        sgd.step()
"""
    assert read({"go.py": program}, "python go.py").total_steps == count


BATCHED = """
import torch
from torch.utils.data import BatchSampler, DataLoader, RandomSampler, TensorDataset, WeightedRandomSampler

class OwnBatches:
    def __init__(self, data, batch_size):
        self.data = data

data = TensorDataset(torch.zeros(1003, 4))
loader = DataLoader(data, batch_sampler={batches})
model = torch.nn.Linear(4, 4)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(6):
    for page in loader:
        model(page).sum().backward()
        optimizer.step()
"""


@pytest.mark.parametrize(
    ("batches", "steps"),
    [
        ("BatchSampler(RandomSampler(data), 10, True)", 600),
        ("BatchSampler(RandomSampler(data), batch_size=10, drop_last=False)", 606),
        ("BatchSampler(WeightedRandomSampler([1.0] * 1003, 50), batch_size=10, drop_last=True)", 30),
        ("OwnBatches(data, 10)", None),
    ],
)
def test_what_makes_the_batches_draws_by_the_sampler_in_it(read, batches, steps):
    assert read({"go.py": BATCHED.format(batches=batches)}, "python go.py").total_steps == steps


PADDLE = """
import paddle
from parts import ImageFolder

data = ImageFolder("/data/imagenet/{folder}")
batches = paddle.io.DistributedBatchSampler(dataset=data, batch_size=64, shuffle=True, drop_last={drops})
loader = paddle.io.DataLoader(dataset=data, batch_sampler=batches)
paddle.distributed.init_parallel_env()
model = paddle.DataParallel(paddle.vision.models.alexnet())
optimizer = paddle.optimizer.Momentum(learning_rate=0.1, parameters=model.parameters())
for epoch in range(2):
    for images, labels in loader:
        loss = model(images).mean()
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
"""
PARTS = """
import os
from paddle.io import Dataset

class ImageFolder(Dataset):
    def __init__(self, root):
        self.samples = [os.path.join(root, name) for name in os.listdir(root)]
{more}
    def __len__(self):
        return len(self.samples)
"""


@pytest.mark.parametrize(
    ("folder", "drops", "more", "steps"),
    [
        ("train", False, "", 2 * 5005),
        ("train", True, "", 2 * 5004),
        ("some", False, "", None),
        ("train", False, "        self.samples = self.samples[:500]", None),
    ],
)
def test_paddle_deals_out_what_a_project_s_own_folder_of_classes_holds(read, folder, drops, more, steps):
    files = {"go.py": PADDLE.format(folder=folder, drops=drops), "parts.py": PARTS.format(more=more)}
    found = read(files, "python -m paddle.distributed.launch --gpus 0,1,2,3 go.py")
    assert (found.num_gpus, found.batch_size, found.total_steps) == (4, 64, steps)
