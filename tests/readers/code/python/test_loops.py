"""Follow loops: short known ones in full; the others once as their first round, then once for any later round."""

import pytest

from tests.readers.code.programs import TORCH_HEAD, lasts


def test_a_loop_below_the_making_of_what_is_no_network_is_not_followed_in_full(follow):
    code = """
class Grid:
    def __init__(self):
        self.rows = []
        self.load()
    def load(self):
        for place in range(90):
            self.rows.append(self.row(place))
    def row(self, place):
        cells = []
        for x in range(90):
            cells.append(x * place)
        return cells
grids = [Grid(), Grid(), Grid()]
"""
    run, _ = follow(code)
    assert run.steps < 5_000


@pytest.mark.parametrize(
    ("loops", "found"),
    [
        ("for iteration in range(6):\n    for rows in unknown:\n        work(rows)", (6, None)),
        ("for iteration in range(6):\n    for rows in known:\n        work(rows)", (6, 66)),
        ("for iteration in range(6):\n    for rows in known:\n        work(rows)\n        break", (None, 6)),
        ("rows = iter(known)\nfor iteration in range(6):\n    work(next(rows))", (None, 6)),
        ("it = 0\nwhile it < 60:\n    for rows in unknown:\n        work(rows)\n        it += 1", (None, 60)),
        ("it = 0\nwhile it < 6:\n    for rows in unknown:\n        work(rows)\n    it += 1", (6, None)),
        ("for i in range(60):\n    work(next(rows))\n    if i >= 40 - 1:\n        break", (None, 40)),
        ("for i in range(60):\n    work(next(rows))\n    if i >= 80:\n        break", (None, 60)),
        ("import gym\nenv = gym.make('x')\nfor t in range(int(args.most_steps)):\n    work(env.step(0))", (None, 70)),
        (
            "import gym\ngames = 70.0\nenv = gym.make('x')\nfor t in range(int(games)):\n    work(env.step(0))",
            (None, None),
        ),
    ],
)
def test_rounds_over_all_data_are_epochs_whatever_they_are_called(read, loops, found):
    assert lasts(read, loops + "\n") == found


TOP = (
    TORCH_HEAD
    + """
import argparse

parser = argparse.ArgumentParser()
parser.add_argument("--rounds", type=int, default=700)
parser.add_argument("--half", action="store_true")
args = parser.parse_args()
model = torch.nn.Linear(3, 1).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
"""
)
REVERSED = (
    TOP
    + """
from torch.utils.data import DataLoader, TensorDataset

loader = DataLoader(TensorDataset(torch.rand(9, 3)), batch_size=3)
args.done = 1
args.last = len(loader.dataset.wherever()) * 3
while args.done <= args.last:
    for (data,) in loader:
        if args.done > args.last:
            break
        model(data).sum().backward()
        optimizer.step()
        args.done += 1
"""
)


def test_where_a_counter_begins_is_not_how_far_it_counts(read):
    assert read({"train.py": REVERSED}, "python train.py").total_steps is None


def test_rounds_in_each_epoch_are_no_epochs(read):
    code = """
import torch

class Trainer:
    def __init__(self, epochs, train_loops_per_epoch=1):
        self.net = torch.nn.GRU(2, 2).cuda()
        self.optimizer = torch.optim.Adam(self.net.parameters(), lr=0.01)
        self.epochs, self.train_loops_per_epoch = epochs, train_loops_per_epoch
    def train(self):
        for self.epoch in range(self.epochs):
            for _ in range(self.train_loops_per_epoch):
                for _ in range(1000):
                    self.net(torch.ones(2, 2)).sum().backward()
                    self.optimizer.step()

Trainer(epochs=3000).train()
"""
    assert read({"train.py": code}, "python train.py").epochs == 3000


GROWN = """
rows = {{}}
for line in {lines}:
    rows[line.name] = 2
x = 0
for key, value in rows.items():
    x += value
"""


def test_what_was_filled_in_a_loop_of_unknown_rounds_is_not_gone_over_as_if_it_were_empty(outcome):
    assert outcome(GROWN.format(lines="[]")) == 0
    assert outcome(GROWN.format(lines='open("lines")')) == "unknown"


CLIMB = """
import os, yaml
from pathlib import Path
place, told = NAMED, {}
while STEADY:
    if os.path.isfile(place):
        told = yaml.safe_load(open(place))
    elif os.path.isdir(place) and os.path.exists(os.path.join(place, "base.yaml")):
        told = {**yaml.safe_load(open(os.path.join(place, "base.yaml"))), **told}
    place = os.path.dirname(place)
x = [told["name"], told["rate"]]
"""


def test_a_loop_that_goes_up_to_the_root_reads_what_lies_on_the_way(outcome):
    files = {
        "configs/base.yaml": "name: top\nrate: 1\n",
        "configs/rows/base.yaml": "rate: 2\n",
        "configs/rows/few.yaml": "size: 3\n",
    }
    code = CLIMB.replace("NAMED", "'./configs/rows/few.yaml'").replace("STEADY", "os.path.normpath(place) != '.'")
    assert outcome(code, "", files) == ["top", 2]
