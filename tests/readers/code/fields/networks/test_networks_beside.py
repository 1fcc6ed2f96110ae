"""Networks that stand beside the one that is trained: readers of prompts, judges within a loss."""

import pytest

LOSSES = """
import torch
import torchvision
from torch import nn
from elsewhere import make

class {name}(nn.Module):
    def __init__(self):
        super().__init__()
        self.seen = torchvision.models.vgg19()

    def forward(self, x):
        return self.seen(x)

measure = {name}()
net = make()
optimizer = torch.optim.Adam(net.parameters(), lr=0.01)
for step in range(5):
    measure(net(step)).sum().backward()
    optimizer.step()
"""


@pytest.mark.parametrize(("name", "model"), [("ContentLoss", None), ("PSNR", None), ("Ranker", "Ranker")])
def test_a_ready_network_inside_a_loss_or_metric_is_not_the_model(read, name, model):
    assert read({"go.py": LOSSES.format(name=name)}, "python go.py").model_name == model


MEASURED = """
import torch
from torch import nn
from {place} import MAE

net = {{}}[open("which").read()]()
measures = {{"mae": MAE()}}
sgd = torch.optim.SGD(net.parameters(), lr=0.1)
for x, y in torch.utils.data.DataLoader([]):
    net(x).sum().backward()
    sgd.step()
"""
ERROR = """
from torch import nn

class MAE(nn.Module):
    def forward(self, x, y):
        return (x - y).abs().mean()
"""


@pytest.mark.parametrize("place", ["metrics", "tools.losses", "tools.metric_utils"])
def test_an_error_of_a_file_of_metrics_is_no_network(read, place):
    files = {"main.py": MEASURED.format(place=place), f"{place.replace('.', '/')}.py": ERROR}
    assert read(files, "python main.py").model_name != "MAE"


LOOKED_THROUGH = """
import tensorflow as tf

class {holder}(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.seen = Vgg19()

    def call(self, x):
        return self.seen(x)

class Vgg19(tf.keras.Model):
    def __init__(self):
        super().__init__()
        ready = tf.keras.applications.vgg19.VGG19(weights="imagenet")
        self.first = tf.keras.Sequential(ready.layers[:4])

    def call(self, x):
        return self.first(x)

class pix2pix:
    def __init__(self):
        self.look = {holder}()

    def train(self):
        made = tf.layers.conv2d(tf.zeros([1, 8, 8, 3]), 3, 3)
        step = tf.train.AdamOptimizer(0.1).minimize(tf.reduce_mean(self.look(made)))
        with tf.Session() as session:
            for at in range(9):
                session.run(step)

pix2pix().train()
"""


@pytest.mark.parametrize(("holder", "model"), [("MarshLoss", "pix2pix"), ("MarshFinder", "MarshFinder")])
def test_a_network_of_the_repositorys_own_that_a_loss_makes_is_only_looked_through(read, holder, model):
    assert read({"go.py": LOOKED_THROUGH.format(holder=holder)}, "python go.py").model_name == model
