"""Networks of several parts: the whole, the part that is trained, and what only stands beside it."""

import pytest

from tests.readers.code.networks import NET_AND_OPTION, VGG_MAKERS

CHAIN = """
import torch
from torch import nn

class {part}(nn.Module):
    def __init__(self, before=None):
        super().__init__()
        self.before, self.conv = before, nn.Conv2d(4, 4, 3)

class Generator(nn.Module):
    def __init__(self):
        super().__init__()
        self.model = {part}({part}())

net = Generator()
optimizer = torch.optim.Adam(net.parameters(), lr=0.01)
for step in range(5):
    net(step).sum().backward()
    optimizer.step()
"""


@pytest.mark.parametrize(("part", "model"), [("GrowBlock", None), ("ReefNet", "ReefNet")])
def test_a_block_is_no_network_inside_another(read, part, model):
    assert read({"go.py": CHAIN.format(part=part)}, "python go.py").model_name == model


JUDGED = """
import tensorflow as tf
from seen import Vgg19

x = tf.placeholder(tf.float32, [None, 8, 8, 3])
y = tf.layers.conv2d(x, 3, 3, padding="same")
vgg = Vgg19()
loss = tf.reduce_mean(tf.square(vgg.look(x) - vgg.look(y)))
train = tf.train.AdamOptimizer(1e-3).minimize(loss)
with tf.Session() as session:
    for step in range(1000):
        session.run(train)
"""
LOOKS = "class Vgg19:\n    def look(self, x):\n        return x\n"


@pytest.mark.parametrize(("title", "is_vgg"), [("# SRGAN", False), ("# VGG19 in TensorFlow", True), ("# Things", True)])
def test_a_vgg_in_a_project_of_another_family_only_looks(read, title, is_vgg):
    found = read({"main.py": JUDGED, "seen.py": LOOKS, "README.md": title}, "python main.py")
    assert ("vgg" in str(found.model_name).lower()) == is_vgg


def test_layers_that_change_pictures_are_no_networks(read):
    program = NET_AND_OPTION.replace("class Net", "class RandomCropAndResize")
    program = program.replace("net = Net()", "net = RandomCropAndResize()")
    both = f"{program}\nclass Own(nn.Module):\n    def forward(self, x):\n        return x\n"
    assert read({"main.py": both}, "python main.py x").model_name == "RandomCropAndResize"  # it learns here
    aside = NET_AND_OPTION.replace("net = Net()", "flip = RandomFlip()\nnet = {}[open('which').read()]()")
    aside = aside.replace("class Net", "class RandomFlip")
    assert read({"main.py": aside}, "python main.py x").model_name != "RandomFlip"


@pytest.mark.parametrize("loss", ["CriterionKD", "Contrast_loss_of_points"])
def test_a_loss_that_is_a_module_is_not_the_model(read, loss):
    code = """
import torch
class CriterionKD(torch.nn.Module):
    def forward(self, ours, theirs):
        return ((ours - theirs) ** 2).sum()
class Parsnip(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = torch.nn.Linear(4, 2)
    def forward(self, x):
        return self.fc(x)
class Trainer:
    def __init__(self):
        self.student = Parsnip().cuda()
        self.criterion = CriterionKD().cuda()
        self.optimizer = torch.optim.SGD(self.student.parameters(), lr=0.1)
    def train(self, loader):
        for x, y in loader:
            self.criterion(self.student(x), y).backward()
            self.optimizer.step()
Trainer().train(open("x"))
"""
    assert read({"train.py": code.replace("CriterionKD", loss)}, "python train.py").model_name == "Parsnip"


NETWORK = """
import torch
class GPT(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.attention = torch.nn.MultiheadAttention(8, 2)
        self.lm_head = torch.nn.Linear(8, 9)
net = GPT()
optimizer = torch.optim.AdamW(net.lm_head.parameters(), lr=0.1)
net(1).sum().backward()
optimizer.step()
"""
HEAD = """
import torch
from torchvision import models
net = models.vgg16(pretrained=True)
net.classifier = torch.nn.Sequential(torch.nn.Linear(8, 9))
optimizer = torch.optim.Adam(net.classifier.parameters(), lr=0.1)
net(1).sum().backward()
optimizer.step()
"""


@pytest.mark.parametrize(("code", "name", "kind"), [(NETWORK, "GPT", "transformer"), (HEAD, "vgg16", "cnn")])
def test_an_optimizer_of_a_head_trains_the_network_that_it_sits_on(read, code, name, kind):
    job = read({"train.py": code}, "python train.py")
    assert (job.model_name, job.model_type) == (name, kind)


def test_what_holds_two_networks_and_names_a_kind_is_the_network(read):
    pair = (
        "import torch\nfrom torch import nn\nimport pytorch_lightning as pl\nfrom torchvision.datasets import CIFAR10\n"
        "class Encoder(nn.Module):\n    pass\nclass Decoder(nn.Module):\n    pass\n"
        "class Autoencoder(pl.LightningModule):\n    def __init__(self):\n        super().__init__()\n"
        "        self.encoder, self.decoder = Encoder(), Decoder()\n"
        "    def configure_optimizers(self):\n        return torch.optim.Adam(self.parameters(), lr=1e-3)\n"
        "loader = torch.utils.data.DataLoader(CIFAR10('.'), batch_size=8)\n"
        "pl.Trainer(max_epochs=3).fit(Autoencoder(), loader)\n"
    )
    job = read({"train.py": pair}, "python train.py")
    assert (job.model_name, job.task_fine) == ("Autoencoder", "reconstruction (representation learning)")


PARTS = """
import torch
from torch import nn

class {body}(nn.Module):
    def __init__(self):
        super().__init__()
        self.one = nn.Linear(4, 2)

    def forward(self, x):
        return self.one(x)

class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder, self.last = {body}(), {last}

    def forward(self, x):
        return self.last(self.encoder(x))

model = Model()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(7):
    model(epoch).sum().backward()
    optimizer.step()
"""


@pytest.mark.parametrize(
    ("body", "last", "name", "size"),
    [
        ("Shrink", "nn.Linear(2, 4)", None, "22"),
        ("Shrink", "Shrink()", None, "20"),
        ("Shrink", "nn.Dropout(0.1)", "Shrink", "10"),
        ("LSTMTagger", "nn.Linear(2, 4)", "LSTMTagger", "22"),
    ],
)
def test_an_encoder_beside_other_layers_is_a_part(read, body, last, name, size):
    job = read({"go.py": PARTS.format(body=body, last=last)}, "python go.py")
    assert (job.model_name, job.param_size) == (name, size)


DISTILL = """
import argparse
import torch
from torch import nn
from nets import get_vgg13, vgg8

parser = argparse.ArgumentParser()
parser.add_argument("--net", default="small")
parser.add_argument("--gain", type=float, default=0.5)
args = parser.parse_args()
args.model_name = {name}
print(args.model_name)
kinds = {{"small": vgg8, "large": get_vgg13}}
teacher = get_vgg13()
student = kinds[args.net]()
trained = nn.ModuleList([])
trained.append(student)
optimizer = torch.optim.SGD(trained.parameters(), lr=0.1)
for step in range(7):
    (student(step) - teacher(step)).sum().backward()
    optimizer.step()
"""


@pytest.mark.parametrize("name", ["'{}_gain:{}'.format(args.net, args.gain)", "'run_seed=%d' % 4", "'big_lr0.1'"])
def test_what_is_in_the_list_that_is_optimized_is_the_model_and_a_run_has_a_name_of_its_own(read, name):
    job = read({"nets.py": VGG_MAKERS, "go.py": DISTILL.format(name=name)}, "python go.py")
    assert (job.model_name, job.param_size) == ("vgg8", "394")


SPEAKERS = """
import torch
class ECAPA_TDNN(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = torch.nn.Conv1d(80, 512, 5)
class ECAPAModel(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = ECAPA_TDNN().cuda()
        self.optim = torch.optim.Adam(self.parameters(), lr=1e-3)
    def train_network(self, loader):
        for number, data in enumerate(loader):
            self.optim.zero_grad()
            self.encoder(data).sum().backward()
            self.optim.step()
model = ECAPAModel()
for epoch in range(8):
    model.train_network(loader)
"""


def test_what_keeps_the_optimizer_is_named_after_its_network(read):
    job = read({"train.py": SPEAKERS}, "python train.py")
    assert (job.model_name, job.optimizer, job.epochs) == ("ECAPA_TDNN", "Adam", 8)


ROW_OF_LAYERS = """
from torch import nn

class ShrinkingLayer(nn.Module):
    def __init__(self, wide, high):
        super().__init__()
        self.main = nn.Conv1d(wide, high, 3)

    def forward(self, x):
        return self.main(x)

class Model(nn.Module):
    def __init__(self, depth=3):
        super().__init__()
        self.encoder = nn.ModuleList({first})
        for place in range(depth):
            self.encoder.append(ShrinkingLayer(4, 4))
        self.last = nn.Conv1d(4, 1, 1)

    def forward(self, x):
        for one in self.encoder:
            x = one(x)
        return self.last(x)
"""
TRAIN = """
import torch
from nets.unet_small import Model
model = Model()
optimizer = torch.optim.Adam({learned}, lr=0.1)
for epoch in range(7):
    model(epoch).sum().backward()
    optimizer.step()
"""


@pytest.mark.parametrize(("first", "size"), [("", "161"), ("[ShrinkingLayer(4, 4)]", "213")])
@pytest.mark.parametrize("learned", ["model.parameters()", "model.encoder.parameters()"])
def test_a_row_of_layers_is_no_network_inside_another(read, first, size, learned):
    files = {"nets/__init__.py": "", "nets/unet_small.py": ROW_OF_LAYERS.format(first=first)}
    job = read({**files, "train.py": TRAIN.format(learned=learned)}, "python train.py")
    assert (job.model_name, job.param_size) == ("unet_small", size)


FRAMED = """
import torch
from torch import nn
from transformers import AutoModel

class {name}(nn.Module):
    def __init__(self, inner):
        super().__init__()
        self.inner = inner
        self.head = nn.Linear(768, 2)

    def forward(self, x):
        return self.head(self.inner(x))

net = {name}(AutoModel.from_pretrained("reedlab/bert-marsh"))
sgd = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(9):
    nn.functional.cross_entropy(net(step), step).backward()
    sgd.step()
"""


@pytest.mark.parametrize(("name", "model"), [("SentenceTransformer", "reedlab/bert-marsh"), ("ReedBERT", "ReedBERT")])
def test_a_frame_around_any_encoder_goes_by_the_encoders_name(read, name, model):
    job = read({"go.py": FRAMED.format(name=name)}, "python go.py")
    assert job.model_name == model
    assert job.task_fine != "text embedding"
