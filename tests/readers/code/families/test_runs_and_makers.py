"""Names of runs are no models', functions that make networks name them, and only what is trained is the model."""

import pytest

FUNCTIONS = """
from torch import nn

class VGG(nn.Module):
    def __init__(self, widths, classes):
        super().__init__()
        self.features = nn.Conv2d(3, widths[0], 3)
        self.last = nn.Linear(widths[-1], classes)

    def forward(self, x):
        return self.last(self.features(x).mean((2, 3)))

def _make(widths, classes):
    return VGG(widths, classes)

def vgg8(classes=10):
    return _make([8, 16], classes)

def get_vgg13(classes=10):
    return VGG([16, 32, 64], classes)

def best(classes=10):
    return VGG([4], classes)
"""
TRAIN = """
import torch
from nets import vgg8, get_vgg13, best
network = {made}
optimizer = torch.optim.SGD(network.parameters(), lr=0.1)
for step in range(7):
    network(step).sum().backward()
    optimizer.step()
"""


def test_a_copy_has_the_size_of_its_own_layers_and_not_the_one_that_its_name_is_known_for(read):
    copy = FUNCTIONS.replace("vgg8", "vgg16").replace("[8, 16]", "[open_width, 16]")
    program = TRAIN.replace("vgg8", "vgg16").format(made="vgg16()")
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
