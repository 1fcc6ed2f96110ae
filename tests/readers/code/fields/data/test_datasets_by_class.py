"""Data sets that go by the class that reads them, where that says which they are."""

import pytest

OWN = """
import torch, cv2
from torch.utils.data import DataLoader, Dataset

class {name}(Dataset):
    def __init__(self, folder):
        self.folder = folder

    def __getitem__(self, place):
        return cv2.imread(f"{{self.folder}}/{{place}}.png")

net = torch.nn.Linear(2, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for page in DataLoader({name}("x"), batch_size=2):
    net(page).sum().backward()
    optimizer.step()
"""


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("VideoDatasetWithResizing", None),
        ("LatentEmbedDataset", None),
        ("MultiResolutionDataset", None),
        ("MarshBirdsDataset", None),
        ("SuperglueDataset", None),  # a matcher of pictures here, no set of texts
    ],
)
def test_a_class_of_ones_own_names_no_data(read, name, said):
    assert read({"fit.py": OWN.format(name=name)}, "python fit.py").dataset_name == said


FAMILY = """
import argparse
import torch
from torch.utils.data import DataLoader, Dataset

p = argparse.ArgumentParser()
p.add_argument("--data_path", default="ETTh1.csv")
a = p.parse_args()

class Dataset_ETT_minute(Dataset):
    def __init__(self, path):
        self.rows = open(path).readlines()
    def __len__(self):
        return len(self.rows)

loader = DataLoader(Dataset_ETT_minute(a.data_path), batch_size=32)
net = torch.nn.Linear(2, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(4):
    for batch in loader:
        net(batch).sum().backward()
        optimizer.step()
"""


@pytest.mark.parametrize(
    ("words", "name"), [("--data_path ETTm1.csv", "ETTm1"), ("", "ETT"), ("--data_path w.csv", "ETT")]
)
def test_a_class_of_a_family_of_sets_leaves_it_to_the_command_which(read, words, name):
    assert read({"fit.py": FAMILY}, f"python fit.py {words}").dataset_name == name


BUILT_ON = """
import torch
import torchvision
from torch.utils.data import DataLoader

class {name}(torchvision.datasets.CocoDetection):
    def __init__(self, folder, file):
        super().__init__(folder, file)

net = torch.nn.Conv2d(2, 2, 3)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(4):
    for batch in DataLoader({name}("pictures", "boxes.json"), batch_size=4):
        net(batch).sum().backward()
        optimizer.step()
"""


@pytest.mark.parametrize(("name", "found"), [("ClevrDetection", "CLEVR"), ("Boxes", "COCO")])
def test_a_reader_of_another_set_is_no_sign_of_that_set(read, name, found):
    assert read({"fit.py": BUILT_ON.format(name=name)}, "python fit.py").dataset_name == found


BESIDE = """
import torch
from torch.utils.data import DataLoader
from torchvision.datasets import MNIST

class FashionMNIST(MNIST):
    pass

unseen = FashionMNIST("other", train=False)
net = torch.nn.Linear(784, 10)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(4):
    for batch in DataLoader(MNIST("digits", train=True), batch_size=4):
        net(batch).sum().backward()
        optimizer.step()
"""


def test_a_reader_that_another_class_builds_on_still_reads_its_own_set(read):
    assert read({"fit.py": BESIDE}, "python fit.py").dataset_name == "MNIST"


DIGITS = """
import tensorflow as tf
from tensorflow.examples.tutorials.mnist import input_data
mnist = input_data.read_data_sets("here", one_hot=True{more})
x = tf.placeholder(tf.float32, [None, 784])
step = tf.train.AdamOptimizer(0.5).minimize(tf.reduce_mean(x))
session = tf.Session()
for epoch in range(3):
    for i in range(int(mnist.train.num_examples / 100)):
        rows, labels = mnist.train.next_batch(100)
        session.run(step, feed_dict={{x: rows}})
"""


@pytest.mark.parametrize(
    ("folder", "more", "name"),
    [("data/fashion", "", None), ("notMNIST_data", "", None), ("/tmp/digits", "", "MNIST"),
     ("here", ", source_url=place()", None)],
)  # fmt: skip
def test_sets_of_the_form_of_the_digits_are_not_the_digits(read, folder, more, name):
    code = DIGITS.format(more=more).replace('"here"', f'"{folder}"')
    assert read({"train.py": code}, "python train.py").dataset_name == name


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


def test_words_that_meet_in_a_name_name_no_data(read):
    code = CAPTIONED.format(cls="SpikeSpeechDataset").replace("data/coco/train", "first")
    assert read({"go.py": code}, "python go.py").dataset_name != "KeSpeech"


NOTES = """
import torch
from pycocotools.coco import COCO

rows = COCO("notes.json").loadAnns([1])
net = torch.nn.Conv2d(3, 3, 3)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for row in rows:
    net(row).sum().backward()
    optimizer.step()
"""


@pytest.mark.parametrize(
    ("path", "notes", "name"),
    [
        ("fit.py", "notes.json", None),
        ("mpii/fit.py", "notes.json", "MPII"),
        ("fit.py", "annotations/instances_train2017.json", "COCO"),
        ("fit.py", "rows/cityscapes_boxes.json", "Cityscapes"),
    ],
)
def test_notes_of_other_sets_are_written_in_the_form_of_coco(read, path, notes, name):
    assert read({path: NOTES.replace("notes.json", notes)}, f"python {path}").dataset_name == name


@pytest.mark.parametrize(("path", "name"), [("fit.py", None), ("coco_boxes.py", "COCO"), ("mpii/fit.py", "MPII")])
def test_code_says_whose_notes_it_reads_where_their_file_is_open(read, path, name):
    code = NOTES.replace('"notes.json"', "sys.argv[1]").replace("import torch", "import sys\nimport torch", 1)
    assert read({path: code}, f"python {path} $NOTES").dataset_name == name
