"""Data that the command has made up in place of the set that a configuration names; folders that name their data."""

import pytest

from schedmate.readers.code.fields.data.data_sources import telling_part
from tests.readers.code.networks import CONV_NET, named_net, with_training
from tests.readers.code.programs import FIT_BATCHES, FIT_SETTINGS, NAMED_ROWS, data_of, on_device

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


def test_words_of_formats_are_no_names_of_data(read):
    code = "import argparse\nimport torch\nimport torchvision\nparser = argparse.ArgumentParser()\n"
    code += "parser.add_argument('--data_dir', default='{folder}')\nargs = parser.parse_args()\n"
    code += "data = torchvision.datasets.ImageFolder(args.data_dir)\nloader = torch.utils.data.DataLoader(data)\n"
    code += "net = torch.nn.Linear(4, 2)\noptimizer = torch.optim.SGD(net.parameters(), lr=0.01)\n"
    code += "for batch in loader:\n    net(batch).sum().backward()\n    optimizer.step()\n"
    assert read({"go.py": code.replace("{folder}", "../reefs/pytorch")}, "python go.py").dataset_name == "reefs"
    assert read({"go.py": code.replace("{folder}", "./preprocess")}, "python go.py").dataset_name is None


def test_what_was_worked_out_of_other_data_does_not_name_these(read):
    rows = "pd.read_csv(args.table)"
    assert data_of(read, "--extra kept/chembl_scalers.pkl", "extra", rows=rows) != "ChEMBL"
    assert data_of(read, "--extra kept/chembl_part.pkl", "extra", rows=rows) == "ChEMBL"


def test_what_lies_in_a_folder_of_tokenizers_or_settings_is_no_data_set(read):
    for path in ("tokenizers/words/german.pickle", "configs/rivers.pickle"):
        code = NAMED_ROWS.format(option="extra", cls="ItemDataset", rows=f"pd.read_pickle({path!r})")
        assert read({"go.py": code.replace("rivers/all.csv", "")}, "python go.py").dataset_name is None


def test_what_older_programs_call_their_folder_of_training_may_be_written_to(read):
    code = NAMED_ROWS.format(option="train_dir", cls="ItemDataset", rows="rows")
    code = code.replace("rivers/all.csv", "").replace("(rows, args.train_dir)", "(rows, None)")
    assert read({"go.py": code}, "python go.py --train_dir logs_small/first").dataset_name is None
    assert read({"go.py": code}, "python go.py --train_dir reefs/corals").dataset_name == "corals"


def test_random_crops_of_what_is_read_are_no_synthetic_data(read):
    assert "synthetic" not in str(read(on_device(), "python train.py").dataset_name)


def test_data_named_by_the_file_of_its_class(read):
    files = {
        "tinystories.py": """
            import numpy
            from torch.utils.data import Dataset

            class PretokDataset(Dataset):
                def __init__(self, split):
                    self.items = numpy.memmap(split)

                def __getitem__(self, place):
                    return self.items[place]
            """,
        "train.py": """
            import torch
            from tinystories import PretokDataset
            from torch.utils.data import DataLoader

            model = torch.nn.Linear(4, 4)
            optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
            for batch in DataLoader(PretokDataset("train"), batch_size=2):
                model(batch).sum().backward()
                optimizer.step()
            """,
    }
    assert read(files, "python train.py").dataset_name == "TinyStories"


CODE = """
import argparse, glob, json, os, pickle
from pathlib import Path
import torch
from torch.utils.data import DataLoader, Dataset
from torchvision.datasets import ImageFolder

class Leaves(Dataset):
    def __init__(self, root):
        self.files = sorted(glob.glob(os.path.join(root, "*.jpg")))
    def __len__(self):
        return len(self.files)
    def __getitem__(self, place):
        return self.files[place]

parser = argparse.ArgumentParser()
parser.add_argument("--root", required=True)
args = parser.parse_args()
{data}
net = torch.nn.Linear(4, 2)
optimizer = torch.optim.Adam(net.parameters())
for epoch in range(3):
    for batch in DataLoader(data, batch_size=10):
        optimizer.zero_grad()
        net(batch).sum().backward()
        optimizer.step()
"""


@pytest.mark.parametrize(
    ("data", "name"),
    [
        ("data = Leaves(os.environ['SETS'] + '/oakgalls/train')", "oakgalls"),
        ("data = Leaves(os.path.join(os.environ['SETS'], 'oakgalls', 'train'))", "oakgalls"),
        ("data = Leaves(os.path.join(args.root, 'oakgalls', 'train'))", "oakgalls"),
        ("data = Leaves(Path.home() / 'sets' / 'oakgalls' / 'train')", "oakgalls"),
        ("data = Leaves(Path(__file__).resolve().parent / 'data' / 'oakgalls')", "oakgalls"),
        ("data = Leaves('/nfs/ann/OAK_GAL_data/images')", "OAK_GAL_data"),
        ("data = ImageFolder('/nfs/ann/OAK_GAL_data/images')", "OAK_GAL_data"),
        ("data = pickle.load(open('data/oakgalls.pkl', 'rb'))", None),
        ("data = Leaves(json.load(open('data/oakgalls.json')))", None),
    ],
)
def test_the_end_of_a_path_names_the_data(read, data, name):
    assert read({"fit.py": CODE.format(data=data)}, "python fit.py").dataset_name == name


@pytest.mark.parametrize("data", ["data = Leaves('/nfs/ann/RGB/images')", "data = Leaves(args.root + '/trainData')"])
def test_plain_ends_name_nothing(read, data):
    assert read({"fit.py": CODE.format(data=data)}, "python fit.py").dataset_name is None


READS = (
    FIT_BATCHES
    + """
import argparse
parser = argparse.ArgumentParser()
parser.add_argument("--{name}", default="./data/blossoms")
fit(0.1, 5, data=load(parser.parse_args().{name}))
"""
)


@pytest.mark.parametrize(
    ("name", "given", "data"),
    [
        ("train_file", "packed-blossoms-4k", "packed-blossoms-4k"),
        ("train_file", "train", None),
        ("dataset", "/projects/lab/blossoms_of_may/dataset", "blossoms_of_may"),
    ],
)
def test_data_are_named_after_a_single_word_or_a_folder_of_the_command(read, name, given, data):
    assert read({"train.py": READS.format(name=name)}, f"python train.py --{name} {given}").dataset_name == data


def test_a_persons_own_folder_names_no_data(read):
    code = FIT_SETTINGS + (
        "import argparse\nparser = argparse.ArgumentParser()\nparser.add_argument('--data_dir')\n"
        "print(parser.parse_args().data_dir)\nfit(4, 0.5, 7)\n"
    )
    assert read({"train.py": code}, "python train.py --data_dir /home/marla/Datasets").dataset_name is None


def test_training_data_are_not_those_of_the_validation(read):
    text = """
    import argparse
    from torchvision import datasets
    parser = argparse.ArgumentParser()
    parser.add_argument("--train-data")
    parser.add_argument("--imagenet-val")
    args = parser.parse_args()

    def zero_shot(path):
        return datasets.ImageFolder(path)

    zero_shot(args.imagenet_val)
    shards = open(args.train_data)
    """
    files = {
        "train.py": with_training(
            text.replace("\n    ", "\n") + CONV_NET.format(name="UNet") + "train(UNet(), [1, 2])\n"
        )
    }
    found = read(files, "python train.py --train-data '/d/cc12m/{0..9}.tar' --imagenet-val /d/imagenet/validation")
    assert found.dataset_name == "CC12M"


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("/d/zebrafish_tracks.csv", "zebrafish_tracks"),
        ("/path/to/data", None),
        ("data/train", None),
        ("exp/dataset.de-en", None),
    ],
)
def test_a_path_names_unknown_data_only_where_it_says_something(read, path, name):
    text = """
    import argparse
    parser = argparse.ArgumentParser()
    parser.add_argument("--data-path")
    args = parser.parse_args()
    data = open(args.data_path)
    """
    files = {
        "train.py": with_training(text.replace("\n    ", "\n") + CONV_NET.format(name="UNet") + "train(UNet(), data)\n")
    }
    assert read(files, f"python train.py --data-path {path}").dataset_name == name


@pytest.mark.parametrize(("folder", "name"), [("Testing", None), ("Orchids", "Orchids")])
def test_a_folder_of_tests_does_not_name_what_is_trained_on(read, folder, name):
    code = named_net(
        imports="import os", data=f"data_dir = os.path.join('./data/', '{folder}')\nrows = os.listdir(data_dir)"
    )
    assert read({"go.py": code}, "python go.py").dataset_name == name


@pytest.mark.parametrize(
    ("path", "name"),
    [("rows/brook4.2-3b_pairs", "brook4.2-3b_pairs"), ("brooks/rivers.jsonl", "rivers"), ("step1/part2.json", "")],
)
def test_a_path_is_named_by_what_tells_something(path, name):
    assert telling_part(path) == name


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("~/.cache/larkspur/data", ""),
        ("/home/me/.cache/larkspur/moor_larks/train", "moor_larks"),
        ("~/larkspur/data", ""),
    ],
)
def test_a_program_s_own_folder_among_what_is_kept_names_no_data(path, name):
    assert telling_part(path) == name
