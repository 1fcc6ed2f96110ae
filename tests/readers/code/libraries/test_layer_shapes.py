"""Widths that layers show of themselves, and shapes behind them, by which programs make other layers."""

import pytest

CODE = """
import torch
from torch import nn

def trunk():
    return [nn.Conv2d(3, 8, 3), nn.ReLU(), nn.Conv2d(8, 16, 3), nn.ReLU()]

class Wide(nn.Linear):
    def __init__(self, width):
        super().__init__(width, 5)

{net}
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(9):
    net(torch.zeros(1, 3, 4, 4)).sum().backward()
    optimizer.step()
"""


@pytest.mark.parametrize(
    ("net", "count"),
    [
        ("net = nn.Conv2d(trunk()[-2].out_channels, 4, 3)", 16 * 36 + 4),
        ("net = nn.Sequential(*[nn.Linear(one.out_channels, k) for k, one in enumerate(trunk()[::2], 1)])", 9 + 34),
        ("net = nn.Linear(nn.LSTM(4, hidden_size=7).hidden_size * 2, 2)", 30),
        ("net = nn.Linear(nn.Embedding(50, 6).embedding_dim, Wide(4).in_features)", 28),
        (
            "words = nn.Embedding(50, embedding_dim=int(open('w').read()))\nnet = nn.Linear(words.embedding_dim, 2)",
            None,
        ),
    ],
)
def test_a_layer_shows_the_widths_that_it_was_made_with(read, net, count):
    found = read({"train.py": CODE.replace("{net}", net)}, "python train.py").param_size
    assert found == (str(count) if count else None)


PASSED = """
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

class Net(nn.Module):
    def __init__(self, shape=(3, 32, 32), count=10):
        super().__init__()
        self.conv = nn.Sequential(nn.Conv2d(3, 8, 3, stride=2), nn.ReLU(), {second}, nn.ReLU())
        {width}
        self.fc = nn.Linear(wide, count)

    def forward(self, x):
        return self.fc(self.conv(x).flatten(1))

    def behind(self, shape):
        return int(np.prod(self.conv(torch.zeros(1, *shape)).size()))

net = Net()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(9):
    net(torch.zeros(1, 3, 32, 32)).sum().backward()
    optimizer.step()
"""
SECOND = "nn.Conv2d(8, 16, 3)"
CONVOLUTIONS = 216 + 8 + 16 * 72 + 16


@pytest.mark.parametrize(
    ("second", "width", "wide"),
    [
        (SECOND, "wide = self.behind(shape)", 16 * 13 * 13),
        (SECOND, "wide = self.conv(torch.zeros(1, *shape)).view(1, -1).shape[1]", 16 * 13 * 13),
        (SECOND, "wide = self.conv(torch.zeros(1, *shape)).flatten().shape[0]", 16 * 13 * 13),
        (SECOND, "wide = self.conv(torch.rand(shape)[None]).numel()", 16 * 13 * 13),
        (SECOND, "wide = F.max_pool2d(self.conv(torch.rand(1, *shape)), 2).data.view(1, -1).size(1)", 16 * 36),
        (
            SECOND,
            "x = self.conv(torch.ones(2, *shape)); wide = x[0].shape[0] * x[0].shape[1] * x[0].shape[2]",
            16 * 169,
        ),
        (
            SECOND,
            "wide = nn.Sequential(self.conv, nn.Flatten())(torch.as_tensor(np.zeros((1, 3, 32, 32)))).shape[1]",
            2704,
        ),
        ("nn.Conv2d(8, 16, (3, 3), padding=1, dilation=2)", "wide = self.behind(shape)", 16 * 13 * 13),
        ("nn.Conv2d(8, 16, 3, padding='same')", "wide = self.behind(shape)", None),
        (SECOND, "wide = nn.MaxPool2d(2, ceil_mode=True)(self.conv(torch.ones(1, *shape))).numel()", None),
        (SECOND, "pool = nn.AdaptiveAvgPool2d((2, 3)); h, w = pool.output_size; wide = 16 * h * w", 96),
        (SECOND, "wide = self.conv[-2].out_channels * self.conv[0].kernel_size[0]", 48),
        (SECOND, "wide = self.conv[2].weight.shape[0]", None),
        (SECOND, "wide = nn.Linear(4, 6).weight.shape[0] + nn.Embedding(9, 5).weight.size(1)", 11),
        (SECOND, "wide = self.behind((3, 2, 2))", None),
    ],
)
def test_a_tensor_that_is_passed_through_layers_tells_how_wide_the_next_one_is(read, second, width, wide):
    code = PASSED.replace("{second}", second).replace("{width}", width)
    found = read({"train.py": code}, "python train.py").evidence["param_size"] if wide else None
    if wide is None:
        assert read({"train.py": code}, "python train.py").param_size is None
    else:
        assert f"{CONVOLUTIONS + wide * 10 + 10:,}" in found[0].note


def test_tensors_that_a_network_keeps_are_not_its_parameters(read):
    net = """
from torch.autograd import Variable
class Boxes(nn.Module):
    def __init__(self):
        super().__init__()
        self.priors = Variable(torch.Tensor([0.5, 2.0]).view(-1, 2), volatile=True)
        self.scale = torch.FloatTensor(5)
        self.fc = nn.Linear(4, 2)
    def forward(self, x):
        return self.fc(x) * self.scale, self.priors
net = Boxes()
"""
    assert read({"train.py": CODE.replace("{net}", net)}, "python train.py").param_size == "10"


@pytest.mark.parametrize(
    "code",
    [
        "made = nn.Sequential(nn.ReLU())\n" + "made = nn.Sequential(made, made)\n" * 40 + "wide = made(nothing).shape",
        "import itertools\nmade = itertools.count()\n"
        + f"made = zip({', '.join(['made'] * 40)})\n" * 6
        + "for one in made:\n    break",
        "wide = nothing.size(-9)",
        "wide = nn.Conv2d(3)(torch.zeros(1, 3, 8, 8)).shape, nn.Linear()(nothing).shape",
        "wide = nothing.flatten('a').shape, torch.flatten(nothing, 1.5).shape",
    ],
)
def test_rows_of_rows_and_sides_that_are_not_there_end_no_reading(read, code):
    net = f"nothing = torch.zeros(1, 4)\n{code}\nnet = nn.Linear(4, 2)\n"
    assert read({"train.py": CODE.replace("{net}", net)}, "python train.py").param_size == "10"
