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
