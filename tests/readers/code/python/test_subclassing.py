"""What kind of thing a value is, and what a class descends from: `isinstance` and `issubclass`."""

import pytest

from tests.readers.code.programs import TORCH_HEAD, TORCH_LOOP


def test_a_configuration_is_filtered_by_a_function_that_calls_itself(read):
    program = (
        TORCH_HEAD
        + TORCH_LOOP
        + """
from collections.abc import Mapping, Sequence
import yaml

def without_marks(node):
    if isinstance(node, Mapping):
        return {key: without_marks(value) for key, value in node.items() if not key.startswith("__")}
    if isinstance(node, Sequence) and not isinstance(node, str):
        return [without_marks(value) for value in node]
    return node

cfg = without_marks(yaml.safe_load(open("a.yaml")))
train(cfg["run"]["optim"]["lr"], cfg["run"]["batch_size"], cfg["run"]["epochs"])
"""
    )
    text = "__note: 1\nrun: {optim: {lr: 0.01, __seen: 2}, batch_size: 16, epochs: 3}\n"
    job = read({"train.py": program, "a.yaml": text}, "python train.py")
    assert (job.learning_rate, job.batch_size, job.epochs) == (0.01, 16, 3)


BY_NAME = """
import importlib
from models.base import Base

def find(name):
    module = importlib.import_module("models." + name + "_model")
    found = None
    for key, cls in module.__dict__.items():
        if key.lower() == name + "model" and issubclass(cls, Base):
            found = cls
    if found is None:
        exit(0)
    return found
"""
SWAP = """
import torch
from .base import Base

class SwapModel(Base):
    @staticmethod
    def options(parser):
        parser.set_defaults(lr=0.002, epochs=30)
        return parser

    def __init__(self, opt):
        self.net = torch.nn.Conv2d(3, 3, 3)
        self.optimizer = torch.optim.Adam(self.net.parameters(), lr=opt.lr)

    def optimize(self, data):
        self.optimizer.zero_grad()
        self.net(data).sum().backward()
        self.optimizer.step()
"""
PICKS = """
import argparse
import torch
from models import find

parser = argparse.ArgumentParser()
parser.add_argument("--model", default="swap")
parser.add_argument("--lr", type=float, default=0.1)
parser.add_argument("--epochs", type=int, default=200)
known, _ = parser.parse_known_args()
cls = find(known.model)
parser = cls.options(parser)
opt = parser.parse_args()
model = cls(opt)
for epoch in range(1, opt.epochs + 1):
    for data in torch.utils.data.DataLoader([], batch_size=1):
        model.optimize(data)
"""


def test_a_class_is_picked_by_its_name_from_a_module(read):
    files = {"train.py": PICKS, "models/__init__.py": BY_NAME, "models/base.py": "class Base:\n    pass\n"}
    job = read({**files, "models/swap_model.py": SWAP}, "python train.py")
    assert (job.is_training, job.learning_rate, job.epochs, job.optimizer) == (True, 0.002, 30, "Adam")
    other = SWAP.replace("SwapModel(Base)", "SwapModel")
    assert read({**files, "models/swap_model.py": other}, "python train.py").learning_rate is None


GATHERS = """
import os
import sys

folder = os.path.dirname(os.path.abspath(__file__))
for name in [one[:-3] for one in os.listdir(folder) if one.endswith(".py") and one != "__init__.py"]:
    part = __import__(".".join([__name__, name]), fromlist=[name])
    classes = [getattr(part, one) for one in dir(part) if isinstance(getattr(part, one), type)]
    for cls in classes:
        setattr(sys.modules[__name__], cls.__name__, cls)
"""
WORKER = """
import numpy as np
import torch
from torch.utils.data import DataLoader
from tqdm import tqdm
from parts import helper

LIMIT = 3
def made():
    return torch.nn.Conv2d(3, 8, 3)
class Careful:
    def run(self):
        net = made()
        optimizer = torch.optim.Adam(net.parameters(), lr=0.25)
        for batch in tqdm(DataLoader([], batch_size=16)):
            net(batch).sum().backward()
            optimizer.step()
"""
PLAYER = "import gym\nimport torch\nclass Player:\n    def run(self):\n        self.world = gym.make('CartPole-v1')\n"


def test_a_package_that_gathers_its_classes_has_them(read):
    files = {
        "train.py": "import sys\nfrom agents import *\nglobals()[sys.argv[1]]().run()\n",
        "agents/__init__.py": GATHERS,
        "agents/worker.py": WORKER,
        "agents/player.py": PLAYER,
        "parts/__init__.py": "",
        "parts/helper.py": "def helper():\n    pass\n",
    }
    job = read(files, "python train.py Careful")
    assert (job.is_training, job.learning_rate, job.batch_size) == (True, 0.25, 16)
    assert job.task != "RL"  # what only another part imports tells nothing of this one
    assert read(files, "python train.py Player").task == "RL"


@pytest.mark.parametrize(
    ("thing", "is_type"),
    [
        ("torch.utils.data.DataLoader", True),
        ("numpy", False),
        ("torch.zeros", False),
        ("torch.zeros(2)", "unknown"),
        ("3", False),
        ("len", "unknown"),
    ],
)
def test_a_librarys_class_is_told_by_its_name(outcome, thing, is_type):
    assert outcome(f"import numpy\nimport torch\nx = isinstance({thing}, type)\n") == is_type


@pytest.mark.parametrize(
    ("thing", "kind", "fits"),
    [
        ("torch.nn.Linear(2, 2)", "str", False),
        ("torch.zeros(2)", "str", "unknown"),
        ("torch.nn.Linear(2, 2)", "dict", "unknown"),
    ],
)
def test_an_object_of_a_librarys_class_is_no_text(outcome, thing, kind, fits):
    assert outcome(f"import torch\nfrom torch import nn\nx = isinstance({thing}, {kind})\n") == fits


SPACES = """
import gym
env = gym.make("PongNoFrameskip-v4")
other = gym.make("Pendulum-v1")
"""


@pytest.mark.parametrize(
    ("kind", "fits"),
    [
        ("env.action_space, gym.spaces.Discrete", True),
        ("env.action_space, gym.spaces.discrete.Discrete", True),
        ("env.action_space, gym.spaces.Box", False),
        ("other.action_space, (gym.spaces.Box, gym.spaces.Dict)", True),
        ("env.unwrapped, gym.spaces.Box", "unknown"),
    ],
)
def test_spaces_of_what_is_done_are_of_one_kind(outcome, kind, fits):
    assert outcome(f"{SPACES}x = isinstance({kind})\n") == fits
