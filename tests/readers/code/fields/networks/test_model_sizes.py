"""Sizes of transformers that are computed from their shape where layers are not all known."""

import pytest

NET = """
import torch, pickle
from torch import nn
told = pickle.load(open("told.pkl", "rb"))

class Transformer(nn.Module):
    def __init__(self, embed_dim=384, depth=6, mlp_ratio=4.0):
        super().__init__()
        self.embed_dim, self.depth, self.mlp_ratio = embed_dim, depth, mlp_ratio
        self.table = {table}
        self.blocks = told.blocks(embed_dim, depth, mlp_ratio)

    def forward(self, x):
        return self.blocks(self.table(x))

model = Transformer()
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
for epoch in range(3):
    model(told.x).sum().backward()
    optimizer.step()
"""


@pytest.mark.parametrize(
    ("table", "size"),
    [("nn.Embedding(256, embed_dim)", "10.6M"), ("nn.Embedding(told.words, embed_dim)", None)],
)
def test_words_of_any_number_leave_the_size_open(read, table, size):
    assert read({"train.py": NET.format(table=table)}, "python train.py").param_size == size
