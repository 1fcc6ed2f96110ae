"""Parameters that are counted layer by layer: each expected number is worked out by hand beside the network."""

import pytest


@pytest.mark.parametrize(
    ("layer", "total"),
    [
        ("nn.Linear(10, 4)", 44),
        ("nn.Linear(10, 4, bias=False)", 40),
        ("nn.Linear(in_features=10, out_features=4)", 44),
        ("nn.Conv2d(3, 8, 5)", 8 * 75 + 8),
        ("nn.Conv2d(8, 8, kernel_size=(1, 3), groups=4, bias=False)", 8 * 2 * 3),
        ("nn.ConvTranspose2d(6, 4, 2, 2)", 6 * 4 * 4 + 4),
        ("nn.Conv1d(2, 5, 3)", 35),
        ("nn.Sequential(nn.BatchNorm2d(7), nn.LayerNorm(5), nn.GroupNorm(2, 6), nn.PReLU())", 14 + 10 + 12 + 1),
        ("nn.Sequential(nn.LayerNorm((3, 4)), nn.InstanceNorm2d(9))", 24),
        ("nn.Embedding(100, 16)", 1600),
        ("nn.LSTM(10, 20)", 4 * 20 * (10 + 20 + 2)),
        ("nn.LSTM(10, 20, 2, bidirectional=True)", 2 * 4 * 20 * (10 + 20 + 2) + 2 * 4 * 20 * (40 + 20 + 2)),
        ("nn.GRU(10, 20, bias=False)", 3 * 20 * 30),
        ("nn.GRUCell(3, 5)", 3 * 5 * (3 + 5 + 2)),
        ("nn.MultiheadAttention(16, 4)", 4 * 16 * 16 + 4 * 16),
        ("nn.TransformerEncoderLayer(16, 4, 64)", (4 * 256 + 64) + (16 * 64 + 64 + 64 * 16 + 16) + 64),
        ("nn.TransformerEncoder(nn.TransformerEncoderLayer(16, 4, 64), 3)", 3 * ((4 * 256 + 64) + 2128 + 64)),
        ("nn.utils.weight_norm(nn.Linear(3, 3))", 12),
        ("nn.Linear(3, size)", None),
    ],
)
def test_layers_have_the_parameters_of_their_arguments(counted, layer, total):
    assert counted(f"import os\nsize = int(os.environ['WIDTH'])\nnet = nn.Sequential({layer}, nn.ReLU())") == total


TIED = """
class Attention(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.mix = nn.Linear(width, 3 * width)
        self.register_buffer("mask", torch.ones(9, 9))

    def forward(self, x):
        return self.mix(x) * self.mask


class Language(nn.Module):
    def __init__(self, words, width, depth):
        super().__init__()
        self.parts = nn.ModuleDict(dict(
            table=nn.Embedding(words, width), blocks=nn.ModuleList([Attention(width) for _ in range(depth)])
        ))
        self.place = nn.Parameter(torch.zeros(1, 9, width))
        self.head = nn.Linear(width, words, bias=False)
        self.parts.table.weight = self.head.weight

    def forward(self, x):
        x = self.parts.table(x) + self.place
        for block in self.parts.blocks:
            x = block(x)
        return self.head(x)
"""


@pytest.mark.parametrize("depth", [2, 60])
def test_tied_weights_count_once_and_each_block_by_itself(counted, depth):
    total = 100 * 8 + 9 * 8 + depth * (8 * 24 + 24)
    assert counted(TIED + f"net = Language(100, 8, {depth})") == total


def test_copies_count_and_shared_parts_do_not(counted):
    code = """
def repeated(part, times):
    return nn.ModuleList([copy.deepcopy(part) for _ in range(times)])

inner = nn.Sequential(OrderedDict([("a", nn.Linear(2, 3)), ("b", nn.Tanh())]))
net = nn.Sequential(inner, inner, nn.Sequential(*repeated(inner, 4)))
"""
    assert counted(code) == 9 + 4 * 9


def test_classes_that_extend_layers_have_their_parameters_and_their_own(counted):
    code = """
class Scaled(nn.Linear):
    def __init__(self, taken, given):
        super().__init__(taken, given, bias=False)
        self.scale = nn.Parameter(torch.randn(given) * 0.1)
        self.frozen = nn.Parameter(torch.zeros(99), requires_grad=False)

class Row(nn.Sequential):
    def __init__(self, width):
        super().__init__(nn.Linear(width, width), nn.ReLU())
        self.add_module("last", nn.Linear(width, 1))

net = nn.Sequential(Scaled(4, 5), Row(3))
"""
    assert counted(code) == (20 + 5) + (12 + 4)


def test_a_part_that_is_not_known_leaves_the_size_open(counted):
    code = """
import thirdparty

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = {body}
        self.head = nn.Linear(4, 2)

    def forward(self, x):
        return self.head(self.body(x))

net = Net()
"""
    assert counted(code.format(body="thirdparty.Backbone(4)")) is None
    assert counted(code.format(body="nn.Sequential(*list(models.vgg16().children())[:-1])")) is None
    assert counted(code.format(body="nn.Linear(4, 4)")) == 20 + 10


def test_a_loss_and_a_buffer_beside_the_layers_have_no_parameters(counted):
    code = """
import thirdparty

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = nn.Linear(4, 2)
        self.criterion = thirdparty.FancyLoss()
        self.teacher = thirdparty.settings()

    def forward(self, x):
        return self.head(x)

net = Net()
"""
    assert counted(code) == 10


def test_a_loaded_network_counts_and_its_configuration_does_not(counted):
    code = """
from transformers import AutoConfig, AutoModel

class Net(nn.Module):
    def __init__(self, name):
        super().__init__()
        self.config = AutoConfig.from_pretrained(name)
        self.body = AutoModel.from_pretrained(name, config=self.config)
        self.head = nn.Linear(768, 2)

    def forward(self, x):
        return self.head(self.body(x)[0])

net = Net("bert-base-uncased")
"""
    assert counted(code) == 110_000_000 + 768 * 2 + 2


def test_a_script_module_is_a_module(counted):
    code = """
class Small(torch.jit.ScriptModule):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(3, 4)

    def forward(self, x):
        return self.layer(x)

net = Small()
"""
    assert counted(code) == 16
