"""Last layers that are as wide as the data has classes: a small one leaves a network's size known."""

import pytest

from schedmate.readers.code.sizes.counting import count_of, count_parameters

HEAD = """
import gym
import pickle
from torch import nn
from torchvision import datasets
data = datasets.ImageFolder("train")
env = gym.make("Own-v0")
classes_num = len([line.split() for line in open("kinds")])
num_classes = len(pickle.load(open("vocab.pkl", "rb")))
words = [line for line in open("words")]
"""


@pytest.mark.parametrize(
    ("net", "total"),
    [
        ("nn.Sequential(nn.Linear(8000, 2000), nn.Linear(2000, 64), nn.Linear(64, len(data.classes)))", 16130064),
        ("nn.Sequential(nn.Linear(8000, 2000), nn.Linear(2000, 64), nn.Linear(64, env.action_space.n))", 16130064),
        ("nn.Sequential(nn.Linear(8000, 2000), nn.Linear(2000, 64), nn.Conv2d(64, len(data.classes), 1))", 16130064),
        ("nn.Sequential(nn.Linear(8000, 2000), nn.Linear(2000, 64), nn.Conv2d(64, len(data.classes), 3))", None),
        ("nn.Sequential(nn.Linear(8000, 2000), nn.Linear(2000, 64), nn.Linear(64, classes_num))", 16130064),
        ("nn.Sequential(nn.Linear(8000, 2000), nn.Linear(2000, 64), nn.Linear(64, num_classes))", None),
        ("nn.Sequential(nn.Linear(8000, 2000), nn.Linear(2000, 3000), nn.Linear(3000, len(data.classes)))", None),
        ("nn.Sequential(nn.Linear(400, 512), nn.Linear(512, len(data.classes)))", None),
        ("nn.Sequential(nn.Linear(8000, 2000), nn.Linear(2000, 64), nn.Linear(64, len(words)))", None),
        ("nn.Sequential(nn.Linear(len(data.classes), 64), nn.Linear(4000, 2000))", None),
    ],
)
def test_a_small_last_layer_may_be_open(follow, net, total):
    run, names = follow(f"{HEAD}net = {net}")
    assert count_parameters(run, names["net"]) == total


def test_a_count_tells_that_it_leaves_a_layer_out(follow):
    run, names = follow(
        f"{HEAD}body = nn.Linear(8000, 2000)\nnet = nn.Sequential(body, nn.Linear(64, len(data.classes)))"
    )
    assert count_of(run, names["net"]).headless
    assert not count_of(run, names["body"]).headless
