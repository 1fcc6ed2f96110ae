"""Loaders whose samples are drawn by a sampler of the repository's own, and loops that leave out the last batch."""

import pytest

DRAWN = """
import torch
from torch.utils.data import DataLoader, Sampler
from torchvision.datasets import MNIST

class Drawing(Sampler):
    def __init__(self, data, count):
        self.data, self.count = data, count
    {length}
    def __iter__(self):
        {draws}

data = MNIST("x", train=True)
loader = DataLoader(data, {told})
net = torch.nn.Linear(4, 2)
adam = torch.optim.Adam(net.parameters())
for epoch in range(20):
    for batch in loader:
        net(batch).sum().backward()
        adam.step()
"""
LENGTH = "def __len__(self):\n        return self.count"
OPEN = "def __len__(self):\n        return self.count * int(input())"
DRAWS = "for _ in range(self.count):\n            yield torch.randint(0, 10, (75,))"
SOME = "return iter(range(self.count)[: self.count // 2])"
CUT_TO_IT = "return iter(torch.randperm(len(self.data)).tolist()[: self.count])"
CHECKED = "order = sorted(self.data)\n        assert len(order) == self.count\n        return iter(order)"
CHOSEN = "order = sorted(self.data)\n        return iter(order)"
SKIPPING = "for at in range(self.count):\n            if at % 2:\n                yield at"
TWICE = "for at in range(self.count):\n            for _ in range(2):\n                yield at"
ENDLESS = "while True:\n            yield 3"


@pytest.mark.parametrize(
    ("length", "draws", "told", "steps"),
    [
        (LENGTH, DRAWS, "batch_sampler=Drawing(data, 200)", 4000),
        (LENGTH, DRAWS, "batch_size=25, sampler=Drawing(data, 1001)", 820),
        (LENGTH, DRAWS, "batch_size=25, sampler=Drawing(data, 1001), drop_last=True", 800),
        (LENGTH, CUT_TO_IT, "batch_size=25, sampler=Drawing(data, 1001)", 820),
        (LENGTH, CHECKED, "batch_size=25, sampler=Drawing(data, 1001)", 820),
        (LENGTH, SOME, "batch_size=25, sampler=Drawing(data, 1001)", None),
        (LENGTH, CHOSEN, "batch_size=25, sampler=Drawing(data, 1001)", None),
        (LENGTH, SKIPPING, "batch_size=25, sampler=Drawing(data, 1001)", None),
        (LENGTH, TWICE, "batch_size=25, sampler=Drawing(data, 1001)", None),
        (LENGTH, ENDLESS, "batch_sampler=Drawing(data, 200)", None),
        (OPEN, DRAWS, "batch_sampler=Drawing(data, 200)", None),
        ("pass", DRAWS, "batch_sampler=Drawing(data, 200)", None),
    ],
)
def test_a_sampler_of_its_own_says_how_much_it_draws(read, length, draws, told, steps):
    job = read({"fit.py": DRAWN.format(length=length, draws=draws, told=told)}, "python fit.py")
    assert (job.epochs, job.total_steps) == (20, steps)


CUT = """
import torch
from torch.utils.data import DataLoader
from torchvision.datasets import MNIST

batch_size = 64
loader = DataLoader(MNIST("x", train=True), batch_size=batch_size, shuffle=True)
net = torch.nn.Linear(4, 2)
adam = torch.optim.Adam(net.parameters())
for epoch in range(50):
    for place, (batch, _) in enumerate(loader):
        if place == {bound}:
            break
        net(batch).sum().backward()
        adam.step()
"""


@pytest.mark.parametrize(
    ("bound", "steps"),
    [("loader.dataset.__len__() // batch_size", 50 * 937), ("loader.dataset.__len__() // int(input())", None)],
)
def test_a_loop_is_left_before_the_last_small_batch(read, bound, steps):
    assert read({"fit.py": CUT.format(bound=bound)}, "python fit.py").total_steps == steps


LIKE_TORCHVISION = """
import numpy as np
import torch
from torchvision.datasets import CIFAR10
class Some(CIFAR10):
    def __init__(self, root, places):
        super().__init__(root, train=True)
        {kept}
loader = torch.utils.data.DataLoader(Some("here", chosen()), batch_size=100)
other = torch.utils.data.DataLoader(CIFAR10("there", train=False), batch_size=50)
unknown = torch.utils.data.DataLoader(rows(), batch_size=50)
net = torch.nn.Linear(2, 2)
sgd = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(2):
    for batch in {items}:
        net(batch).sum().backward()
        sgd.step()
"""


@pytest.mark.parametrize(
    ("kept", "items", "steps"),
    [
        ("self.places = places", "loader", 1000),
        ("self.data = self.data[places]", "loader", None),
        ("self.data = np.zeros((700, 3))", "loader", 14),
        ("self.places = places", "zip(loader, other)", 400),
        ("self.places = places", "zip(other, loader)", 400),
        ("self.places = places", "zip(loader, unknown)", None),
        ("self.places = places", "zip(loader, itertools.cycle(other))", 1000),
    ],
)
def test_samples_that_a_class_chooses_itself_are_not_those_of_the_library(read, kept, items, steps):
    code = "import itertools\n" + LIKE_TORCHVISION.format(kept=kept, items=items)
    job = read({"go.py": code}, "python go.py")
    assert (job.epochs, job.total_steps) == (2, steps)


TORCH = """
import random
import numpy as np
import pandas as pd
import torch
from sklearn.datasets import make_moons
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler
from torch.utils.data import DataLoader, Subset, SubsetRandomSampler, TensorDataset, WeightedRandomSampler
import torchaudio
import paddle
from torchvision import datasets
from torchvision.datasets import MNIST, STL10, SVHN, EuroSAT, OxfordIIITPet

net = torch.nn.Linear(3, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
table = pd.read_csv("wells.csv")
digits = MNIST("here")
{data}
for epoch in range(4):
    for batch in loader:
        optimizer.zero_grad()
        net(batch).sum().backward()
        optimizer.step()
"""


def test_an_epoch_of_phases_has_the_steps_of_the_one_that_trains(read):
    code = TORCH.format(data="").replace(
        "    for batch in loader:", "    for phase in ['train', 'val']:\n     for batch in both[phase]:"
    )
    made = "both = {p: DataLoader(MNIST('x', train=p == 'train'), batch_size=50) for p in ['train', 'val']}\n"
    assert read({"train.py": code.replace("for epoch", made + "for epoch", 1)}, "python train.py").total_steps == 4800
