"""Layers that a network's own code names: by functions, in what the run builds and not in what it leaves out."""

import pytest

LAYERS = """
import tensorflow as tf

def dense(x, units):
    return tf.layers.dense(x, units)

def widen(x):
    return tf.nn.{inner}(x, 3)
"""
BY_FUNCTIONS = """
import tensorflow as tf
from layers import *

class MarshGAN(object):
    def generator(self, z):
        x = dense(z, 32)
        return widen(x)

    def train(self):
        loss = tf.reduce_mean(self.generator(tf.random_normal([4, 8])))
        step = tf.train.AdamOptimizer(0.1).minimize(loss)
        with tf.Session() as session:
            for at in range(9):
                session.run(step)

MarshGAN().train()
"""


@pytest.mark.parametrize(("inner", "kind"), [("conv2d", "gan (cnn)"), ("relu", "gan (mlp)")])
def test_functions_that_put_layers_together_are_gone_into(read, inner, kind):
    files = {"layers.py": LAYERS.format(inner=inner), "go.py": BY_FUNCTIONS}
    assert read(files, "python go.py").model_type == kind


STACKED = """
import argparse
import torch
from torch import nn
from reeds import ReedDecoderLayer

class ReedFinder(nn.Module):
    def __init__(self, decoder_layers):
        super().__init__()
        self.decoder_layers = decoder_layers
        self.body = nn.Conv2d(3, 8, 3)
        if self.decoder_layers <= 0:
            return
        self.decoder = nn.ModuleList()
        for at in range(decoder_layers):
            self.decoder.append(ReedDecoderLayer(8))

    def forward(self, x):
        return self.body(x)

p = argparse.ArgumentParser()
p.add_argument("--decoder_layers", type=int, default=4)
a = p.parse_args()
net = ReedFinder(a.decoder_layers)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(9):
    net(torch.rand(1, 3, 8, 8)).sum().backward()
    optimizer.step()
"""
DECODER = """
from torch import nn

class ReedDecoderLayer(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.attention = nn.MultiheadAttention(width, 2)
"""


@pytest.mark.parametrize(("told", "kind"), [("", "transformer"), (" --decoder_layers 0", "cnn")])
def test_layers_of_which_the_network_is_told_to_have_none_are_left_out(read, told, kind):
    assert read({"go.py": STACKED, "reeds.py": DECODER}, f"python go.py{told}").model_type == kind
