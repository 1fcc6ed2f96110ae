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


LISTS = """
import numpy as np
import os.path as osp
import sys

root = sys.argv[-1]

class Boxes:
    def __init__(self, root, parts=(("2007", "trainval"), ("2012", "trainval"))):
        self.ids = []
        for year, name in parts:
            folder = osp.join(root, "VOC" + year)
            for line in open(osp.join(folder, "ImageSets", "Main", name + ".txt")):
                self.ids.append((folder, line.strip()))
    def __len__(self):
        return len(self.ids)

with open(osp.join(root, "VOC2012/ImageSets/Segmentation/train.txt")) as file:
    names = [line.strip() for line in file.readlines()]
listed = sorted(map(lambda line: line.strip(), open(root + "/VOC2007/ImageSets/Main/trainval.txt").readlines()))
"""


@pytest.mark.parametrize(
    ("asked", "count"),
    [
        ("len(Boxes(root))", 16_551),
        ("len(Boxes(root, [('2007', 'trainval')]))", 5_011),
        ("len(Boxes(root, [('2007', 'aeroplane_train')]))", None),
        ("len(names)", 1_464),
        ("len(listed)", 5_011),
        ("len(open(root + '/VOC2007/ImageSets/Main/val.txt').read().splitlines())", 2_510),
        ("len(open(root + '/VOC2007/ImageSets/Main/val.txt').read().split(','))", None),
        ("len(open(root + '/mine/ImageSets/Main/trainval.txt').readlines())", None),
        ("len(list(map(max, names, listed)))", None),
        ("len(np.loadtxt(osp.join(root, 'modelnet40_train.txt'), dtype=str))", 9_843),
        ("len(open(root + '/VOC2012/ImageSets/Segmentation/train_aug.txt').readlines())", 10_582),
        ("len(open(root + '/roads/train_aug.txt').readlines())", None),
        ("len(open(root + '/trainlist01.txt').readlines())", None),
    ],
)
def test_files_of_standard_sets_list_their_samples(follow, asked, count):
    found = follow(LISTS + f"count = {asked}\n", "/data")[1]["count"].data
    assert (found if isinstance(found, int) else None) == count
