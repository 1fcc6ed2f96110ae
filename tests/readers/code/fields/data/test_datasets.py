"""What names data, and what only says how they are stored."""

import pytest

from schedmate.knowledge.datasets import known_dataset
from tests.readers.code.networks import CONV_NET, named_net, with_training
from tests.readers.code.programs import FIT_BATCHES, FIT_SETTINGS, data_of

TRAIN = """
import argparse
import torch

p = argparse.ArgumentParser()
p.add_argument("--dataset")
a = p.parse_args()
net = torch.nn.LSTM(2, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(40):
    net(a.dataset).sum().backward()
    optimizer.step()
"""


@pytest.mark.parametrize(("word", "name"), [("MMAP", None), ("webdataset", None), ("meadow-birds", "meadow-birds")])
def test_a_way_to_store_data_names_none(read, word, name):
    assert read({"fit.py": TRAIN}, f"python fit.py --dataset {word}").dataset_name == name


@pytest.mark.parametrize(
    ("word", "name"),
    [
        ("audio_dataset", None),
        ("custom", None),
        ("TextDataset", None),
        ("audiocaps", "AudioCaps"),
        ("multi", "multi"),
        ("testb", None),
        ("testing", None),
        ("river_audio", "river_audio"),
    ],
)
def test_a_kind_of_data_names_none(read, word, name):
    assert read({"fit.py": TRAIN}, f"python fit.py --dataset {word}").dataset_name == name


TOLD = """
import argparse
import torch

p = argparse.ArgumentParser()
p.add_argument("--data_path", default="ETTh1.csv")
p.add_argument("--data")
p.add_argument("--task_name")
a = p.parse_args()
print(a.data_path, a.data, a.task_name)
net = torch.nn.LSTM(2, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(40):
    net(a.data).sum().backward()
    optimizer.step()
"""


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("--task_name classification --data UEA", "UEA"),
        ("--task_name classification", "ETT"),
        ("--task_name mnli", "MNLI"),
    ],
)
def test_what_the_command_says_goes_before_a_default_and_a_method_is_no_set(read, words, name):
    assert read({"fit.py": TOLD}, f"python fit.py {words}").dataset_name.startswith(name)


@pytest.mark.parametrize(
    ("path", "name"),
    [("clevr/imdb/imdb_trn.npy", "CLEVR"), ("data/imdb/train.csv", "IMDB"), ("data/aclImdb/coco", "COCO")],
)
def test_an_image_data_base_is_no_set_of_reviews(read, path, name):
    assert read({"fit.py": TRAIN}, f"python fit.py --dataset {path}").dataset_name is not None
    assert known_dataset(path).name == name


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ('"data/*.txt"', None),
        ('"corpus/**/*.json"', None),
        ('"train_[0-9]*.csv"', None),
        ('"river_levels/*.csv"', "river_levels"),
        ('"wikitext/*.txt"', "WikiText"),
        ("moor/river_levels.csv", "moor/river_levels.csv"),
    ],
)
def test_a_pattern_of_files_is_named_after_its_folder_if_that_says_anything(read, words, name):
    assert read({"fit.py": TRAIN}, f"python fit.py --dataset {words}").dataset_name == name


def test_a_way_to_train_that_names_a_program_is_no_data_set(read):
    told = "--instance_data_dir ../images --max_train_steps 8"
    assert read({"run.sh": f"python ../other/train_dreambooth.py {told}"}, "bash run.sh").dataset_name is None
    assert read({"train_raft.py": TRAIN}, "python train_raft.py").dataset_name is None
    assert read({"train_cifar10.py": TRAIN}, "python train_cifar10.py").dataset_name == "CIFAR-10"


def test_the_parts_of_a_set_are_none(read):
    program = TRAIN.replace("for step", 'datasets = ["train", "dev"]\nfor name in datasets:\n    net(name)\nfor step')
    assert read({"fit.py": program}, "python fit.py").dataset_name is None


CHOSEN = """
import argparse
import torch

dataset_names = {listed}
p = argparse.ArgumentParser()
p.add_argument("--dataset", default="flying_chairs", choices=dataset_names)
a = p.parse_args()
net = torch.nn.Conv2d(2, 2, 3)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(40):
    net(a.dataset).sum().backward()
    optimizer.step()
"""


@pytest.mark.parametrize(
    ("listed", "name"),
    [("['KITTI_noc', 'flying_chairs']", "FlyingChairs"), ("['KITTI_noc', 'mpi_sintel']", "KITTI_noc")],
)
def test_what_may_be_chosen_is_not_what_was_chosen(read, listed, name):
    assert read({"fit.py": CHOSEN.format(listed=listed)}, "python fit.py").dataset_name == name


NODES = """
import argparse
import torch
from yacs.config import CfgNode

p = argparse.ArgumentParser()
p.add_argument("--config")
cfg = CfgNode()
cfg.merge_from_file(p.parse_args().config)
net = torch.nn.Conv2d(2, 2, 3)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(40):
    net(load(cfg.DATASETS)).sum().backward()
    optimizer.step()
"""


@pytest.mark.parametrize(("key", "name"), [("NAMES", "DukeMTMC"), ("ORDER", None)])
def test_a_section_lists_the_names_of_its_sets(read, key, name):
    files = {"fit.py": NODES, "a.yml": f"DATASETS:\n  {key}: [dukemtmc]\n"}
    assert read(files, "python fit.py --config a.yml").dataset_name == name


DRIVES = """
import argparse
import torch
p = argparse.ArgumentParser()
p.add_argument("--dataset-path", default={path})
a = p.parse_args()
net = torch.nn.Conv2d(2, 2, 3)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(40):
    net(load(a.dataset_path)).sum().backward()
    optimizer.step()
"""


@pytest.mark.parametrize(
    ("path", "name"), [("r'C:\\Users\\me\\datasets\\meadows'", "meadows"), ("r'D:\\data\\train'", None)]
)
def test_a_path_of_windows_names_data_by_its_end(read, path, name):
    assert read({"fit.py": DRIVES.format(path=path)}, "python fit.py").dataset_name == name


BODIES = """
import argparse
import dmc2gym
import torch
p = argparse.ArgumentParser()
{domain}
p.add_argument("--task_name", default="run")
a = p.parse_args()

class SAC:
    def __init__(self):
        self.net = torch.nn.Linear(4, 2)
        self.adam = torch.optim.Adam(self.net.parameters())

env = dmc2gym.make(task_name=a.task_name)
agent = SAC()
for step in range(40):
    state = env.step(agent.net(state))
    agent.net(state).sum().backward()
    agent.adam.step()
"""


@pytest.mark.parametrize(
    ("domain", "name"), [("p.add_argument('--domain_name', default='cheetah')", "cheetah-run"), ("", "run")]
)
def test_a_body_and_what_it_does_are_one_environment(read, domain, name):
    assert read({"train.py": BODIES.format(domain=domain)}, "python train.py").dataset_name == name


def test_a_file_of_settings_is_no_data_set(read):
    assert data_of(read, "--dataset parts/second.toml") is None
    assert data_of(read, "--dataset cifar10") == "CIFAR-10"


def test_the_folder_of_a_recipe_names_the_data(read):
    files = {
        "egs/librispeech/asr/train.py": with_training(CONV_NET.format(name="Net") + "train(Net(), [1, 2])\n"),
    }
    found = read(files, "python train.py", "egs/librispeech/asr")
    assert (found.dataset_name, found.task, found.task_fine) == ("LibriSpeech", "audio", "speech recognition")


def test_an_option_named_after_the_data_names_them(read):
    text = """
    import argparse
    parser = argparse.ArgumentParser()
    parser.add_argument("--mmc4_shards")
    parser.add_argument("--lsun_val_path")
    args = parser.parse_args()
    """
    files = {
        "train.py": with_training(
            text.replace("\n    ", "\n") + CONV_NET.format(name="UNet") + "train(UNet(), [1, 2])\n"
        )
    }
    command = "python train.py --lsun_val_path /d/other --mmc4_shards /d/shards/0.tar"
    assert read(files, command).dataset_name == "MMC4"


def test_the_commands_data_go_before_a_list_of_all(read):
    code = FIT_SETTINGS + (
        "import argparse\nparser = argparse.ArgumentParser()\ndatasets = ['GB1', 'TEM2']\n"
        "parser.add_argument('-d', '--dataset', default=datasets, choices=datasets)\n"
        "args = parser.parse_args()\nprint(datasets[0], args.dataset)\nfit(4, 0.5, 7)\n"
    )
    assert read({"train.py": code}, "python train.py -d TEM2").dataset_name == "TEM2"


def test_branches_that_disagree_name_no_data(read):
    text = """
    import os
    from torchvision import datasets
    kind = os.environ["KIND"]
    if kind == "a":
        data = datasets.CIFAR10("x")
    elif kind == "b":
        data = datasets.SVHN("x")
    """
    files = {
        "train.py": with_training(text.replace("\n    ", "\n") + CONV_NET.format(name="UNet") + "train(UNet(), data)\n")
    }
    assert read(files, "python train.py").dataset_name is None


def test_a_data_base_of_images_is_no_set_of_reviews(read):
    files = {"datasets/imdb.py": "class imdb:\n    def __init__(self, name):\n        self.name = name\n"}
    code = named_net(imports="import cv2\nfrom lakes.datasets import imdb", data="rows = imdb('lakes')")
    assert read({**files, "go.py": code}, "python go.py").dataset_name != "IMDB"
    code = named_net(imports="import nltk\nfrom lakes.datasets import imdb", data="rows = imdb('lakes')")
    assert read({**files, "go.py": code}, "python go.py").dataset_name == "IMDB"


@pytest.mark.parametrize(
    ("words", "name"),
    [("--dataset aligned --dataroot ./datasets/bridges", "bridges"), ("--dataset mnist", "MNIST")],
)
def test_how_data_are_read_does_not_name_them(read, words, name):
    code = (
        "import argparse\nparser = argparse.ArgumentParser()\nparser.add_argument('--dataroot')\n"
        "parser.add_argument('--dataset')\nargs = parser.parse_args()\n"
    )
    found = read({"go.py": code + named_net(data="rows = read(args.dataroot, args.dataset)")}, f"python go.py {words}")
    assert found.dataset_name == name


def test_a_class_that_is_named_after_a_model_names_no_data(read):
    code = FIT_BATCHES + (
        "from torch.utils.data import Dataset\nclass GPTDatasetV1(Dataset):\n"
        "    def __init__(self, text):\n        self.text = text\n"
        "    def __getitem__(self, at):\n        return self.text[at]\n"
        "fit(0.1, 3, GPTDatasetV1(open('/x').read()))\n"
    )
    assert read({"train.py": code}, "python train.py").dataset_name is None


PARTS = """
import os
import torch
from torch.utils.data import DataLoader
from streaming import StreamingDataset

model = torch.nn.Linear(8, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
streams = [StreamingDataset(os.path.join({folder!r}, part)) for part in {parts}]
for batch in DataLoader(streams, batch_size=4, shuffle=True):
    model(batch).sum().backward()
    optimizer.step()
"""


@pytest.mark.parametrize(
    ("folder", "parts", "name"),
    [
        ("mix", ["rivers", "c4", "books", "lakes"], None),
        ("mix", ["c4", "rivers"], "C4"),
        ("c4", ["one", "two", "three"], "C4"),
    ],
)
def test_a_known_part_of_a_mixture_does_not_name_it(read, folder, parts, name):
    assert read({"go.py": PARTS.format(folder=folder, parts=parts)}, "python go.py").dataset_name == name


@pytest.mark.parametrize(
    ("told", "name"),
    [("store/rivers/train,store/lakes/train", None), ("store/rivers/a.txt,store/rivers/b.txt", "rivers")],
)
def test_of_several_folders_none_names_the_whole(read, told, name):
    code = PARTS.format(folder="", parts=["a"]).replace("import os\n", "import argparse\nimport os\n", 1)
    code += "parser = argparse.ArgumentParser()\nparser.add_argument('--train_file')\n"
    code += "print(parser.parse_args().train_file)\n"
    assert read({"go.py": code}, f"python go.py --train_file {told}").dataset_name == name
