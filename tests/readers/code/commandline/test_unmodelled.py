"""A program that hands its work to a library that nobody here knows: the work is followed, what it is given is open."""

import pytest

PROGRAM = """
import argparse
import torch
import {library}

parser = argparse.ArgumentParser()
parser.add_argument("--heat", type=float, default=0.2)
options = parser.parse_args()

def {name}(oven=None):
    net = torch.nn.Linear(2, 2)
    optimizer = torch.optim.Adam(net.parameters(), lr=options.heat)
    for epoch in range(12):
        net(torch.zeros(1, 2)).sum().backward()
        optimizer.step()

{library}.kindle({name}, "bread.log")
"""


@pytest.mark.parametrize(
    ("library", "name", "epochs"),
    [("hearth", "main", 12), ("hearth", "train_model", 12), ("hearth", "crumble", None), ("numpy", "main", None)],
)
def test_work_that_is_handed_over_is_followed(read, library, name, epochs):
    job = read({"bake.py": PROGRAM.format(library=library, name=name)}, "python bake.py --heat 0.4")
    assert (job.is_training, job.epochs) == ((True, 12) if epochs else (None, None))
    assert job.learning_rate == (0.4 if epochs else None)
