"""Modules that hold nothing which could learn: they only work on what others give them."""

import pytest

NOISY = """
import argparse
import torch
from torch import nn
import nets

parser = argparse.ArgumentParser()
parser.add_argument("net")
args = parser.parse_args()

class AddNoise(nn.Module):
    def __init__(self, amount):
        super().__init__()
        self.amount = {held}

    def forward(self, x):
        return x + self.amount

noise = AddNoise(0.1)
network = getattr(nets, args.net)()
optimizer = torch.optim.Adam(network.parameters(), lr=0.1)
for epoch in range(7):
    network(noise(epoch)).sum().backward()
    optimizer.step()
"""


@pytest.mark.parametrize(
    ("held", "model"),
    [
        ("amount", None),
        ("torch.distributions.Normal(0, amount)", None),
        ("torch.tensor(amount)", None),
        ("[torch.rand(2), amount]", None),
        ("nn.Linear(2, 2)", "AddNoise"),
        ("[nn.Linear(2, 2)]", "AddNoise"),
        ("torch.hub.load('some/where', 'thing')", "AddNoise"),
    ],
)
def test_what_holds_only_numbers_is_no_model_beside_one_whose_name_is_open(read, held, model):
    assert read({"go.py": NOISY.format(held=held), "nets.py": ""}, "python go.py").model_name == model


JOINS = """
import torch
from torch import nn
from elsewhere import Frame

class Join(nn.Module):
    def forward(self, parts):
        return torch.cat(parts)

class Whole(Frame):
    def __init__(self):
        self.rows = nn.Sequential(Join(), nn.Linear(4, 1))

whole = Whole()
whole.fit()
"""


def test_a_module_without_layers_is_no_model(read):
    assert read({"train.py": JOINS}, "python train.py").model_name is None
