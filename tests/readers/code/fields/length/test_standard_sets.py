"""Steps over a standard set whose own length the program does not show, and what speaks against its usual size."""

import pytest

from schedmate.knowledge.data_sizes import standard_size
from schedmate.knowledge.datasets import words
from schedmate.knowledge.tables import table

CODE = """
import argparse, glob, torch
from torch.utils.data import DataLoader, Dataset, random_split
parser = argparse.ArgumentParser()
parser.add_argument("--{option}", type=float, default={default})
args = parser.parse_args()

class Cityscapes(Dataset):
    def __init__(self, root, split="train"):
        self.files = glob.glob(root + split)
        {own}
    def __len__(self):
        return len(self.files){times}
    def __getitem__(self, place):
        return self.files[place]

data = Cityscapes("data/cityscapes"{given})
{after}
loader = DataLoader(data, batch_size=25, shuffle=True, drop_last=True)
net = torch.nn.Linear(4, 2).cuda()
optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)
for epoch in range(10):
    for place, batch in enumerate(loader):
        net(batch).sum().backward()
        optimizer.step(){end}
"""


@pytest.mark.parametrize(
    ("parts", "count"),
    [
        ({}, 10 * (2975 // 25)),
        ({"option": "subset_fraction", "default": 0.5}, None),
        ({"option": "subset_fraction", "default": 1.0}, 10 * (2975 // 25)),
        ({"option": "noise_sd", "default": 0.5}, 10 * (2975 // 25)),
        ({"own": "self.files = self.files[:500]"}, None),
        ({"own": "self.files = random.sample(self.files, n)"}, None),
        ({"given": ", split='trainval'"}, None),
        ({"given": ", 'val'"}, None),
        ({"times": " * 20"}, None),
        ({"times": " if self.files else 0"}, None),
        ({"after": "data, rest = random_split(data, [0.9, 0.1])"}, None),
        ({"end": "\n        if place > 9:\n            break"}, 10 * 11),
        ({"end": "\n        if batch.mean() > 9:\n            break"}, None),
    ],
)
def test_a_standard_set_has_its_usual_size_unless_something_speaks_of_a_part(read, parts, count):
    usual = {"option": "lr", "default": 1.0, "own": "pass", "given": "", "after": "", "end": "", "times": ""}
    job = read({"train.py": CODE.format(**{**usual, **parts})}, "python train.py")
    assert job.epochs == 10
    assert job.total_steps == count


LOOPS = (
    CODE.partition("for epoch in")[0].format(option="x", default=1, own="pass", given="", after="", times="")
    + """
from itertools import islice
def step(batch):
    net(batch).sum().backward()
    optimizer.step()
{loop}
"""
)


@pytest.mark.parametrize(
    ("loop", "count"),
    [
        ("for epoch in range(3):\n    for batch in loader:\n        step(batch)", 3 * 119),
        ("for epoch in range(3):\n    for batch in islice(loader, 5):\n        step(batch)", None),
        (
            "for fold in range(5):\n  for epoch in range(3):\n    for batch in loader:\n      step(batch)",
            None,
        ),
        (
            "for epoch in range(3):\n  for batch in loader:\n    for again in range(2):\n      step(batch)",
            None,
        ),
    ],
)
def test_only_one_loop_over_epochs_goes_over_the_batches(read, loop, count):
    assert read({"train.py": LOOPS.format(loop=loop)}, "python train.py").total_steps == count


def test_each_standard_size_is_of_a_known_set():
    known = {found.name for _, found in words()}
    for name in table("data_sizes")["standard"]:
        assert name in known
        assert standard_size(name) > 200


FOLDER = """
import argparse, os, torch
from torch.utils.data import DataLoader
from torchvision.datasets import ImageFolder
parser = argparse.ArgumentParser()
parser.add_argument("data")
args = parser.parse_args()
loader = DataLoader(ImageFolder(os.path.join(args.data, "{part}")), batch_size=1000, shuffle=True)
net = torch.nn.Linear(4, 2)
optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)
for epoch in range(10):
    for batch in loader:
        net(batch).sum().backward()
        optimizer.step()
"""


@pytest.mark.parametrize(
    ("part", "data", "count"), [("train", "imagenet", 12820), ("val", "imagenet", None), ("train", "frogs", None)]
)
def test_a_folder_of_classes_holds_the_standard_set_that_it_is_named_after(read, part, data, count):
    job = read({"train.py": FOLDER.format(part=part)}, f"python train.py /sets/{data}")
    assert job.total_steps == count


CAUGHT = """
import torch
from torch.utils.data import DataLoader
from torchvision.datasets import CocoDetection
data = CocoDetection("{root}", annFile="{notes}")
loader = DataLoader(data, batch_size=1000, shuffle=True)
net = torch.nn.Linear(4, 2)
optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)
for epoch in range(10):
    for batch in loader:
        net(batch).sum().backward()
        optimizer.step()
"""


@pytest.mark.parametrize(
    ("root", "notes", "count"),
    [
        ("coco/train2017", "coco/notes.json", 1190),
        ("coco/train", "coco/notes/train.json", None),
    ],
)
def test_a_set_of_several_editions_has_the_usual_size_if_its_files_tell_the_edition(read, root, notes, count):
    job = read({"train.py": CAUGHT.format(root=root, notes=notes)}, "python train.py")
    assert job.dataset_name == "COCO"
    assert job.total_steps == count


PUT = """
import numpy, torch, torchvision
data = torchvision.datasets.CIFAR10("there", train=True)
{put}
loader = torch.utils.data.DataLoader(data, batch_size=100)
optimizer = torch.optim.SGD(torch.nn.Linear(4, 2).parameters(), lr=0.1)
for epoch in range(2):
    for batch in loader:
        batch.sum().backward()
        optimizer.step()
"""


@pytest.mark.parametrize(
    ("put", "count"), [("", 1000), ("data.data = data.data[numpy.array(data.targets) == 3]", None)]
)
def test_a_set_in_which_the_program_puts_other_samples_has_no_usual_size(read, put, count):
    assert read({"train.py": PUT.format(put=put)}, "python train.py").total_steps == count


PATHS = """
import argparse
import torch
from torchvision.datasets import ImageFolder
parser = argparse.ArgumentParser()
parser.add_argument("--dataset", default="imagenet")
parser.add_argument("--data-dir", default="data/imagenet")
args = parser.parse_args()
loader = torch.utils.data.DataLoader(ImageFolder(args.data_dir + "/train"), batch_size=256, shuffle=True)
net = torch.nn.Linear(4, 2)
sgd = torch.optim.SGD(net.parameters(), lr=1e-3)
for epoch in range(2):
    for batch in loader:
        net(batch).sum().backward()
        sgd.step()
"""


@pytest.mark.parametrize(
    ("words", "steps"),
    [
        ("--dataset imagenet", 2 * 5005),
        ("--dataset imagenet --data-dir /data/imagenet", 2 * 5005),
        ("--dataset imagenet --data-dir ./imagenette2-160", 2 * 37),
        ("--dataset imagenet --data-dir /data/food101", 2 * 296),
    ],
)
def test_a_folder_of_another_set_is_that_set(read, words, steps):
    assert read({"go.py": PATHS}, f"python go.py {words}").total_steps == steps


PEOPLE = """
import os
import torch
class COCODataset(torch.utils.data.Dataset):
    def __init__(self, root, split):
        self.where = os.path.join(root, split)
        self.rows = read_rows(self.where)
    def __len__(self):
        return len(self.rows)
    def __getitem__(self, place):
        return self.rows[place]["{kept}"]
loader = torch.utils.data.DataLoader(COCODataset("data/coco", "train2017"), batch_size=1000)
net = torch.nn.Linear(4, 2)
sgd = torch.optim.SGD(net.parameters(), lr=1e-3)
for epoch in range(10):
    for batch in loader:
        net(batch).sum().backward()
        sgd.step()
"""


@pytest.mark.parametrize(("kept", "steps"), [("boxes", 1190), ("keypoints", None), ("caption", None)])
def test_people_and_sentences_are_not_as_many_as_the_pictures_they_belong_to(read, kept, steps):
    assert read({"go.py": PEOPLE.format(kept=kept)}, "python go.py").total_steps == steps


BY_TIMM = """
import argparse
import os
import torch
from timm.data import ImageDataset, create_dataset, create_loader
parser = argparse.ArgumentParser()
parser.add_argument("data")
args = parser.parse_args()
data = {data}
loader = create_loader(data, input_size=224, batch_size=128, is_training={trains})
net = torch.nn.Linear(4, 2)
sgd = torch.optim.SGD(net.parameters(), lr=1e-3)
for epoch in range(3):
    for batch in loader:
        net(batch).sum().backward()
        sgd.step()
"""


@pytest.mark.parametrize(
    ("data", "trains", "steps"),
    [
        ("create_dataset('', root=args.data, split='train')", "True", 3 * 10009),
        ("create_dataset('', root=args.data, split='validation')", "True", None),
        ("ImageDataset(os.path.join(args.data, 'train'))", "True", 3 * 10009),
        ("ImageDataset(os.path.join(args.data, 'val'))", "True", None),
        ("ImageDataset(os.path.join(args.data, 'train'))", "False", 3 * 10010),
    ],
)
def test_loaders_of_timm_drop_a_last_small_batch_in_training(read, data, trains, steps):
    job = read({"go.py": BY_TIMM.format(data=data, trains=trains)}, "python go.py /sets/imagenet")
    assert (job.batch_size, job.epochs, job.total_steps) == (128, 3, steps)


PARTS_OF_TEXTS = """
import json
import torch
from torch.utils.data import DataLoader, Subset, SubsetRandomSampler
from torchtext.data import BucketIterator, Field
from torchtext.data.functional import to_map_style_dataset
from torchtext.datasets import AG_NEWS, IMDB, Multi30k
import torchaudio
import torchvision
net = torch.nn.EmbeddingBag(1000, 64)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
{data}
for epoch in range(10):
    for x, y in loader:
        optimizer.zero_grad()
        net(x).sum().backward()
        optimizer.step()
"""
LOADED = "loader = DataLoader({data}, batch_size=64)"


@pytest.mark.parametrize(
    ("made", "name"),
    [
        ("torchaudio.datasets.SPEECHCOMMANDS('.', subset='training')", "_walker"),
        ("torchvision.datasets.VOCDetection('d', '2012', 'train')", "images"),
    ],
)
def test_samples_that_are_replaced(read, made, name):
    data = f"data = {made}\n{LOADED.format(data='data')}"
    assert read({"train.py": PARTS_OF_TEXTS.format(data=data)}, "python train.py").total_steps > 0
    replaced = (
        f"data = {made}\ndata.{name} = [one for one in data.{name} if 'yes' in one]\n{LOADED.format(data='data')}"
    )
    assert read({"train.py": PARTS_OF_TEXTS.format(data=replaced)}, "python train.py").total_steps is None
    own = f"""
class Mine({made.partition("(")[0]}):
    def __init__(self):
        super().__init__({made.partition("(")[2]}
        self.{name} = [one for one in self.{name} if "yes" in one]
{LOADED.format(data="Mine()")}
"""
    assert read({"train.py": PARTS_OF_TEXTS.format(data=own)}, "python train.py").total_steps is None
