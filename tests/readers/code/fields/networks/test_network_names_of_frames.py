"""What only holds, drives, judges or picks a network, and what a run has saved itself, names no network."""

import pytest

HEAD = """
import argparse
import importlib
import torch
from torch import nn

p = argparse.ArgumentParser()
p.add_argument("--model", default="model")
p.add_argument("--save_path", default="out/larks")
p.add_argument("--body", default="resnet50")
a = p.parse_args()
"""
STEPS = """
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(9):
    net(torch.rand(2, 8)).sum().backward()
    optimizer.step()
"""
CLOSURE = """
class Marsh(nn.Module):
    def __init__(self):
        super().__init__()
        self.last = nn.Linear(8, 2)
    def forward(self, x):
        return self.last(x)

class LossClosure(nn.Module):
    def __init__(self, inner):
        super().__init__()
        self.inner = inner
        self.free = nn.Parameter(torch.zeros(3))
    def forward(self, x):
        return self.inner(x)

net = Marsh()
"""
LATER = """
closure = LossClosure(net)
torch.optim.LBFGS(closure.parameters())
"""


def test_a_closure_over_a_network_is_not_the_network(read):
    found = read({"fit.py": HEAD + CLOSURE + STEPS + LATER}, "python fit.py")
    assert (found.model_name, found.param_size) == ("Marsh", "18")


HEADS = """
class MultiHeadAttentionLayerRel(nn.Module):
    def __init__(self):
        super().__init__()
        self.q = nn.Linear(8, 8)

class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.attend = MultiHeadAttentionLayerRel()
        self.last = nn.Linear(8, 2)

class S2S(nn.Module):
    def __init__(self, encoder):
        super().__init__()
        self.encoder = encoder

net = S2S(Encoder())
"""


def test_a_container_of_two_halves_says_neither_name_nor_type(read):
    found = read({"fit.py": HEAD + HEADS + STEPS}, "python fit.py")
    assert (found.model_name, found.model_type) == (None, "transformer")


@pytest.mark.parametrize("given", ["out/larks/model.best", "out/larks/last_checkpoint_12"])
def test_what_a_run_has_saved_itself_names_no_model(read, given):
    saved = CLOSURE + f"model_path = '{given}'\nprint(a.model)\n"
    found = read({"fit.py": HEAD.replace('default="model"', f'default="{given}"') + saved + STEPS}, "python fit.py")
    assert found.model_name == "Marsh"


SYMBOL = """
import importlib
import argparse
import mxnet as mx

p = argparse.ArgumentParser()
p.add_argument("--network", default="lenet-small")
a = p.parse_args()
network = importlib.import_module("symbol_" + a.network).get_symbol(10)
model = mx.model.FeedForward(symbol=network, num_epoch=3)
model.fit(X=mx.io.MNISTIter(batch_size=8))
"""
LAYERS = """
import mxnet as mx

def get_symbol(classes):
    seen = mx.symbol.Convolution(data=mx.symbol.Variable("data"), num_filter=8, kernel=(3, 3))
    return mx.symbol.SoftmaxOutput(data=mx.symbol.FullyConnected(data=seen, num_hidden=classes))
"""


def test_an_estimator_of_a_library_trains_any_network(read):
    found = read({"fit.py": SYMBOL, "symbol_lenet-small.py": LAYERS}, "python fit.py")
    assert (found.model_name, found.model_type) == ("lenet-small", "cnn")


VAE = """
from diffusers import AutoencoderKL
BASE = "CompVis/stable-diffusion-v1-4"
net = AutoencoderKL.from_pretrained(BASE{part})
"""


@pytest.mark.parametrize(
    ("part", "name", "size"),
    [(', subfolder="vae"', "AutoencoderKL", None), ("", "CompVis/stable-diffusion-v1-4", "860M")],
)
def test_the_autoencoder_of_a_diffusion_is_another_network(read, part, name, size):
    found = read({"fit.py": HEAD + VAE.format(part=part) + STEPS}, "python fit.py")
    assert (found.model_name, found.param_size) == (name, size)


def test_the_unet_of_a_diffusion_goes_by_the_whole_ones_name(read):
    code = VAE.format(part=', subfolder="unet"').replace("AutoencoderKL", "UNet2DConditionModel")
    assert read({"fit.py": HEAD + code + STEPS}, "python fit.py").model_name == "CompVis/stable-diffusion-v1-4"


JUDGED = """
from ready_gans import big

class Discriminator(nn.Module):
    def __init__(self):
        super().__init__()
        self.last = nn.Linear(8, 1)
    def forward(self, x):
        return self.last(x)

net = Discriminator()
maker = big()
"""


def test_what_judges_something_that_is_not_seen_is_of_a_gan(read):
    assert read({"fit.py": HEAD + JUDGED + STEPS}, "python fit.py").model_type == "gan"


READY = """
import timm

class Backed_Marsh(nn.Module):
    def __init__(self, body):
        super().__init__()
        self.body = timm.create_model(body)
        self.last = nn.Linear(8, 1)
    def forward(self, x):
        return self.last(self.body(x))

net = Backed_Marsh(a.body)
"""


@pytest.mark.parametrize(("words", "name"), [("--body efficientnet_b0", "efficientnet_b0"), ("", "Backed_Marsh")])
def test_the_commands_word_for_the_network_inside_names_the_whole(read, words, name):
    assert read({"fit.py": HEAD + READY + STEPS}, f"python fit.py {words}").model_name == name


PICKED = """
Model = getattr(importlib.import_module(".".join(["nets", a.model])), "Model")
net = Model()
"""
NET = """
from torch import nn

class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.last = nn.Linear(8, 2)
"""


def test_a_way_to_train_together_names_no_network_nor_does_the_title_of_many(read):
    files = {"fit.py": HEAD + PICKED + STEPS, "nets/fedavg.py": NET, "nets/marsh.py": NET}
    files |= {"nets/__init__.py": "", "README.md": "# marshFL: ways to learn together\n"}
    assert read(files, "python fit.py --model fedavg").model_name is None
    assert read(files, "python fit.py --model marsh").model_name == "marsh"


RECURRENT = """
from keras.models import Sequential
from keras.layers import LSTM, Dense

net = Sequential()
net.add(LSTM(8))
net.add(Dense(2))
net.compile(loss="mse", optimizer="sgd")
net.fit([[1]], [1], epochs=3)
"""


def test_a_folder_of_a_kind_tells_less_than_the_layers(read):
    assert read({"RNN/fit.py": RECURRENT}, "python fit.py", workdir="RNN").model_name == "LSTM"
