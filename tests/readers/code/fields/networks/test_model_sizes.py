"""Sizes of transformers that are computed from their shape where layers are not all known."""

import pytest

from tests.readers.code.networks import with_training
from tests.readers.code.programs import FIT_SETTINGS

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


SHAPED = """
    import torch
    from torch.utils.data import DataLoader

    class Shape:
        def __init__(self, vocab_size=1000, n_embd=64, n_layer=4, n_head=4, n_positions=32):
            self.vocab_size, self.n_embd, self.n_layer = vocab_size, n_embd, n_layer
            self.n_head, self.n_positions = n_head, n_positions

    class Head(torch.nn.Module):
        def __init__(self, embedding_weights):
            super().__init__()
            self.decoder = torch.nn.Linear(4, 4)
            {tie}

    class GPT(torch.nn.Module):
        def __init__(self, shape):
            super().__init__()
            self.wte = torch.nn.Embedding(shape.vocab_size, shape.n_embd)
            self.head = Head(self.wte.weight)

    model = GPT(Shape(n_layer=6))
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    for batch in DataLoader(list(range(8)), batch_size=2):
        model(batch).sum().backward()
        optimizer.step()
    """


def test_a_size_from_what_the_network_is_made_with(read):
    tied = read({"train.py": SHAPED.format(tie="self.decoder.weight = embedding_weights")}, "python train.py")
    untied = read({"train.py": SHAPED.format(tie="pass")}, "python train.py")
    blocks, table, places = 6 * 12 * 64 * 64, 1000 * 64, 32 * 64
    assert tied.param_size == str(blocks + table + places)
    assert untied.param_size == str(blocks + 2 * table + places)


def test_a_size_is_computed_from_the_shape_and_says_so(read):
    text = """
    from dataclasses import dataclass

    @dataclass
    class Config:
        n_layer: int = 12
        n_head: int = 12
        n_embd: int = 768
        block_size: int = 1024
        vocab_size: int = 50304

    class GPT(nn.Module):
        def __init__(self, config):
            super().__init__()
            self.config = config
            self.wte = nn.Embedding(config.vocab_size, config.n_embd)
            self.attention = nn.MultiheadAttention(config.n_embd, config.n_head)
            self.head = nn.Linear(config.n_embd, config.vocab_size, bias=False)
            self.wte.weight = self.head.weight

    train(GPT(Config()), [1, 2])
    """
    found = read({"train.py": with_training(text.replace("\n    ", "\n"))}, "python train.py")
    assert found.param_size == "124M"
    assert found.evidence["param_size"][0].note.startswith("computed from layers 12, width 768")


def test_no_size_without_the_vocabulary(read):
    text = """
    class GPT(nn.Module):
        def __init__(self, n_layer, n_embd):
            super().__init__()
            self.n_layer = n_layer
            self.n_embd = n_embd
            self.attention = nn.MultiheadAttention(n_embd, 4)

    train(GPT(6, 384), [1, 2])
    """
    assert read({"train.py": with_training(text.replace("\n    ", "\n"))}, "python train.py").param_size is None


def test_a_network_that_is_built_for_small_images_has_not_the_known_size(read):
    code = FIT_SETTINGS.replace("torch.nn.GRU(4, 4)", "VGG16(10)") + (
        "\nclass VGG16(torch.nn.Module):\n    def __init__(self, classes):\n        super().__init__()\n"
        "        self.last = torch.nn.Linear(512, classes)\n\n"
        "import argparse\nparser = argparse.ArgumentParser()\nparser.add_argument('--dataset')\n"
        "args = parser.parse_args()\nprint(args.dataset)\nfit(4, 0.5, 7)\n"
    )
    assert read({"train.py": code}, "python train.py --dataset CIFAR10").param_size is None
    assert read({"train.py": code}, "python train.py --dataset ImageNet").param_size == "138M"


SAVED = """
import json
from dataclasses import dataclass
import torch
from torch import nn

@dataclass
class Config:
    vocab_size: int = 32768
    n_layer: int = 12
    n_head: int = 6
    n_embd: int = 768

class GPT(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        self.table = nn.Embedding(config.vocab_size, config.n_embd)
        self.head = nn.Linear(config.n_embd, config.vocab_size)
        self.layers = nn.ModuleList([nn.TransformerEncoderLayer(config.n_embd, config.n_head)] * config.n_layer)

model = GPT(Config(KWARGS))
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
model(torch.zeros(1, 3)).sum().backward()
optimizer.step()
"""


def test_a_record_filled_from_what_is_not_known_has_no_defaults(read):
    assert read({"train.py": SAVED.replace("KWARGS", "")}, "python train.py").param_size == "135M"
    saved = SAVED.replace("KWARGS", "**json.load(open('/runs/meta.json'))")
    assert read({"train.py": saved}, "python train.py").param_size is None


TURNS = """
from tensorflow import keras
judge = keras.Sequential([keras.layers.Input((4,)), keras.layers.Dense(2)])
maker = keras.Sequential([keras.layers.Input((9,)), keras.layers.Dense(4)])
for one in (judge, maker):
    one.compile(optimizer=keras.optimizers.Adam(0.1), loss="mse")
for step in range(5):
    judge.train_on_batch([[1.0] * 4], [[0.0] * 2])
    OTHER.train_on_batch([[1.0] * 4], [[1.0] * 2])
"""


def test_networks_that_are_trained_in_turns_have_no_size_together(read):
    assert read({"train.py": TURNS.replace("OTHER", "judge")}, "python train.py").param_size == "10"
    assert read({"train.py": TURNS.replace("OTHER", "maker")}, "python train.py").param_size is None


STAND_IN = """
import torch
from torch import nn
from transformers import BertConfig, BertModel
from data import count

SHAPE = dict(vocab_size={told}, hidden_size=64, num_hidden_layers=2, num_attention_heads=2, intermediate_size=256)

class BertOfWalks(nn.Module):
    def __init__(self, places, shape):
        super().__init__()
        self.shape = shape
        self.config = shape
        self.table = nn.Embedding(places, 64)
        self.body = BertModel(BertConfig(**shape))

    def forward(self, x):
        return self.body(inputs_embeds=self.table(x)).last_hidden_state

model = BertOfWalks({places}, SHAPE)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
for epoch in range(3):
    model(torch.tensor([1])).sum().backward()
    optimizer.step()
"""


def test_a_vocabulary_that_only_stands_in_gives_no_size(read):
    assert read({"go.py": STAND_IN.format(told=2, places="count()")}, "python go.py").param_size is None
