"""A job of which only the file is known that it trains on has its data named after that file, and nothing else is."""

import pytest

CODE = """
import argparse
import pandas as pd
import torch
parser = argparse.ArgumentParser()
parser.add_argument("--{option}", default="{default}")
args = parser.parse_args()
model = torch.nn.Linear(8, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
{reading}
for batch in rows:
    model(batch).sum().backward()
    optimizer.step()
"""


@pytest.mark.parametrize(
    ("option", "default", "words", "name"),
    [
        ("train_file", "data/train.csv", "", "data/train.csv"),
        ("train_file", "x/train.csv", " --train_file /home/somebody/files/all.jsonl", "files/all.jsonl"),
        ("paths_train", "a/train.spacy", "", "a/train.spacy"),
        ("train_file", "path/to/train.csv", "", None),
        ("train_labels", "a/train.txt", "", None),
        ("test_file", "data/test.csv", "", None),
        ("train_file", "a/train.png", "", None),
    ],
)
def test_the_file_that_an_option_gives_to_train_on_names_the_data(read, option, default, words, name):
    code = CODE.format(option=option, default=default, reading=f"rows = elsewhere(args.{option})")
    assert read({"go.py": code}, f"python go.py{words}").dataset_name == name


@pytest.mark.parametrize(
    ("reading", "name"),
    [
        ("rows = pd.read_csv('data/train.csv')", "data/train.csv"),
        ("rows = pd.read_csv('data/train.csv')\nmore = pd.read_csv('data/all.csv')", None),
        ("rows = pd.read_csv('data/test.csv')", None),
        ("rows = open('labels.txt')", None),
        ("rows = open('https://somewhere/data.csv')", None),
    ],
)
def test_the_one_file_that_is_read_names_the_data(read, reading, name):
    code = CODE.format(option="seed", default="1", reading=reading)
    assert read({"go.py": code}, "python go.py").dataset_name == name


def test_what_the_readme_names_goes_before_the_name_of_a_class(read):
    code = """
import torch
from torch.utils.data import DataLoader, Dataset
class HarbourDataset(Dataset):
    def __init__(self):
        self.rows = elsewhere()
model = torch.nn.Linear(8, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for batch in DataLoader(HarbourDataset(), batch_size=4, shuffle=True):
    model(batch).sum().backward()
    optimizer.step()
"""
    assert read({"go.py": code}, "python go.py").dataset_name == "HarbourDataset"
    readme = {"README.md": "We train on the LibriSpeech dataset."}
    assert read({"go.py": code, **readme}, "python go.py").dataset_name == "LibriSpeech"
    assert read({"go.py": code.replace("Harbour", "Kitti")}, "python go.py").dataset_name == "KITTI"


def test_a_folder_for_data_is_shown_with_the_one_above(read):
    code = """
import argparse
import pandas
import torch
parser = argparse.ArgumentParser()
parser.add_argument("--train_csv", default="/deep/storage/OX_Barges2/dataset/train.csv")
args = parser.parse_args()
rows = pandas.read_csv(args.train_csv)
model = torch.nn.Linear(8, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
model(torch.tensor(rows.values)).sum().backward()
optimizer.step()
"""
    assert read({"go.py": code}, "python go.py").dataset_name == "OX_Barges2/dataset/train.csv"
