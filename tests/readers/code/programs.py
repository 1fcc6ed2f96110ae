"""Pieces of programs that tests of several rooms put together: loops that train, networks, what opens a program."""

TORCH_HEAD = "import torch\nfrom torch.utils.data import DataLoader, TensorDataset\n"
TORCH_LOOP = """
def train(lr, batch_size, epochs):
    model = torch.nn.Linear(4, 2)
    optimizer = torch.optim.AdamW(model.parameters(), lr=lr)
    loader = DataLoader(TensorDataset(torch.randn(8, 4)), batch_size=batch_size, shuffle=True)
    for epoch in range(epochs):
        for (x,) in loader:
            loss = model(x).sum()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
"""
FIT_BATCHES = """
import torch
from torch.utils.data import DataLoader
def fit(lr, steps, data=range(9), batch=4):
    net = torch.nn.Linear(3, 2)
    optimizer = torch.optim.AdamW(net.parameters(), lr=lr)
    for step in range(steps):
        for x in DataLoader(data, batch_size=batch):
            net(x).sum().backward()
            optimizer.step()
"""
NAMED_ROWS = """
import argparse
import pandas as pd
import torch

parser = argparse.ArgumentParser()
parser.add_argument("--{option}", default=None)
parser.add_argument("--table", default="rivers/all.csv")
args = parser.parse_args()
print(args.{option})

class {cls}(torch.utils.data.Dataset):
    def __init__(self, rows, extra):
        self.rows, self.extra = rows, extra

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, place):
        return self.rows[place]

samples = {cls}({rows}, args.{option})
loader = torch.utils.data.DataLoader(samples, batch_size=4, shuffle=True)
net = torch.nn.Linear(4, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(3):
    for batch in loader:
        net(batch).sum().backward()
        optimizer.step()
"""
ON_DEVICE = """
    import random
    import torch
    from torch.utils.data import DataLoader, Dataset

    def load_sound(path):
        with open(path, "rb") as file:
            return torch.frombuffer(file.read(), dtype=torch.int16)

    class Crops(Dataset):
        def __init__(self, listing):
            self.files = listing

        def __getitem__(self, place):
            sound = load_sound(self.files[place])
            start = random.randint(0, len(sound) - 100)
            return sound[start:start + 100]

    class Net(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.last = torch.nn.Linear(4, 2)

    {setup}
    model = Net()
    {move}
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    for epoch in range(3):
        for x in DataLoader(Crops(["a.wav"]), batch_size=4, shuffle=True):
            loss = model(x).sum()
            loss.backward()
            optimizer.step()
    """
FIT_MODEL = """
import torch
from torch import nn
from torch.utils.data import DataLoader
def fit(model, lr, epochs, size):
    optimizer = torch.optim.AdamW(model.parameters(), lr=lr)
    for epoch in range(epochs):
        for x in DataLoader(range(9), batch_size=size):
            model(x).sum().backward()
            optimizer.step()
"""
KNOWN_ROWS = """
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
FIT_STEPS = """
def fit(model, optimizer, steps, loader):
    for step in range(steps):
        loss = model(next(loader)).sum()
        loss.backward()
        optimizer.step()
"""
FIT_SETTINGS = """
import torch
from torch.utils.data import DataLoader

def fit(size, rate, epochs):
    net = torch.nn.GRU(4, 4).cuda()
    optimizer = torch.optim.RMSprop(net.parameters(), lr=rate)
    for epoch in range(epochs):
        for x in DataLoader(range(9), batch_size=size):
            net(x).sum().backward()
            optimizer.step()
"""
FIT_TOLD = "fit({0}.size, {0}.rate, {0}.epochs)\n"
MNIST_LOADER = """
import torch
from torch.utils.data import DataLoader
from torchvision.datasets import MNIST, SVHN
net = torch.nn.Linear(784, 10)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
loader = DataLoader(MNIST("d"), batch_size=64)
"""
MNIST_STEP = "optimizer.zero_grad(); net(x).sum().backward(); optimizer.step()"
WITH_OPTIONS = """
    import argparse

    import torch
    from torch.utils.data import DataLoader

    parser = argparse.ArgumentParser()
    parser.add_argument("--batch", type=int, default=2)
    parser.add_argument("--lr", type=float, default=1.0)
    parser.add_argument("--epochs", type=int, default=1)
    parser.add_argument("--tag", default="")
    args = parser.parse_args()
    model = torch.nn.Linear(4, 4)
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr)
    for epoch in range(args.epochs):
        for batch in DataLoader(list(range(8)), batch_size=args.batch):
            model(batch).sum().backward()
            optimizer.step()
    """


def data_of(read, words, option="dataset", cls="ItemDataset", rows="rows"):
    """Read the data set of a program whose option and class are called so."""
    code = NAMED_ROWS.format(option=option, cls=cls, rows=rows)
    return read({"go.py": code}, f"python go.py {words}").dataset_name


def on_device(setup="", move="model.cuda()"):
    """Give a program that sets up and moves its model as told."""
    return {"train.py": ON_DEVICE.format(setup=setup, move=move)}


def lasts(read, loops):
    """Read the epochs and steps of loops over data of a known and of an unknown size."""
    job = read({"train.py": KNOWN_ROWS + loops}, "python train.py")
    return job.epochs, job.total_steps


def settings_of(job):
    """Give the settings that `fit` was told."""
    return job.batch_size, job.learning_rate, job.epochs


def mnist_job(read, text):
    """Read loops over the digits, in which STEP stands for a step."""
    return read({"train.py": MNIST_LOADER + text.replace("STEP", MNIST_STEP)}, "python train.py")
