"""Modules that are joined by what kind of layer they are, that have no pass of their own, or that the run picks."""

import pytest

from schedmate.readers.code.sizes.counting import count_parameters

HEAD = """
import torch
from torch import nn

def joined(*layers):
    flat = []
    for layer in layers:
        if isinstance(layer, nn.Sequential):
            for inner in layer.children():
                flat.append(inner)
        elif isinstance(layer, nn.Module):
            flat.append(layer)
    return nn.Sequential(*flat)

class Sampler(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.Linear(3, 3)

    def sample(self, x):
        return self.inner(x)

class Wide(nn.Conv2d):
    def forward(self, x):
        return super().forward(x)

class Narrow(nn.Conv2d):
    def forward(self, x):
        return super().forward(x)

def padded(size):
    return Wide if size is None else Narrow

class Net(nn.Module):
    def __init__(self, part):
        super().__init__()
        self.part = part

    def forward(self, x):
        return self.part.sample(x)
"""


@pytest.fixture
def counted(follow):
    """Follow a program and count the network that it calls `net`; nothing where the count is open."""

    def count(code):
        run, names = follow(HEAD + code, "")
        return count_parameters(run, names["net"])

    return count


@pytest.mark.parametrize(
    ("code", "total"),
    [
        ("net = joined(nn.Linear(2, 2), joined(nn.Linear(3, 3), nn.ReLU()), Sampler())", 6 + 12 + 12),
        ("net = Net(Sampler())", 12),
        ("net = padded(input())(3, 4, 1)", 16),
        ("net = Net(nn.ParameterDict({'a': nn.Parameter(torch.zeros(2, 5)), 'b': nn.Parameter(torch.ones(3))}))", 13),
    ],
)
def test_modules_are_counted_whatever_they_are_joined_by(counted, code, total):
    assert counted(code) == total


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("isinstance(nn.Linear(2, 2), nn.Module)", True),
        ("isinstance(nn.Linear(2, 2), (nn.Conv2d, nn.BatchNorm2d))", False),
        ("isinstance(Wide(1, 1, 1), nn.Conv2d)", True),
        ("isinstance(Sampler(), nn.Linear)", False),
        ("isinstance(3, nn.Module)", False),
    ],
)
def test_kinds_of_layers_are_told_apart(follow, question, answer):
    _, names = follow(f"{HEAD}\nnet = {question}", "")
    assert names["net"].data is answer


@pytest.mark.parametrize("question", ["isinstance(nn.ReLU6(), nn.Hardtanh)", "isinstance(nn.LSTM(2, 2), nn.RNNBase)"])
def test_kinds_that_others_extend_stay_open(follow, question):
    _, names = follow(f"{HEAD}\nnet = {question}", "")
    assert names["net"].data is not False


ABOVE = """
import torch
from torch import nn

class Split(nn.Module):
    def __init__(self):
        super().__init__()
        self.base = nn.Linear(3, 3)
        self.head = nn.Linear(3, 2)

    def forward(self, x):
        return self.head(self.base(x))

class Marsh(Split):
    def __init__(self):
        super().__init__()
        self.parts = None

    def forward(self, x):
        return super().forward(x) if self.parts is None else self.head(x)

net = Marsh()
torch.optim.SGD(net.parameters(), lr=0.1).step()
"""


def test_what_the_pass_of_a_class_above_calls_belongs_to_the_network(read):
    assert read({"fit.py": ABOVE}, "python fit.py").param_size == "20"
