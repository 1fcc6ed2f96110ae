"""Layers of which one width is open: left out of a count where even the widest would be a small part of the network."""

import pytest

from schedmate.readers.code.sizes.counting import count_of, count_parameters
from tests.readers.code.networks import VGG_MAKERS, VGG_STEPS

SIDES = """
import pickle
from torch import nn
told = pickle.load(open("told.pkl", "rb"))
text = open("text.txt").read()
letters, words = sorted(list(set(text))), sorted(set(text.split()))
body = nn.Linear(8000, 2000)
"""
BODY = 8001 * 2000
PICTURE = "nn.Conv2d(8, 1000, 9), nn.Conv2d(1000, 500, 3)"
PICTURES = (8 * 81 + 1) * 1000 + (1000 * 9 + 1) * 500


@pytest.mark.parametrize(
    ("net", "total"),
    [
        ("nn.Sequential(nn.Conv2d(told.colours, 64, 7), body)", BODY),
        ("nn.Sequential(body, nn.Conv2d(told.channels, 256, 1))", BODY),
        ("nn.Sequential(body, nn.Conv2d(told.channels, 256, 3))", None),
        ("nn.Sequential(body, nn.BatchNorm2d(told.channels))", BODY),
        (f"nn.Sequential({PICTURE}, nn.Linear(100, len(told.classes)))", PICTURES),
        (f"nn.Sequential({PICTURE}, nn.Linear(100, told.kinds))", None),
        ("nn.Sequential(body, nn.Linear(2000, told.words))", None),
        ("nn.Sequential(body, nn.Linear(told.numbers, 2000))", None),
        ("nn.Sequential(body, nn.Embedding(told.words, 64))", None),
        ("nn.Sequential(body, nn.Conv2d(told.channels, told.channels, 1))", None),
        ("nn.Sequential(body, nn.Conv2d(3, 8, told.side))", None),
        ("nn.Sequential(nn.Conv2d(told.colours, 64, 3), nn.Linear(64, 10))", None),
        ("nn.Sequential(nn.Embedding(len(letters), 256), body, nn.Linear(256, len(letters)))", None),
        ("nn.Sequential(nn.Embedding(len(words), 256), body, nn.Linear(256, len(words)))", None),
    ],
)
def test_a_layer_of_open_width_may_be_left_out(follow, net, total):
    run, names = follow(f"{SIDES}net = {net}")
    assert count_parameters(run, names["net"]) == total


def test_a_count_tells_that_it_leaves_such_a_layer_out(follow):
    run, names = follow(f"{SIDES}net = nn.Sequential(nn.Conv2d(told.colours, 64, 7), body)")
    assert count_of(run, names["net"]).headless


def test_a_copy_has_the_size_of_its_own_layers_and_not_the_one_that_its_name_is_known_for(read):
    copy = VGG_MAKERS.replace("vgg8", "vgg16").replace("[8, 16]", "[open_width, 16]")
    program = VGG_STEPS.replace("vgg8", "vgg16").format(made="vgg16()")
    assert read({"nets.py": copy, "go.py": program}, "python go.py").param_size is None


WHOLE = """
import torch
from torch import nn

class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.GRU(4, 8)
        self.last = nn.Linear(8, {width})

    def forward(self, x):
        return self.last(self.encoder(x)[0])

model = Model()
optimizer = torch.optim.Adam(model.parameters(), lr=0.1)
for step in range(3):
    model(step).sum().backward()
    optimizer.step()
"""


@pytest.mark.parametrize(("width", "size"), [("2", "354"), ("open_width", None)])
def test_one_layer_beside_others_is_not_the_size_of_them_all(read, width, size):
    assert read({"go.py": WHOLE.format(width=width)}, "python go.py").param_size == size
