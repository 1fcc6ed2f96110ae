"""How many samples data hold: asked by `__len__`, of a loader's data, behind a mean that was taken off."""

import pytest

HEAD = """
import numpy as np
import torch
from torch.utils.data import DataLoader
from torchvision.datasets import MNIST
from tensorflow.keras.datasets import cifar10

loader = DataLoader(MNIST("x", train=True), batch_size=64)
(x, y), _ = cifar10.load_data()
x = x.astype("float32")
other = np.load("other.npy")
"""


@pytest.mark.parametrize(
    ("asked", "count"),
    [
        ("MNIST('x', train=False).__len__()", 10_000),
        ("[3, 4, 5].__len__()", 3),
        ("loader.dataset.__len__() // loader.batch_size", 937),
        ("len(loader.dataset)", 60_000),
        ("len(x - np.mean(x, axis=0))", 50_000),
        ("len((x - x.mean()) / x.std(axis=0) / 128.0)", 50_000),
        ("(x / np.max(x)).shape[0] // 32", 1562),
        ("len(x - other)", None),
        ("len(other - np.mean(other))", None),
        ("len(np.mean(x, axis=0))", None),
    ],
)
def test_a_length_is_that_of_the_samples(follow, asked, count):
    found = follow(HEAD + f"count = {asked}\n")[1]["count"].data
    assert (found if isinstance(found, int) else None) == count


OWN = """
class Rows:
    def __init__(self):
        self.dataset = [1, 2]
    def __len__(self):
        return 7

count = Rows().__len__()
held = len(Rows().dataset)
"""


def test_an_object_of_its_own_answers_itself(follow):
    found = follow(OWN)[1]
    assert (found["count"].data, found["held"].data) == (7, 2)
