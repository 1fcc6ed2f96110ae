"""Attention that a network writes out by hand."""

import pytest

NET = """
import math, torch
from torch import nn

def attention(query, key, value):
    scores = torch.matmul(query, key.transpose(-2, -1)) / math.sqrt(8)
    return torch.matmul(scores.softmax(dim=-1), value)

class Mixing(nn.Module):
    def __init__(self):
        super().__init__()
        self.q, self.k, self.v = nn.Linear(8, 8), nn.Linear(8, 8), nn.Linear(8, 8)
        self.gate = nn.Linear(8, 1)

    def forward(self, x):
        {body}

class Reader(nn.Module):
    def __init__(self):
        super().__init__()
        self.rows = nn.ModuleList([Mixing() for _ in range(2)])
        self.out = {out}

net = Reader()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(5):
    net(step).sum().backward()
    optimizer.step()
"""
WRITTEN = "return torch.softmax(self.q(x) @ self.k(x).T, dim=-1) @ self.v(x)"


@pytest.mark.parametrize(
    ("body", "out", "kind"),
    [
        (WRITTEN, "nn.Linear(8, 2)", "transformer"),
        ("return attention(self.q(x), self.k(x), self.v(x))", "nn.Linear(8, 2)", "transformer"),
        ("return torch.bmm(torch.softmax(self.gate(x), dim=1), x)", "nn.Linear(8, 2)", "mlp"),
        (WRITTEN, "nn.Conv2d(8, 2, 3)", "cnn"),
        (WRITTEN, "nn.GRU(8, 2)", "rnn"),
    ],
)
def test_attention_over_dense_layers_makes_a_transformer(read, body, out, kind):
    code = NET.format(body=body, out=out)
    code = code if kind != "mlp" else code.replace("self.q, self.k, self.v =", "self.a, self.b, self.c =")
    assert read({"go.py": code}, "python go.py").model_type == kind
