"""Data that the command has made up in place of the set that a configuration names; folders that name their data."""

import pytest

PROGRAM = """
import argparse
import torch
from datasets import load_dataset

parser = argparse.ArgumentParser()
parser.add_argument("--dataset", default="cifar10")
parser.add_argument("--dataset_type", default="hub")
parser.add_argument("--mock-data", action="store_true")
args = parser.parse_args()
model = torch.nn.Linear(8, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
batches = make_up(args) if args.mock_data or args.dataset_type == "synthetic" else load_dataset(args.dataset)
for batch in batches:
    model(batch).sum().backward()
    optimizer.step()
"""


@pytest.mark.parametrize("words", ["--dataset_type synthetic", "--mock-data", "--dataset_type=Dummy"])
def test_what_the_command_has_made_up_is_no_named_set(read, words):
    assert read({"go.py": PROGRAM}, f"python go.py {words}").dataset_name == "synthetic data"


@pytest.mark.parametrize("words", ["", "--dataset_type hub"])
def test_without_that_word_the_set_is_the_configurations(read, words):
    assert read({"go.py": PROGRAM}, f"python go.py {words}").dataset_name.lower().replace("-", "") == "cifar10"


FOLDER = """
import torch
from torchvision.datasets import ImageFolder

pictures = ImageFolder({path!r})
model = torch.nn.Linear(8, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for picture in pictures:
    model(picture).sum().backward()
    optimizer.step()
"""


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("/home/someone/orchids/train", "orchids"),
        ("C:\\Users\\someone\\orchids\\train", "orchids"),
        ("D:\\orchids\\val", None),
        ("/content/drive/MyDrive/train", None),
    ],
)
def test_data_are_named_after_the_folder_that_is_read(read, path, name):
    assert read({"go.py": FOLDER.format(path=path)}, "python go.py").dataset_name == name


def test_a_known_set_further_up_the_path_that_is_searched_for_files(read):
    program = FOLDER.replace("from torchvision.datasets import ImageFolder", "import glob")
    program = program.replace("ImageFolder({path!r})", "glob.glob({path!r})")
    path = "/home/groups/lab/ADNI/sliced_pictures_train/*.png"
    assert read({"go.py": program.format(path=path)}, "python go.py").dataset_name == "ADNI"


TOLD = FOLDER.replace("from torchvision.datasets import ImageFolder", "import argparse").replace(
    "ImageFolder({path!r})", "rows_of(args.training_data)"
)
OPTION = """
parser = argparse.ArgumentParser()
parser.add_argument("--training_data")
args = parser.parse_args()
"""


@pytest.mark.parametrize(
    ("word", "name"), [("load_csv", None), ("raw_audio", None), ("from_json", None), ("river_levels", "river_levels")]
)
def test_a_word_of_how_data_are_read_is_no_folder(read, word, name):
    program = TOLD.replace("import argparse\n", "import argparse\n" + OPTION)
    assert read({"go.py": program}, f"python go.py --training_data {word}").dataset_name == name
