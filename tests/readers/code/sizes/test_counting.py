"""Parameters that are counted layer by layer: each expected number is worked out by hand beside the network."""

import pytest

from schedmate.readers.code.sizes.counting import count_parameters

HEAD = """
import copy
import torch
from collections import OrderedDict
from functools import partial
from torch import nn
from torchvision import models
"""


@pytest.fixture
def counted(follow):
    """Follow a program and count the network that it calls `net`; nothing where the count is open."""

    def count(code, words=""):
        run, names = follow(HEAD + code, words)
        return count_parameters(run, names["net"])

    return count


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


RESIDUAL = """
class Block(nn.Module):
    widening = 2

    def __init__(self, taken, given, stride=1):
        super().__init__()
        self.first = nn.Conv2d(taken, given, 3, stride, 1, bias=False)
        self.norm = nn.BatchNorm2d(given)
        self.second = nn.Conv2d(given, given * self.widening, 1)
        self.short = nn.Identity() if taken == given * self.widening else nn.Conv2d(taken, given * self.widening, 1)

    def forward(self, x):
        return self.second(self.norm(self.first(x))) + self.short(x)


class Tower(nn.Module):
    def __init__(self, depths, classes=10):
        super(Tower, self).__init__()
        self.width = 8
        self.stem = nn.Conv2d(3, 8, 3)
        self.stages = nn.ModuleList()
        for stage, depth in enumerate(depths):
            self.stages.append(self.make_stage(Block, 8 * 2 ** stage, depth))
        self.head = nn.Linear(self.width, classes)
        for part in self.modules():
            if isinstance(part, nn.Conv2d):
                nn.init.kaiming_normal_(part.weight)

    def make_stage(self, block, width, depth):
        layers = [block(self.width, width, 2)]
        self.width = width * block.widening
        for _ in range(1, depth):
            layers.append(block(self.width, width))
        return nn.Sequential(*layers)

    def forward(self, x):
        x = self.stem(x)
        for stage in self.stages:
            x = stage(x)
        return self.head(x.mean((2, 3)))
"""
STEM = 8 * 27 + 8
FIRST = (8 * 8 * 9) + 16 + (8 * 16 + 16) + (8 * 16 + 16)
SECOND = (16 * 8 * 9) + 16 + (8 * 16 + 16)
WIDER = (16 * 16 * 9) + 32 + (16 * 32 + 32) + (16 * 32 + 32)


def test_stages_are_counted_as_loops_and_conditions_build_them(counted):
    total = STEM + FIRST + 4 * SECOND + WIDER + (32 * 10 + 10)
    assert counted(RESIDUAL + "net = Tower([5, 1])") == total


def test_the_command_tells_how_deep_a_network_is(counted):
    code = RESIDUAL + "import sys\nnet = Tower([int(sys.argv[1])], classes=2)"
    assert counted(code, "3") == STEM + FIRST + 2 * SECOND + (16 * 2 + 2)
    assert counted(RESIDUAL + "net = Tower([int(open('depth').read())])") is None


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


def test_a_deep_row_of_costly_blocks_is_counted_to_its_end(counted):
    layers = "\n".join(f"        self.part{place} = nn.Linear(width, width)" for place in range(60))
    code = f"""
class Costly(nn.Module):
    def __init__(self, width, drop, layer_idx):
        super().__init__()
{layers}
        self.total = sum([place * 2 for place in range(500)])

    def forward(self, x):
        return self.part0(x)

class Deep(nn.Module):
    def __init__(self, depth):
        super().__init__()
        rates = [0.1 * place for place in range(depth)]
        self.blocks = nn.ModuleList([Costly(4, rates[place], layer_idx=place) for place in range(depth)])

    def forward(self, x):
        for block in self.blocks:
            x = block(x)
        return x

net = Deep(24)
"""
    assert counted(code) == 24 * 60 * 20


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


MAKING = {
    "list": "rows = []\n        for i in range({n}):\n            rows += [nn.Linear(8, 8), nn.ReLU()]",
    "append": "rows = nn.ModuleList()\n        for i in range({n}):\n            rows.append(nn.Linear(8, 8))",
    "while": "rows, i = [], 0\n        while i < {n}:\n            rows.append(nn.Linear(8, 8))\n            i += 1",
    "recursion": "rows = [deeper({n} - 1)]",
}


@pytest.mark.parametrize("making", MAKING)
@pytest.mark.parametrize("rounds", [3, 40, 300])
def test_a_loop_of_which_not_every_round_was_seen_leaves_the_count_open(counted, making, rounds):
    code = f"""
def deeper(n):
    return nn.Sequential(nn.Linear(8, 8), deeper(n - 1)) if n else nn.Linear(8, 8)

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        {MAKING[making].format(n=rounds)}
        self.rows = nn.Sequential(*rows)

    def forward(self, x):
        return self.rows(x)

net = Net()
"""
    assert counted(code) in {72 * rounds, None}


def test_a_network_for_each_fold_is_counted_once(counted):
    code = """
for fold in range(10):
    net = nn.Sequential(nn.Linear(8, 4), nn.Linear(4, 2))
"""
    assert counted(code) == 36 + 10


def test_a_network_that_may_hold_itself_is_left_open(counted):
    code = """
class Net(nn.Module):
    def __init__(self, other):
        super().__init__()
        self.body = nn.Linear(3, 4)
        self.other = self if other else nn.Linear(4, 4)

    def forward(self, x):
        return self.other(self.body(x))

net = Net(input())
"""
    assert counted(code) is None


def test_sparse_and_graph_layers_have_their_parameters(counted):
    code = """
import spconv.pytorch as spconv
from torch_geometric.nn import GatedGraphConv, NNConv, TopKPooling
from torch_geometric.nn.resolver import activation_resolver

class Sparse(spconv.SparseModule):
    def __init__(self):
        super().__init__()
        self.act = activation_resolver("relu")
        self.body = spconv.SparseSequential(spconv.SubMConv3d(4, 8, 3, bias=False, indice_key="a"), nn.BatchNorm1d(8))
        self.back = spconv.SparseInverseConv3d(8, 4, 3, indice_key="a")

    def forward(self, x):
        return self.back(self.act(self.body(x)))

net = nn.Sequential(Sparse(), TopKPooling(6), NNConv(2, 3, nn.Linear(1, 6)), GatedGraphConv(5, 2))
"""
    sparse = 4 * 27 * 8 + 16 + (8 * 27 + 1) * 4
    assert counted(code) == sparse + 6 + (12 + 6 + 3) + (2 * 25 + 3 * 5 * (5 + 5 + 2))


def test_a_norm_that_is_told_its_shape_as_a_number_or_a_row(counted):
    code = """
import numbers
class Norm(nn.Module):
    def __init__(self, shape):
        super().__init__()
        if isinstance(shape, numbers.Integral):
            shape = (shape,)
        shape = torch.Size(shape)
        self.weight = nn.Parameter(torch.ones(shape))
    def forward(self, x):
        return x * self.weight
net = nn.Sequential(Norm(12), Norm((3, 5)))
"""
    assert counted(code) == 12 + 15


KEPT = """
class Coded(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.layer = nn.Linear(width, width)
        self.rates = 1.0 * torch.exp(torch.arange(0, width) * -0.1)
        self.places = unseen.permute(1, 2, 0).sum(-1)
        self.part = unseen.make(3)

    def forward(self, x):
        return self.layer(x) * self.rates.unsqueeze(0) + self.places.view(-1){more}

from elsewhere import unseen
net = Coded(8)
"""


@pytest.mark.parametrize(("more", "total"), [("", 72), (" + self.part(x)", None), (" + self.part.inner(x)", None)])
def test_tensors_that_are_kept_beside_the_layers_are_no_parts(counted, more, total):
    assert counted(KEPT.replace("{more}", more)) == total


TURNED = """
import numpy as np
from scipy import linalg

class Turned(nn.Module):
    def __init__(self, width):
        super().__init__()
        q, _ = torch.qr(torch.randn(width, width))
        self.weight = nn.Parameter(q.unsqueeze(2).unsqueeze(3))
        p, lower, upper = linalg.lu(np.random.randn(width, width))
        self.lower = nn.Parameter(torch.from_numpy(lower))
        self.signs = nn.Parameter(torch.log(torch.abs(torch.from_numpy(np.diag(upper)))))

    def forward(self, x):
        return x @ self.weight @ self.lower * self.signs

net = Turned(12)
"""


def test_what_a_square_matrix_is_taken_apart_into_is_as_large(counted):
    assert counted(TURNED) == 144 + 144 + 12


MADE_UP = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        q, r = torch.linalg.qr(torch.randn(100, 10))
        row = torch.arange(1, 17).float()
        self.layer = nn.Linear(2, 3)
        self.weight = nn.Parameter({tensor})

    def forward(self, x):
        return self.layer(x) * self.weight

net = Net()
"""


@pytest.mark.parametrize(
    ("tensor", "total"),
    [
        ("row", 16),
        ("torch.log(row.repeat(512, 1))", 16 * 512),
        ("torch.arange(2, 11, 3)", 3),
        ("torch.linspace(0, 1, 7)", 7),
        ("torch.eye(3, 4)", 12),
        ("row.repeat(number(), 1)", None),
        ("row.expand(4, 16)", None),
        ("r", None),
        ("torch.diag(torch.ones(400))", None),
        ("torch.diag(torch.ones(20, 20))", 20),
    ],
)
def test_tensors_that_are_repeated_and_taken_apart(counted, tensor, total):
    assert counted(MADE_UP.replace("{tensor}", tensor)) == (None if total is None else total + 9)


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


def test_a_loop_that_only_works_out_a_width_is_followed_to_its_end(counted):
    code = """
def left(side, layers):
    for _ in range(layers):
        side = (side - 3 + 2) // 2 + 1
    return side

net = nn.Sequential(nn.Linear(left(80, 6), 4), nn.ReLU())
"""
    assert counted(code) == (2 + 1) * 4


PUT_IN_ROWS = """
def sequential(*given):
    modules = []
    for module in given:
        if isinstance(module, nn.Sequential):
            for submodule in module.children():
                modules.append(submodule)
        elif isinstance(module, nn.Module):
            modules.append(module)
    return nn.Sequential(*modules)

def block(wide):
    layers = []
    for kind in "CBR":
        if kind == "C":
            layers.append(nn.Conv2d(wide, wide, 3))
        elif kind == "B":
            layers.append(nn.BatchNorm2d(wide))
        elif kind == "R":
            layers.append(nn.ReLU())
    return {made}

rows = [block(4) for _ in range({rounds})]
net = {net}
"""


@pytest.mark.parametrize("rounds", [3, 15, 40])
def test_parts_of_layers_that_are_made_alike_are_each_their_own(counted, rounds):
    code = PUT_IN_ROWS.replace("{rounds}", str(rounds))
    taken = code.replace("{made}", "sequential(*layers)").replace("{net}", "sequential(nn.Conv2d(4, 4, 1), *rows)")
    listed = code.replace("{made}", "layers").replace(
        "{net}", "nn.Sequential(*[layer for row in rows for layer in row])"
    )
    assert counted(taken) == 20 + rounds * (148 + 8)
    assert counted(listed) == rounds * (148 + 8)


def test_layers_of_einops_that_only_turn_tensors_hold_nothing(counted):
    code = "from einops.layers.torch import EinMix, Rearrange, Reduce\n"
    row = "Rearrange('b c h w -> b (c h w)'), nn.Linear(12, 2), Reduce('b c -> b', 'mean')"
    assert counted(f"{code}net = nn.Sequential({row})") == 26
    assert counted(f"{code}net = nn.Sequential(EinMix('b c -> b d', weight_shape='c d', c=4, d=5), {row})") is None


NNX = """
from flax import nnx
import equinox as eqx

class Row(nnx.Module):
    def __init__(self, rngs):
        self.first = nnx.Conv(3, 8, kernel_size=(3, 3), rngs=rngs)
        self.rows = [nnx.Linear(8, 8, rngs=rngs) for _ in range(3)]
        self.norm = nnx.LayerNorm(8, rngs=rngs)
        self.out = nnx.Linear(8, 2, use_bias=False, rngs=rngs)

    def __call__(self, x):
        for row in self.rows:
            x = row(x)
        return self.out(self.norm(x))

class Own(eqx.Module):
    layers: list

    def __init__(self, key):
        self.layers = [eqx.nn.Linear(4, 8, key=key), eqx.nn.Linear(8, 2, use_bias=False, key=key)]

    def __call__(self, x):
        return x

class Plain(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(4, 2)
        self.rows = [nn.Linear(8, 8)]

    def forward(self, x):
        return self.first(x)

net = {net}
"""


@pytest.mark.parametrize(
    ("net", "total"),
    [
        ("Row(nnx.Rngs(0))", (27 + 1) * 8 + 3 * 72 + 16 + 16),
        ("Own(0)", 40 + 16),
        ("Plain()", 10),
        ("nnx.MultiHeadAttention(num_heads=2, in_features=8, rngs=nnx.Rngs(0))", 4 * 72),
        ("nnx.MultiHeadAttention(num_heads=2, in_features=8, use_bias=False, rngs=nnx.Rngs(0))", 4 * 64),
        ("nnx.BatchNorm(100, use_bias=False, rngs=nnx.Rngs(0))", 100),
        ("eqx.nn.MLP(4, 2, 8, 2, key=0)", 40 + 72 + 18),
        ("eqx.nn.MLP(4, 2, 8, 2, use_bias=False, key=0)", 32 + 64 + 18),
        ("eqx.nn.LayerNorm(8, use_bias=False)", 8),
        ("eqx.nn.GRUCell(4, 8, key=0)", 24 * (4 + 8 + 1) + 8),
    ],
)
def test_layers_of_nnx_and_equinox_know_their_widths(counted, net, total):
    assert counted(NNX.replace("{net}", net)) == total


def test_rows_are_made_by_functions_of_any_kind_of_rows(counted):
    code = """
class Grown(nn.Module):
    def __init__(self):
        super().__init__()
        self.rows = self.pyramidal_make_layer(12)

    def pyramidal_make_layer(self, depth):
        layers = [nn.Linear(4, 4)]
        for place in range(1, depth):
            layers.append(nn.Linear(4, 4))
        return nn.Sequential(*layers)

    def forward(self, x):
        return self.rows(x)

net = Grown()
"""
    assert counted(code) == 12 * 20


def test_layers_that_hear_hold_nothing_that_learns(counted):
    code = "from torchlibrosa.stft import LogmelFilterBank, Spectrogram\n"
    assert (
        counted(f"{code}net = nn.Sequential(Spectrogram(n_fft=64), LogmelFilterBank(sr=8000), nn.Linear(8, 2))") == 18
    )


@pytest.mark.parametrize(("chosen", "total"), [("plain if told.way else other", 72), ("told.way", None)])
def test_one_of_several_functions_holds_nothing(counted, chosen, total):
    code = f"""
import pickle
told = pickle.load(open("told.pkl", "rb"))
def plain(x): return x
def other(x): return -x

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.row = nn.Linear(8, 8)
        self.ends = {chosen}

    def forward(self, x):
        return self.ends(self.row(x))

net = Net()
"""
    assert counted(code) == total


def test_rows_of_rows_are_followed_below_an_objects_making(counted):
    code = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.rows = self._put_together(5)

    def _put_together(self, depth):
        rows = []
        for place in range(depth):
            row = []
            for other in range(4):
                row.append(nn.Linear(8, 8))
            if place == 0:
                row.append(nn.Linear(8, 8))
            rows.append(nn.ModuleList(row))
        return nn.ModuleList(rows)

    def forward(self, x):
        return self.rows[0][0](x)

net = Net()
"""
    assert counted(code) == 21 * 72


def test_a_table_whose_numbers_are_put_in_anew_is_a_table(counted):
    code = """
class Places(nn.Embedding):
    def __init__(self, many, wide):
        super().__init__(many, wide)
        self.weight.data = unheard(many, wide)

    def forward(self, x):
        return nn.functional.embedding(x, self.weight)

net = Places(10, 8)
"""
    assert counted(code) == 80


@pytest.mark.parametrize(
    ("names", "more", "gone", "total"),
    [
        ('["a", "b", "c"]', "nn.Linear(8, 8)", "pass", 3 * 72 + 9),
        ('["a", "b", "c"]', "nn.Linear(8, 8)", "del self.end", 3 * 72),
        ('["a", "b", "c"]', "unheard[name](8)", "pass", None),
        ("unheard.names", "nn.Linear(8, 8)", "pass", None),
    ],
)
def test_a_row_that_is_added_to_in_place_grows_and_a_part_that_is_deleted_is_gone(counted, names, more, gone, total):
    code = f"""
import unheard
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.rows = nn.ModuleList()
        for name in {names}:
            self.rows += [{more}]
        self.end = nn.Linear(8, 1)
        {gone}

    def forward(self, x):
        for row in self.rows:
            x = row(x)
        return self.end(x)

net = Net()
"""
    assert counted(code) == total
