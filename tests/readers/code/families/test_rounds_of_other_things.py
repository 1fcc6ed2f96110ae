"""Loops that count no steps and no epochs: episodes, repeated jobs, tasks; and names that mean another thing."""

import pytest

from tests.readers.code.programs import TORCH_HEAD

AGENT = """
import gym
import torch

{name} = 700
env = gym.make("CartPole-v1")
net = torch.nn.Linear(4, 2)
optimizer = torch.optim.Adam(net.parameters(), lr=0.01)
for {turn} in range({name}):
    state, done = env.reset(), False
    while not done:
        state, reward, done, _ = env.step(0)
        net(state).sum().backward()
        optimizer.step()
"""

OPTIONS = "import argparse\nparser = argparse.ArgumentParser()\nparser.add_argument('--n_iter', type=int)\n"
OPTIONS += "rounds = parser.parse_args().n_iter"


@pytest.mark.parametrize(("name", "turn"), [("n_episodes", "i"), ("rounds", "a_i"), ("EPISODES", "episode")])
def test_episodes_last_as_long_as_they_last(read, name, turn):
    job = read({"go.py": AGENT.format(name=name, turn=turn)}, "python go.py")
    assert (job.task, job.epochs, job.total_steps) == ("RL", None, None)


PARTS = (
    TORCH_HEAD
    + """
import argparse
parser = argparse.ArgumentParser()
parser.add_argument("--times", type=int, default=3)
args = parser.parse_args()
net = torch.nn.Linear(4, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for repeat in range(args.times):
    for {outer} in range(6):
        for batch in range(9):
            net(batch).sum().backward()
            optimizer.step()
"""
)


def test_how_often_the_whole_job_is_done_is_no_number_of_steps(read):
    assert read({"go.py": PARTS.format(outer="epoch")}, "python go.py --times 5").epochs == 6
    assert read({"go.py": PARTS.format(outer="task")}, "python go.py --times 5").total_steps in (None, 9)


FIT = """
import numpy
from tensorflow import keras

model = keras.Sequential([keras.layers.Dense(2)])
model.compile(optimizer="adam", loss="mse")
for turn in range(50):
    model.fit(numpy.zeros((4, 3)), numpy.zeros(4), epochs=1)
"""


def test_a_fit_of_one_epoch_in_a_loop_is_a_part_of_the_job(read):
    assert read({"go.py": FIT}, "python go.py").epochs != 1
    alone = FIT.replace("for turn in range(50):\n    ", "")
    assert read({"go.py": alone}, "python go.py").epochs == 1


AROUND = """
import sys
import timm
import torch
import torchvision.models as models
from torch import nn

class Ranker(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = {body}
        self.head = nn.Linear(1000, 2)

    def forward(self, x):
        return self.head(self.body(x))

model = Ranker()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(5):
    model(step).sum().backward()
    optimizer.step()
"""


@pytest.mark.parametrize(
    ("body", "kind"),
    [("models.resnet18()", "cnn"), ('timm.create_model("vit_base_patch16_224")', "transformer"), ("nn.ReLU()", "mlp")],
)
def test_a_network_around_a_ready_one_is_built_as_that_is(read, body, kind):
    assert read({"go.py": AROUND.format(body=body)}, "python go.py").model_type == kind


CAPTIONED = """
import torch
from torch.utils.data import DataLoader, Dataset

class {cls}(Dataset):
    def __init__(self, name):
        self.name = name

    def __len__(self):
        return 10

    def __getitem__(self, place):
        return place

loader = DataLoader({cls}("data/coco/train"), batch_size=2)
net = torch.nn.Transformer(8)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(3):
    for batch in loader:
        net(batch, batch).sum().backward()
        optimizer.step()
"""


@pytest.mark.parametrize(("cls", "fine"), [("CaptionDataset", "image captioning"), ("BoxDataset", "object detection")])
def test_pictures_with_captions_are_told_in_words(read, cls, fine):
    assert read({"go.py": CAPTIONED.format(cls=cls)}, "python go.py").task_fine == fine


OWN = """
import torch
from torch import nn
{imports}

class ResNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Conv2d(3, 4, 3)

net = ResNet()
loss = {loss}
optimizer = torch.optim.Adam(net.parameters(), lr=0.001)
for step in range(5):
    loss(net(step), step).backward()
    optimizer.step()
"""


@pytest.mark.parametrize(
    ("imports", "loss", "fine"),
    [
        ("", "nn.CrossEntropyLoss()", "image classification"),
        ("from parts import JointLoss", "JointLoss()", None),
        ("from parts import yoloLoss", "yoloLoss()", "object detection"),
    ],
)
def test_a_backbone_of_the_repositorys_own_sorts_pictures_where_its_loss_does(read, imports, loss, fine):
    job = read({"go.py": OWN.format(imports=imports, loss=loss)}, "python go.py")
    assert (job.task, job.task_fine) == ("CV", fine)


def test_a_data_sets_name_names_no_model(read):
    code = OWN.format(imports="import argparse", loss="nn.MSELoss()").replace("ResNet", "Generator")
    code += "parser = argparse.ArgumentParser()\nparser.add_argument('--arch', default='lsun')\n"
    code += "print(parser.parse_args().arch)\n"
    assert read({"go.py": code}, "python go.py").model_name != "lsun"


def test_a_split_that_a_method_is_told_is_no_data_set(read):
    code = OWN.format(imports="import tasks", loss="nn.MSELoss()") + "tasks.setup().load_dataset('valid')\n"
    assert read({"go.py": code}, "python go.py").dataset_name is None


def test_words_that_meet_in_a_name_name_no_data(read):
    code = CAPTIONED.format(cls="SpikeSpeechDataset").replace("data/coco/train", "first")
    assert read({"go.py": code}, "python go.py").dataset_name != "KeSpeech"


def test_rounds_of_an_agent_that_the_command_tells_are_no_epochs(read):
    code = AGENT.format(name="rounds", turn="itr").replace("rounds = 700", OPTIONS)
    assert read({"go.py": code}, "python go.py --n_iter 12").epochs is None
    assert read({"go.py": code.replace("n_iter", "epochs")}, "python go.py --epochs 12").epochs in (None, 12)
