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
