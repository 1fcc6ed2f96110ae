"""Weaker places that name the data: files that are read, paths among the settings, what the README says."""

import pytest

from tests.readers.code.networks import NET_AND_OPTION

TRAIN = """
import csv
import torch
from torch.utils.data import DataLoader, Dataset

class Rows(Dataset):
    def __init__(self, path):
        self.rows = list(csv.reader(open(path)))

class SequenceDataset(Rows):
    pass

model = torch.nn.Linear(8, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
rows = {rows}
for batch in DataLoader(rows, batch_size=4, shuffle=True):
    model(batch).sum().backward()
    optimizer.step()
"""


def program(rows="torch.randn(40, 8)"):
    return {"go.py": TRAIN.format(rows=rows)}


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("river_levels.csv", "river_levels"),
        ("/home/somebody/work/glacier_photos/", "glacier_photos"),
        ("harbour_sounds_data/data/processed/train", "harbour_sounds_data"),
    ],
)
def test_the_file_that_the_data_are_made_from_names_them(read, path, name):
    assert read(program(f"SequenceDataset({path!r})"), "python go.py").dataset_name == name


@pytest.mark.parametrize(
    "path",
    [
        "config.json",
        "data/train",
        "test_data/river_levels.csv",
        "testsets/river_levels.csv",
        "vocab.txt",
        "rig/cameras_round.npz",
    ],
)
def test_files_beside_the_data_and_plain_names_tell_none(read, path):
    assert read(program(f"SequenceDataset({path!r})"), "python go.py").dataset_name is None


CONFIGURED = """
import torch
import yaml

settings = yaml.safe_load(open("settings.yaml"))
model = torch.nn.Linear(8, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(10):
    model(torch.load(settings["where"]["folder_of_volumes"])).sum().backward()
    optimizer.step()
"""


@pytest.mark.parametrize(
    ("setting", "name"),
    [
        ("folder_of_volumes: ./data/brats_separated", "BraTS"),
        ("teacher_checkpoint: ./weights/brats_teacher", None),
        ("folder_for_validation: ./data/brats_separated", None),
    ],
)
def test_a_path_among_the_settings_names_a_known_set(read, setting, name):
    files = {"go.py": CONFIGURED, "settings.yaml": f"where:\n  {setting}\n"}
    assert read(files, "python go.py --config settings.yaml").dataset_name == name


@pytest.mark.parametrize(
    ("readme", "name"),
    [
        ("# Beats\nWe train on the GTZAN dataset.", "GTZAN"),
        ("# Rythmes\nLes morceaux viennent de la base de données GTZAN.", "GTZAN"),
        ("# Beats\nTrained on the GTZAN dataset, tested on ESC-50.", None),
        ("# Beats\nTrained on Penn Treebank, a small corpus.", "Penn Treebank"),
        ("# Beats\nPre-trained on AudioSet.\nWe use the GTZAN dataset.", "GTZAN"),
        ("# Beats\nLike others did for GTZAN, we listen.", None),
        ("# Beats\nGTZAN is a dataset that is used for testing.", None),
    ],
)
def test_the_one_set_that_the_readme_names_is_the_data(read, readme, name):
    assert read({**program(), "README.md": readme}, "python go.py").dataset_name == name


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("./data/imdb_tokenized_dataset", "IMDB"),
        ("/scratch/somebody/glacier_texts/train", "glacier_texts"),
        ("saved_river_texts", "saved_river_texts"),
        ("data/train", None),
    ],
)
def test_what_was_saved_to_the_disk_is_named_by_its_folder(read, path, name):
    code = program(f"load_from_disk({path!r})")["go.py"]
    files = {"go.py": f"from datasets import load_from_disk\n{code}"}
    assert read(files, "python go.py").dataset_name == name


@pytest.mark.parametrize(
    "readme",
    [
        "For people who want to train on public datasets like [COCO](there).",
        "You may train it on a dataset such as CIFAR-10.",
        "As a start I recommend to download the corpus CIFAR-10.",
        "Give it any corpus (e.g. WikiText-103) for training.",
    ],
)
def test_what_a_readme_gives_as_an_example_is_not_the_data(read, readme):
    assert read({**program(), "README.md": readme}, "python go.py").dataset_name is None


@pytest.mark.parametrize("readme", ["It is trained on the CIFAR-10 dataset, and we like it.", "Train on CIFAR-10."])
def test_what_a_readme_says_of_the_data_is(read, readme):
    assert read({**program(), "README.md": readme}, "python go.py").dataset_name == "CIFAR-10"


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        ("'keep/44k/G_*.pth'", None),
        ("'lark/tunes/*.wav'", None),
        ("a.clips + '/*.wav'", "songs"),
        ("'in/' + a.kind + '/*.wav'", None),
    ],
)
def test_a_pattern_that_only_code_holds_names_no_data(read, pattern, found):
    program = (
        "import argparse\np = argparse.ArgumentParser()\np.add_argument('--clips', default='lark/songs')\n"
        "p.add_argument('--kind', default='murmurs')\n"
        f"a = p.parse_args()\nimport glob\nimport torch\nseen = glob.glob({pattern})\nmodel = torch.nn.Linear(3, 3)\n"
        "optimizer = torch.optim.SGD(model.parameters(), lr=0.1)\nfor batch in load(seen):\n"
        "    model(batch).sum().backward()\n    optimizer.step()\n"
    )
    assert read({"fit.py": program}, "python fit.py").dataset_name == found


def test_a_bare_address_names_no_data(read):
    told = "# Things\nA data set of pictures.\n* https://github.com/other/CIFAR10-DATASET\n"
    assert read({"main.py": NET_AND_OPTION, "README.md": told}, "python main.py x").dataset_name != "CIFAR-10"


@pytest.mark.parametrize(
    "news",
    [
        "- **_News (2022-10-04)_**: codes of our image deblurring",
        "* 2023.01: Image deblurring",
        "**Updates**: deblurring",
    ],
)
def test_news_say_nothing_of_the_project(read, news):
    program = NET_AND_OPTION.replace("net = Net()", "import torchvision\nnet = torchvision.models.resnet18()")
    told = read({"main.py": program, "README.md": f"# Our toolbox\n\n{news}\n"}, "python main.py x")
    plain = read({"main.py": program, "README.md": "# Our toolbox\n\nFor image deblurring\n"}, "python main.py x")
    assert (told.task_fine, plain.task_fine) == ("image classification", "image deblurring")


def test_what_the_readme_says_is_not_of_data_that_the_repository_holds(read):
    code = program()["go.py"]
    code = "import argparse\np = argparse.ArgumentParser()\np.add_argument('--data_path')\np.parse_args()\n" + code
    files = {"go.py": code, "README.md": "It is trained on the CIFAR-10 dataset."}
    assert read(files, "python go.py --data_path data/train").dataset_name == "CIFAR-10"
    assert read({**files, "data/train/x.json": "[]"}, "python go.py --data_path data/train").dataset_name is None


@pytest.mark.parametrize(
    ("readme", "data"),
    [
        ("We train on the dataset CIFAR-10.\n", "CIFAR-10"),
        ("See the data of [us](https://github.com/us/our-cifar10-net/wiki).\n", None),
        ("```\ndataset = 'cifar10'  # for debugging\n```\n", None),
        ("```\npython go.py  # the dataset is CIFAR-10\n```\n", "CIFAR-10"),
    ],
)
def test_a_project_s_address_and_a_setting_of_some_program_name_no_data(read, readme, data):
    assert read({**program(), "README.md": f"# Things\n\n{readme}"}, "python go.py").dataset_name == data


PLACED = """
import torch
import ase.io
rows = ase.io.read(PATH, ":")
model = torch.nn.Linear(8, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for row in rows:
    model(row).sum().backward()
    optimizer.step()
"""


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("../../data/Perovskites/train.xyz", "Perovskites"),
        ("../../data/Perovskites/first.xyz", None),
        ("../../data/train.xyz", None),
        ("../../kept/Perovskites/train.xyz", None),
        ("../../data/Perovskites/val.xyz", None),
    ],
)
def test_a_file_that_says_that_it_is_for_training_leaves_the_name_to_its_folder(read, path, name):
    assert read({"go.py": PLACED.replace("PATH", repr(path))}, "python go.py").dataset_name == name


def test_what_the_readme_mixes_into_the_data_is_not_what_is_learned(read):
    says = "# Herons\n\nWe train on the ESC-50 dataset{}.\n"
    files = {**program(), "README.md": says.format("")}
    assert read(files, "python go.py").dataset_name == "ESC-50"
    mixed = {**program(), "README.md": says.format(" of environmental noise")}
    assert read(mixed, "python go.py").dataset_name is None


KEPT = """
import os
import sys
import torch

class TableData(torch.utils.data.Dataset):
    def __init__(self, path):
        self.rows = open(os.path.join(path, "rows.bin")).read()

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, place):
        return self.rows[place]

folder = "runs_kept/" + sys.argv[1] + "_moorland/"
{line}
net = torch.nn.Linear(3, 3)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for x in torch.utils.data.DataLoader(TableData(folder), batch_size=4):
    net(x).sum().backward()
    optimizer.step()
"""


@pytest.mark.parametrize(("line", "name"), [("os.makedirs(folder, exist_ok=True)", None), ("", "small_moorland")])
def test_a_folder_that_the_program_makes_is_no_data(read, line, name):
    assert read({"fit.py": KEPT.format(line=line)}, "python fit.py small").dataset_name == name
