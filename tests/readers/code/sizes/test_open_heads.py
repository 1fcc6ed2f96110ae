"""Last layers that are as wide as the data has classes: a small one leaves a network's size known."""

import pytest

from schedmate.readers.code.sizes.counting import count_parameters

HEAD = """
import gym
from torch import nn
from torchvision import datasets
data = datasets.ImageFolder("train")
env = gym.make("Own-v0")
classes_num = len([line.split() for line in open("kinds")])
words = [line for line in open("words")]
"""


@pytest.mark.parametrize(
    ("net", "total"),
    [
        ("nn.Sequential(nn.Linear(4000, 2000), nn.Linear(2000, 64), nn.Linear(64, len(data.classes)))", 8130064),
        ("nn.Sequential(nn.Linear(4000, 2000), nn.Linear(2000, 64), nn.Linear(64, env.action_space.n))", 8130064),
        ("nn.Sequential(nn.Linear(4000, 2000), nn.Linear(2000, 64), nn.Conv2d(64, len(data.classes), 1))", 8130064),
        ("nn.Sequential(nn.Linear(4000, 2000), nn.Linear(2000, 64), nn.Conv2d(64, len(data.classes), 3))", None),
        ("nn.Sequential(nn.Linear(4000, 2000), nn.Linear(2000, 64), nn.Linear(64, classes_num))", 8130064),
        ("nn.Sequential(nn.Linear(400, 512), nn.Linear(512, len(data.classes)))", None),
        ("nn.Sequential(nn.Linear(4000, 2000), nn.Linear(2000, 64), nn.Linear(64, len(words)))", None),
        ("nn.Sequential(nn.Linear(len(data.classes), 64), nn.Linear(4000, 2000))", None),
    ],
)
def test_a_small_last_layer_may_be_open(follow, net, total):
    run, names = follow(f"{HEAD}net = {net}")
    assert count_parameters(run, names["net"]) == total
