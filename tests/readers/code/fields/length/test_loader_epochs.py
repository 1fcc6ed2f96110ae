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
