"""A row of layers is no network inside another, and a module that cannot learn is no model."""

import pytest

NETWORK = """
from torch import nn

class ShrinkingLayer(nn.Module):
    def __init__(self, wide, high):
        super().__init__()
        self.main = nn.Conv1d(wide, high, 3)

    def forward(self, x):
        return self.main(x)

class Model(nn.Module):
    def __init__(self, depth=3):
        super().__init__()
        self.encoder = nn.ModuleList({first})
        for place in range(depth):
            self.encoder.append(ShrinkingLayer(4, 4))
        self.last = nn.Conv1d(4, 1, 1)

    def forward(self, x):
        for one in self.encoder:
            x = one(x)
        return self.last(x)
"""
TRAIN = """
import torch
from nets.unet_small import Model
model = Model()
optimizer = torch.optim.Adam({learned}, lr=0.1)
for epoch in range(7):
    model(epoch).sum().backward()
    optimizer.step()
"""


@pytest.mark.parametrize(("first", "size"), [("", "161"), ("[ShrinkingLayer(4, 4)]", "213")])
@pytest.mark.parametrize("learned", ["model.parameters()", "model.encoder.parameters()"])
def test_a_row_of_layers_is_no_network_inside_another(read, first, size, learned):
    files = {"nets/__init__.py": "", "nets/unet_small.py": NETWORK.format(first=first)}
    job = read({**files, "train.py": TRAIN.format(learned=learned)}, "python train.py")
    assert (job.model_name, job.param_size) == ("unet_small", size)
