"""Networks that are trained or used side by side: the size of one is not the size of all."""

import pytest

TWO = """
import itertools
import torch
from torch import nn

class Reader(nn.Module):
    def __init__(self, wide):
        super().__init__()
        self.layer = nn.Linear(1000, wide)

    def forward(self, x):
        return self.layer(x)

class Whole(nn.Module):
    def __init__(self, one, two):
        super().__init__()
        self.one, self.two = one, two

    def forward(self, x):
        return self.one(x) + self.two(x)

one, two, tiny = Reader(1000), Reader(2000), nn.Linear(2, 2)
whole = Whole(one, two)
{optimizers}
for step in range(9):
    one(two(step)).sum().backward()
    optimizer.step()
"""


@pytest.mark.parametrize(
    ("optimizers", "size"),
    [
        ("optimizer = torch.optim.Adam(one.parameters())", "3M"),
        ("optimizer = torch.optim.Adam([*whole.parameters(), *tiny.parameters()])", "3M"),
        ("optimizer = torch.optim.Adam([{'params': one.parameters()}, {'params': whole.parameters()}])", "3M"),
    ],
)
def test_a_part_or_a_small_thing_beside_the_network_leaves_its_size(read, optimizers, size):
    assert read({"go.py": TWO.format(optimizers=optimizers)}, "python go.py").param_size == size


@pytest.mark.parametrize(
    "optimizers",
    [
        "optimizer = torch.optim.Adam(list(one.parameters()) + list(two.parameters()))",
        "optimizer = torch.optim.Adam([{'params': one.parameters()}, {'params': two.parameters(), 'lr': 0.1}])",
        "optimizer = torch.optim.Adam(itertools.chain(one.parameters(), two.parameters()))",
        "optimizer, other = torch.optim.Adam(one.parameters()), torch.optim.SGD(two.parameters(), lr=0.1)",
    ],
)
def test_the_size_of_one_of_two_networks_is_not_told(read, optimizers):
    code = TWO.format(optimizers=optimizers).replace("whole = Whole(one, two)\n", "")
    assert read({"go.py": code}, "python go.py").param_size is None


APART = """
import torch
from torch import nn
from transformers import {loader}

class HeadOnTop(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(1024, 4)

    def forward(self, x):
        return self.layer(x)

class Judge:
    def __init__(self):
        self.held = {loader}.from_pretrained("facebook/wav2vec2-large-robust")
        self.head = HeadOnTop()

    def run(self, x):
        with torch.no_grad():
            return self.head(self.held(x))

print(Judge().run(3))
"""


@pytest.mark.parametrize(("loader", "size"), [("Wav2Vec2Model", None), ("Wav2Vec2Processor", "4100")])
def test_a_head_beside_the_encoder_that_it_is_put_on_is_not_the_whole(read, loader, size):
    assert read({"go.py": APART.format(loader=loader)}, "python go.py").param_size == size


CUT = """
import torch
from torch import nn
from transformers import Wav2Vec2Model

net = Wav2Vec2Model.from_pretrained("facebook/wav2vec2-large-robust")
{line}
optimizer = torch.optim.Adam(net.parameters(), lr=0.1)
for step in range(9):
    net(step).sum().backward()
    optimizer.step()
"""


@pytest.mark.parametrize(
    ("line", "size"),
    [
        ("del net.encoder.layers[12:]", None),
        ("net.encoder.layers = net.encoder.layers[:12]", None),
        ("net.encoder.layers = nn.ModuleList([net.encoder.layers[at] for at in (0, 5)])", None),
        ("del net.masked_spec_embed", "317M"),
        ("net.config.layerdrop = 0.1", "317M"),
    ],
)
def test_a_loaded_network_that_loses_layers_has_not_the_known_size(read, line, size):
    assert read({"go.py": CUT.format(line=line)}, "python go.py").param_size == size
