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


EITHER = """
    import sys
    import torch
    model = torch.nn.Linear(4, 2)

    def chosen(kind):
        if kind == "sgd":
            made = torch.optim.SGD(model.parameters(), lr=0.1)
        else:
            made = torch.optim.AdamW(model.parameters(), lr=0.1)
        return made

    optimizer = chosen({kind})
    for step in range(9):
        model(torch.zeros(1, 4)).sum().backward()
        optimizer.step()
    """


def test_of_two_optimizers_between_which_the_run_decides_neither_is_told(read):
    assert read({"main.py": EITHER.format(kind="input()")}, "python main.py").optimizer is None
    assert read({"main.py": EITHER.format(kind="sys.argv[1]")}, "python main.py adamw").optimizer == "AdamW"
