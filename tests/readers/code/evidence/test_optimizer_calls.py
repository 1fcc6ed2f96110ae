"""The calls that make optimizers on the path, and the proposal of one by its name."""

import pytest

CHOSEN = """
import json
import sys
import torch

def chosen(kind, model):
    if kind == "sgd":
        return torch.optim.SGD(model.parameters(), lr=0.5)
    elif kind == "adam":
        return torch.optim.Adam(model.parameters(), lr=0.5)
    elif kind == "rmsprop":
        return torch.optim.RMSprop(model.parameters(), lr=0.5)

model = torch.nn.Linear(4, 4)
optimizer = chosen({kind}, model)
for epoch in range(6):
    model(torch.zeros(2, 4)).sum().backward()
    optimizer.step()
"""


@pytest.mark.parametrize(("kind", "optimizer"), [("json.load(sys.stdin)['kind']", None), ("'adam'", "Adam")])
def test_of_several_optimizers_that_only_the_run_picks_none_is_meant(read, kind, optimizer):
    job = read({"train.py": CHOSEN.format(kind=kind)}, "python train.py")
    assert (job.is_training, job.optimizer, job.epochs) == (True, optimizer, 6)
