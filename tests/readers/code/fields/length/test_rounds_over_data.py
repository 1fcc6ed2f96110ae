"""Loops of which each round goes over all data."""

import pytest

ONE_PASS = """
import sys

import torch

settings = dict(line.strip().split("=") for line in open("plan.cfg").readlines())
model = torch.nn.Linear(4, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
{within}
"""
OUTER = """
for turn in range({rounds}):
    for place in range(len(open("rows").read()) // 8):
        model(place).sum().backward()
        optimizer.step()
"""
INNER = """
for place in range(len(open("rows").read()) // 8):
    for turn in range({rounds}):
        model(place).sum().backward()
        optimizer.step()
"""


@pytest.mark.parametrize(
    ("within", "rounds", "epochs"),
    [
        (OUTER, 'int(settings["rounds"])', 1),
        (OUTER, 'int(settings["many"])', 4),
        (OUTER, "1", None),
        (INNER, 'int(settings["rounds"])', None),
    ],
)
def test_one_round_is_an_epoch_where_the_settings_ask_for_it(read, within, rounds, epochs):
    files = {"go.py": ONE_PASS.format(within=within.format(rounds=rounds)), "plan.cfg": "rounds=1\nmany=4\n"}
    assert read(files, "python go.py").epochs == epochs


ONE_OF_TWO = """
import sys

import torch
from torch.utils.data import DataLoader

class First:
    size, rounds = 8, 5
    def work(self):
        net = torch.nn.Linear(4, 2)
        optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
        for epoch in range(self.rounds):
            for x in DataLoader(open("rows"), batch_size=self.size):
                net(x).sum().backward()
                optimizer.step()

class Second:
    size, rounds = {size}, {rounds}
    def work(self):
        net = torch.nn.Linear(4, 2)
        optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
        for epoch in range(self.rounds):
            for x in DataLoader(open("rows"), batch_size=self.size):
                net(x).mean().backward()
                optimizer.step()

(First() if sys.argv[1] == "first" else Second()).work()
"""


@pytest.mark.parametrize(
    ("size", "rounds", "kind", "expected"),
    [
        (8, 5, "<kind>", (8, 5)),
        (16, 5, "<kind>", (None, 5)),
        (8, 9, "<kind>", (8, None)),
        (16, 9, "first", (8, 5)),
    ],
)
def test_objects_that_differ_and_between_which_the_run_decides_leave_batch_and_rounds_open(
    read, size, rounds, kind, expected
):
    job = read({"go.py": ONE_OF_TWO.format(size=size, rounds=rounds)}, f"python go.py {kind}")
    assert (job.batch_size, job.epochs) == expected


PARTIES = """
import argparse
import torch
from torch.utils.data import DataLoader

parser = argparse.ArgumentParser()
parser.add_argument("--{name}", type=int, default=3)
args = parser.parse_args()

class Party:
    def __init__(self, shard):
        self.net = torch.nn.Linear(4, 2)
        self.rows = DataLoader(shard, batch_size=8)
        self.steps = args.{name} * len(self.rows)

    def answer(self):
        optimizer = torch.optim.SGD(self.net.parameters(), lr=0.1)
        for turn in {turns}:
            self.net(torch.rand(4)).sum().backward()
            optimizer.step()

parties = [Party(shard) for shard in torch.load("shards.pt")]
for round in range(20):
    for party in parties:
        party.answer()
"""


@pytest.mark.parametrize(
    ("name", "turns", "epochs"),
    [
        ("local_work", "range(self.steps)", None),
        ("epochs", "range(self.steps)", 3),  # of each party's own
        ("local_work", "self.rows", 20),  # each round goes over all that the parties have
    ],
)
def test_rounds_in_which_others_work_for_as_long_as_they_are_told_are_no_epochs(read, name, turns, epochs):
    job = read({"go.py": PARTIES.format(name=name, turns=turns)}, "python go.py")
    assert (job.is_training, job.batch_size, job.epochs) == (True, 8, epochs)


LATER = """
import torch
net = torch.nn.Linear(4, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for iteration in range(25):
    for {name} in unknown.rows():
        net({name}).sum().backward()
        {inside}
    {behind}
"""


@pytest.mark.parametrize(
    ("name", "inside", "behind", "steps"),
    [
        ("data_batch", "optimizer.step()", "pass", None),
        ("data_batch", "pass", "optimizer.step()", 25),
        ("micro_batch", "pass", "optimizer.step()", 25),
    ],
)
def test_a_round_that_learns_from_batch_after_batch_is_no_step(read, name, inside, behind, steps):
    text = LATER.format(name=name, inside=inside, behind=behind)
    assert read({"go.py": text}, "python go.py").total_steps == steps


STRIDE = """
import torch
net = torch.nn.Linear(2, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for {counter} in range(0, 600, 20):
    for rows in torch.utils.data.DataLoader(open("rows.txt"), batch_size=2):
        net(rows).sum().backward()
        opt.step()
"""


def test_a_counter_of_epochs_that_goes_on_in_strides_counts_epochs(read):
    assert read({"main.py": STRIDE.format(counter="epoch")}, "python main.py").epochs == 600


def test_a_limit_that_counts_the_batches_within_its_rounds_is_one_of_steps(read):
    program = """
import torch
from torch.utils.data import DataLoader
loader = DataLoader(PearData("pears/train"), batch_size=8)
net = torch.nn.Linear(4, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
step = 0
while step < 1900:
    for batch in loader:
        net(batch).sum().backward()
        optimizer.step()
        step += 1
"""
    job = read({"fit.py": program}, "python fit.py")
    assert (job.total_steps, job.epochs) == (1900, None)
