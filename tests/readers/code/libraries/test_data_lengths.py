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


TORCH = """
import random
import numpy as np
import pandas as pd
import torch
from sklearn.datasets import make_moons
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler
from torch.utils.data import DataLoader, Subset, SubsetRandomSampler, TensorDataset, WeightedRandomSampler
import torchaudio
import paddle
from torchvision import datasets
from torchvision.datasets import MNIST, STL10, SVHN, EuroSAT, OxfordIIITPet

net = torch.nn.Linear(3, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
table = pd.read_csv("wells.csv")
digits = MNIST("here")
{data}
for epoch in range(4):
    for batch in loader:
        optimizer.zero_grad()
        net(batch).sum().backward()
        optimizer.step()
"""
WELLS = "depth,flow,clay,dry\n" + "1,2,3,0\n" * 200


def steps(read, data):
    return read({"train.py": TORCH.format(data=data), "wells.csv": WELLS}, "python train.py").total_steps


@pytest.mark.parametrize(
    ("data", "count"),
    [
        ("loader = DataLoader(TensorDataset(torch.tensor(table['dry'].values)), batch_size=10)", 80),
        ("loader = DataLoader(TensorDataset(torch.tensor(table[['depth', 'flow']].values)), batch_size=10)", 80),
        ("loader = DataLoader(torch.tensor(table.drop('dry', axis=1).values), batch_size=10)", 80),
        ("loader = DataLoader(torch.tensor(table.drop(columns=['dry']).values), batch_size=10)", 80),
        ("loader = DataLoader(torch.tensor(table.iloc[:50, :-1].values), batch_size=10)", 20),
        (
            "a, b = train_test_split(table.iloc[:, :-1].values, test_size=0.2)\n"
            "loader = DataLoader(torch.FloatTensor(StandardScaler().fit_transform(a)), batch_size=10)",
            64,
        ),
        ("loader = DataLoader(torch.tensor(np.concatenate([table.values, table.values])), batch_size=10)", 160),
        ("loader = DataLoader(TensorDataset(digits.data[:500], digits.targets[:500]), batch_size=10)", 200),
        ("loader = DataLoader(Subset(digits, np.random.choice(len(digits), 500, replace=False)), batch_size=10)", 200),
        ("loader = DataLoader(Subset(digits, random.sample(range(60000), 500)), batch_size=10)", 200),
        ("some = np.random.permutation(200)[:30]\nloader = DataLoader(table.values[some], batch_size=10)", 12),
        ("loader = DataLoader(digits, batch_size=10, sampler=SubsetRandomSampler(range(500)))", 200),
        ("loader = DataLoader(STL10('here', 'test'), batch_size=100)", 320),
        ("loader = DataLoader(SVHN('here', split='train'), batch_size=1000)", 296),
        ("loader = DataLoader(OxfordIIITPet('here', download=True), batch_size=10)", 1472),
        ("loader = DataLoader(EuroSAT('here'), batch_size=1000)", 108),
        ("loader = DataLoader(datasets.VOCDetection('here', '2007', 'trainval'), batch_size=100)", 204),
        ("loader = DataLoader(datasets.VOCSegmentation('here', image_set='train'), batch_size=100)", 60),
        ("loader = DataLoader(datasets.VOCSegmentation('here', image_set=asked), batch_size=100)", None),
        ("loader = DataLoader(datasets.EMNIST('here', split='letters', train=True), batch_size=100)", 4992),
        ("loader = DataLoader(datasets.EMNIST('here', 'digits', train=False), batch_size=100)", 1600),
        ("loader = DataLoader(datasets.Omniglot('here'), batch_size=100)", 772),
        ("loader = DataLoader(datasets.FakeData(), batch_size=100)", 40),
        ("loader = DataLoader(datasets.FakeData(size=500), batch_size=100)", 20),
        ("loader = DataLoader(datasets.FakeData(size=asked), batch_size=100)", None),
        ("loader = DataLoader(torchaudio.datasets.SPEECHCOMMANDS('here', subset='training'), batch_size=1000)", 340),
        ("loader = DataLoader(paddle.vision.datasets.Cifar10(mode='test'), batch_size=1000)", 40),
        ("loader = DataLoader(list(open_rows()), batch_size=10)", None),
        ("loader = DataLoader(list(digits), batch_size=100)", 2400),
        ("x, y = make_moons(n_samples=500)\nloader = DataLoader(TensorDataset(torch.tensor(x)), batch_size=10)", 200),
        ("x, y = make_moons()\nloader = DataLoader(TensorDataset(torch.tensor(x)), batch_size=10)", 40),
        (
            "x, y = make_moons(n_samples=(5, 9))\nloader = DataLoader(TensorDataset(torch.tensor(x)), batch_size=2)",
            None,
        ),
        ("loader = DataLoader(range(torch.tensor(table.values).size(0)), batch_size=10)", 80),
        ("loader = DataLoader(mine.vision.datasets.Cifar10(mode='test'), batch_size=1000)", None),
        ("digits.data = digits.data[:1000]\nloader = DataLoader(digits, batch_size=10)", 400),
        (
            "some = torch.randperm(200)[:30].long()\nloader = DataLoader(digits.data[some], batch_size=10)",
            12,
        ),
        ("loader = DataLoader(digits, batch_size=10, sampler=WeightedRandomSampler(np.ones(60000), 700))", 280),
    ],
)
def test_samples_are_counted_on_their_way(read, data, count):
    assert steps(read, data) == count


@pytest.mark.parametrize(
    "data",
    [
        "loader = DataLoader(torch.tensor(table[table['dry'] > 0].values), batch_size=10)",
        "loader = DataLoader(torch.tensor(table.drop([4, 5]).values), batch_size=10)",
        "loader = DataLoader(torch.tensor(table.dropna().values), batch_size=10)",
        "loader = DataLoader(torch.tensor(np.concatenate([table.values, other], axis=1)), batch_size=10)",
        "loader = DataLoader(table.values[np.zeros(200, dtype=bool)], batch_size=10)",
        "loader = DataLoader(table.values[table['dry'].astype(bool)], batch_size=10)",
        "loader = DataLoader(table.values[table['dry']], batch_size=10)",
        "loader = DataLoader(table.values[(table['dry'] > 0).to_numpy()], batch_size=10)",
        "loader = DataLoader(table.values[np.random.choice(2, 200).astype(bool)], batch_size=10)",
        "wet = table.loc[table['dry'] > 0]\nloader = DataLoader(wet.iloc[:, 1:].values, batch_size=10)",
        "wet = table.loc[table['dry'] > 0].copy()\nloader = DataLoader(wet[['flow']].values, batch_size=10)",
        "loader = DataLoader(table.loc[20:80].values, batch_size=10)",
        "parts = []\nfor path in all_paths():\n    parts.append(pd.read_csv('wells.csv'))\n"
        "loader = DataLoader(pd.concat(parts).values, batch_size=10)",
        "loader = DataLoader(STL10('here', 'train', folds=1), batch_size=100)",
        "loader = DataLoader(pd.read_csv('wells.csv', comment='1').values, batch_size=10)",
    ],
)
def test_rows_that_are_chosen_by_what_they_hold_are_not_counted(read, data):
    assert steps(read, data) is None
