"""Words that look like the data's name and are another thing's: a file of settings, a task, a scaler, a usual word."""

import pytest

TRAIN = """
import argparse
import pandas as pd
import torch

parser = argparse.ArgumentParser()
parser.add_argument("--{option}", default=None)
parser.add_argument("--table", default="rivers/all.csv")
args = parser.parse_args()
print(args.{option})

class {cls}(torch.utils.data.Dataset):
    def __init__(self, rows, extra):
        self.rows, self.extra = rows, extra

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, place):
        return self.rows[place]

samples = {cls}({rows}, args.{option})
loader = torch.utils.data.DataLoader(samples, batch_size=4, shuffle=True)
net = torch.nn.Linear(4, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(3):
    for batch in loader:
        net(batch).sum().backward()
        optimizer.step()
"""


def data_of(read, words, option="dataset", cls="ItemDataset", rows="rows"):
    """Read the data set of the program above."""
    code = TRAIN.format(option=option, cls=cls, rows=rows)
    return read({"go.py": code}, f"python go.py {words}").dataset_name


def test_a_file_of_settings_is_no_data_set(read):
    assert data_of(read, "--dataset parts/second.toml") is None
    assert data_of(read, "--dataset cifar10") == "CIFAR-10"


def test_the_word_of_a_task_is_no_data_set(read):
    assert data_of(read, "--task_name NER", "task_name") is None
    assert data_of(read, "--task_name MRPC", "task_name") is not None


def test_what_was_worked_out_of_other_data_does_not_name_these(read):
    rows = "pd.read_csv(args.table)"
    assert data_of(read, "--extra kept/chembl_scalers.pkl", "extra", rows=rows) != "ChEMBL"
    assert data_of(read, "--extra kept/chembl_part.pkl", "extra", rows=rows) == "ChEMBL"


@pytest.mark.parametrize(
    ("cls", "name"), [("AnomalyClassifyDataset", None), ("ReefCaptionDataset", "ReefCaptionDataset")]
)
def test_a_class_named_after_what_is_learned_names_no_data(read, cls, name):
    assert data_of(read, "", cls=cls) == name


def test_what_lies_in_a_folder_of_tokenizers_or_settings_is_no_data_set(read):
    for path in ("tokenizers/words/german.pickle", "configs/rivers.pickle"):
        code = TRAIN.format(option="extra", cls="ItemDataset", rows=f"pd.read_pickle({path!r})")
        assert read({"go.py": code.replace("rivers/all.csv", "")}, "python go.py").dataset_name is None


def test_what_older_programs_call_their_folder_of_training_may_be_written_to(read):
    code = TRAIN.format(option="train_dir", cls="ItemDataset", rows="rows")
    code = code.replace("rivers/all.csv", "").replace("(rows, args.train_dir)", "(rows, None)")
    assert read({"go.py": code}, "python go.py --train_dir logs_small/first").dataset_name is None
    assert read({"go.py": code}, "python go.py --train_dir reefs/corals").dataset_name == "corals"


LOADS = """
import argparse
import torch
from torch import nn
from datasets import load_dataset

parser = argparse.ArgumentParser()
parser.add_argument("--dataset", default="rows")
args = parser.parse_args()
print(args.dataset)
samples = load_dataset("{kind}", data_files="shelf/imdb.{kind}")
net = nn.Linear(4, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=1)
for step in range(7):
    net(step).sum().backward()
    optimizer.step()
"""


@pytest.mark.parametrize("kind", ["json", "csv", "parquet"])
def test_files_that_are_loaded_by_their_format_go_before_an_option(read, kind):
    assert read({"go.py": LOADS.format(kind=kind)}, "python go.py").dataset_name == "IMDB"
