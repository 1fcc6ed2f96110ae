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


OUT_OF_REACH = """
from torch import nn
from elsewhere import Loop

class Reef({base}):
    def __init__(self):
        super().__init__({given})

reef = Reef()
Loop().train(lambda x: reef(x))
"""


@pytest.mark.parametrize(
    ("base", "given", "name"), [("nn.Sequential", "nn.Linear(4, 5), nn.Linear(5, 2)", "Reef"), ("nn.Module", "", None)]
)
def test_a_class_that_is_a_row_of_layers_is_not_empty(read, base, given, name):
    code = OUT_OF_REACH.format(base=base, given=given)
    assert read({"train.py": code}, "python train.py").model_name == name


PARTS = """
import torch
from torch import nn

class {body}(nn.Module):
    def __init__(self):
        super().__init__()
        self.one = nn.Linear(4, 2)

    def forward(self, x):
        return self.one(x)

class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder, self.last = {body}(), {last}

    def forward(self, x):
        return self.last(self.encoder(x))

model = Model()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(7):
    model(epoch).sum().backward()
    optimizer.step()
"""


@pytest.mark.parametrize(
    ("body", "last", "name", "size"),
    [
        ("Shrink", "nn.Linear(2, 4)", "Model", "22"),
        ("Shrink", "Shrink()", "Model", "20"),
        ("Shrink", "nn.Dropout(0.1)", "Shrink", "10"),
        ("LSTMTagger", "nn.Linear(2, 4)", "LSTMTagger", "22"),
    ],
)
def test_an_encoder_beside_other_layers_is_a_part(read, body, last, name, size):
    job = read({"go.py": PARTS.format(body=body, last=last)}, "python go.py")
    assert (job.model_name, job.param_size) == (name, size)
