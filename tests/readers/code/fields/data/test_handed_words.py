"""Paths without a name, words in the names of files, lists of files: what the command hands over names the data."""

import pytest

from schedmate.readers.code.fields.data.data_sources import telling_part
from tests.readers.code.programs import FIT_BATCHES

USES = """
import sys
import torch
net = torch.nn.Linear(4, 2)
net.eval()
for path in sys.argv[2:]:
    with torch.no_grad():
        net(torch.load(path))
"""


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("kept.bin /mnt/blocks/cifar10_cut/*", "CIFAR-10"),
        ("kept.bin /mnt/blocks/herons/*", None),
        ("kept.bin /mnt/cifar10/$PART", None),
    ],
)
def test_a_path_without_a_name_names_a_known_set(read, words, name):
    assert read({"use.py": USES}, f"python use.py {words}").dataset_name == name


SAVES = (
    FIT_BATCHES
    + """
import sys
import numpy as np
fit(0.1, 100, np.load("rows.npy"))
torch.save({}, sys.argv[1] + "/last.pt")
"""
)
LOADS = SAVES.replace('np.load("rows.npy")', 'np.load(sys.argv[1] + "/rows.npy")').replace("torch.save", "print")


@pytest.mark.parametrize(
    ("code", "path", "name"),
    [
        (SAVES, "kept/cifar10/first", None),
        (LOADS, "kept/cifar10/first", "CIFAR-10"),
        (LOADS, "results/cifar10/first", None),
        (LOADS, "/ckpts/cifar10/first", None),
        (LOADS, "/some/pretrained_cifar10/first", None),
        (LOADS, "/home/cifar10/first/rows", None),
        (LOADS, "/home/cifar10/work/esc50", "ESC-50"),
        (LOADS, "/disk/musan/rows", None),
        (LOADS, "/disk/polyu/rows", None),
    ],
)
def test_a_path_names_the_data_only_if_it_is_read_and_is_no_persons_or_networks(read, code, path, name):
    assert read({"go.py": code}, f"python go.py {path}").dataset_name == name


def test_what_is_mixed_into_the_data_does_not_name_them(read):
    code = FIT_BATCHES + (
        "import argparse\nimport numpy as np\nparser = argparse.ArgumentParser()\n"
        "parser.add_argument('--noises')\nargs = parser.parse_args()\nfit(0.1, 100, np.load('rows.npy'))\n"
    )
    assert read({"go.py": code}, "python go.py --noises /disk/musan/all").dataset_name is None
    named = {"go.py": code.replace("--noises", "--musan_root")}
    assert read(named, "python go.py --musan_root /disk/all").dataset_name is None
    assert read({"go.py": code}, "python go.py --noises /disk/esc50/all").dataset_name == "ESC-50"


FILES = (
    FIT_BATCHES
    + """
import argparse
import numpy as np
parser = argparse.ArgumentParser()
parser.add_argument("--cut")
parser.add_argument("--mark")
parser.add_argument("--tag", default="heron_runs")
args = parser.parse_args()
rows = np.load(f"kept/{args.cut}/x_{args.mark}.npy"), np.load(f"kept/{args.cut}/y_{args.mark}.npy")
fit(0.1, 100, rows)
"""
)


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("--mark marsh_birds", "marsh_birds"),
        ("--mark marsh_birds --tag marsh_birds", "marsh_birds"),
        ("--mark train --tag marsh_birds", None),
        ("--mark abc", None),
        ("--mark large", None),
        ("--mark small_clean", None),
        ("--mark x --tag marsh_birds", None),
    ],
)
def test_a_word_of_the_command_in_the_names_of_most_files_names_the_data(read, words, name):
    assert read({"go.py": FILES}, f"python go.py {words} --cut small").dataset_name == name


LISTED = """
import torch
from torch.utils.data import DataLoader, Dataset
class SoundDataset(Dataset):
    def __init__(self, listing):
        self.paths = [line.strip() for line in open(listing)]
    def __getitem__(self, place):
        return torch.load(self.paths[place])
net = torch.nn.Linear(3, 3)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(3):
    for x in DataLoader(SoundDataset("LIST"), batch_size=2, shuffle=True):
        net(x).sum().backward()
        optimizer.step()
"""


@pytest.mark.parametrize(
    ("line", "listing", "name"),
    [
        ("/disk/us/esc50/a.wav 3\n", "lists/train_a.txt", "ESC-50"),
        ("/disk/us/esc50/a.wav 3\n" * 200_000, "lists/train_a.txt", "ESC-50"),
        ("0,/disk/us/esc50/a.wav\n", "lists/train_a.csv", "ESC-50"),
        ("/disk/us/herons/a.wav 3\n", "lists/train_a.txt", None),
        ("/disk/us/esc50/a.wav 3\n", "lists/val_a.txt", None),
        ("a.wav esc50\n", "lists/train_a.txt", None),
        ("", "lists/train_a.txt", None),
    ],
)
def test_where_the_files_lie_that_a_list_names(read, line, listing, name):
    files = {"go.py": LISTED.replace("LIST", listing), listing: line}
    assert read(files, "python go.py").dataset_name == name


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("/disk/us/marsh_birds/subject1/train", "marsh_birds"),
        ("/disk/us/marsh_birds/fold_3", "marsh_birds"),
        ("/disk/us/marsh_birds/run5_full", "run5_full"),
        ("/disk/us/marsh_birds/denoised", "marsh_birds"),
    ],
)
def test_a_numbered_part_does_not_name_the_whole(path, name):
    assert telling_part(path) == name


OWN = (
    FIT_BATCHES
    + """
import argparse
from models.heron import HeronNet
parser = argparse.ArgumentParser()
parser.add_argument("--data_path", default="/disk/us/heron")
args = parser.parse_args()
fit(0.1, 100, open(args.data_path))
"""
)


def test_a_folder_that_is_called_after_the_projects_own_network_names_no_data(read):
    net = "import torch\nclass HeronNet(torch.nn.Module):\n    pass\n"
    other = {"go.py": OWN.replace("models.heron", "parts.heron"), "parts/heron.py": net}
    assert read(other, "python go.py").dataset_name == "heron"
    assert read({"go.py": OWN, "models/heron.py": net}, "python go.py").dataset_name is None


SHARDS = (
    FIT_BATCHES
    + """
import glob
import json
import argparse
parser = argparse.ArgumentParser()
parser.add_argument("--wds_path", default=PATHS)
args = parser.parse_args()
found = []
for path in args.wds_path:
    found += glob.glob(path + "/*.tar")
fit(0.1, 100, found)
"""
)


@pytest.mark.parametrize(
    ("paths", "name"),
    [
        (["/d/data/Marsh/Marsh-a", "/d/data/Marsh/Marsh-b", "/d/data/Marsh/Marsh-esc50"], "Marsh"),
        (["/d/data/Marsh/esc50", "/d/data/Marsh/esc50"], "ESC-50"),
        (["/d/a", "/e/b"], None),
    ],
)
def test_of_several_folders_the_one_around_them_names_the_data(read, paths, name):
    assert read({"go.py": SHARDS.replace("PATHS", repr(paths))}, "python go.py").dataset_name == name
