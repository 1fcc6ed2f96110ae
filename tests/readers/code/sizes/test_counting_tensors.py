"""Parameters of tensors and of layers of other libraries: each expected number is worked out by hand."""

import pytest


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


def test_layers_that_hear_hold_nothing_that_learns(counted):
    code = "from torchlibrosa.stft import LogmelFilterBank, Spectrogram\n"
    assert (
        counted(f"{code}net = nn.Sequential(Spectrogram(n_fft=64), LogmelFilterBank(sr=8000), nn.Linear(8, 2))") == 18
    )


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
