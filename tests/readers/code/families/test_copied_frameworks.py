"""Frameworks that projects carry a copy of, wrappers around their data, and what optimizers of groups do not say."""

import pytest

COPY = """
import os, shutil, tempfile
from importlib import import_module
from addict import Dict

class LabConfig:
    @staticmethod
    def _file2dict(filename):
        with tempfile.TemporaryDirectory() as folder:
            shutil.copyfile(filename, os.path.join(folder, "copy.py"))
            module = import_module("copy")
        return {name: value for name, value in module.__dict__.items() if not name.startswith("__")}

    @staticmethod
    def fromfile(filename):
        return LabConfig(LabConfig._file2dict(filename))

    def __init__(self, values):
        super().__setattr__("_cfg_dict", Dict(values))
"""
DETECTS = """
import argparse
import torch
from lab.config import LabConfig

parser = argparse.ArgumentParser()
parser.add_argument("-c", "--config_file", required=True)
args = parser.parse_args()
cfg = LabConfig.fromfile(args.config_file)
for key, value in cfg._cfg_dict.to_dict().items():
    if key in vars(args):
        raise ValueError(key)
    setattr(args, key, value)
net = torch.nn.Conv2d(3, 3, 3)
optimizer = torch.optim.AdamW(net.parameters(), lr=args.lr)
for epoch in range(args.epochs):
    for image in torch.utils.data.DataLoader([], batch_size=args.batch_size):
        net(image).sum().backward()
        optimizer.step()
"""


def test_a_projects_own_copy_of_mmcvs_configuration_loads_with_its_bases(read):
    files = {
        "main.py": DETECTS,
        "lab/__init__.py": "",
        "lab/config.py": COPY,
        "config/base.py": "epochs = 50\nlr = 0.5\n",
        "config/four.py": "_base_ = ['base.py']\nlr = 0.25\nbatch_size = 3\n",
    }
    job = read(files, "python main.py -c config/four.py")
    assert (job.epochs, job.learning_rate, job.batch_size) == (50, 0.25, 3)
    assert job.evidence["epochs"][0].path == "config/base.py"


YAML = """
import argparse
import torch
import ruamel_yaml as yaml

parser = argparse.ArgumentParser()
parser.add_argument("--config", default="./configs/pretrain.yaml")
args = parser.parse_args()
config = yaml.load(open(args.config, "r"), Loader=yaml.Loader)
net = torch.nn.Conv2d(3, 3, 3)
optimizer = torch.optim.AdamW(net.parameters(), lr=config["optimizer"]["lr"])
for epoch in range(config["epochs"]):
    for image in torch.utils.data.DataLoader([], batch_size=config["batch_size"]):
        net(image).sum().backward()
        optimizer.step()
"""


def test_the_old_package_of_ruamel_loads_as_the_new_one(read):
    files = {
        "train.py": YAML,
        "configs/pretrain.yaml": "optimizer: {opt: adamW, lr: 1e-4}\nepochs: 30\nbatch_size: 64\n",
    }
    job = read(files, "python train.py")
    assert (job.epochs, job.learning_rate, job.batch_size) == (30, 0.0001, 64)


WRAPPED = """
import torch
from torch.utils.data import DataLoader, Dataset

class Repeats(Dataset):
    def __init__(self, dataset):
        self.dataset = dataset

    def __getitem__(self, place):
        return self.dataset[torch.randint(0, 9, (1,))]

class MeadowClips(Dataset):
    def __getitem__(self, place):
        return torch.load(str(place))

class Noise(Dataset):
    def __getitem__(self, place):
        return torch.randn(3)

class Turned(Dataset):
    def __init__(self, image_list):
        self.images = image_list
    def __len__(self):
        return len(self.images)
    def __getitem__(self, place):
        return self.images[place] * torch.rand(1)

net = torch.nn.Linear(3, 3)
optimizer = torch.optim.SGD({groups}, lr=0.1)
for epoch in range(3):
    for x in DataLoader({data}, batch_size=2, shuffle=True):
        net(x).sum().backward()
        optimizer.step()
"""


@pytest.mark.parametrize(
    ("data", "name"),
    [
        ("Repeats(MeadowClips())", "MeadowClips"),
        ("Repeats([1, 2])", "Repeats"),
        ("Noise()", "synthetic data (Noise)"),
        ("Repeats(Noise())", "synthetic data (Noise)"),
        ("Turned([1, 2])", "Turned"),
    ],
)
def test_data_in_a_wrapper_are_named_and_a_wrapper_is_not_made_of_random_numbers(read, data, name):
    program = WRAPPED.format(groups="net.parameters()", data=data)
    assert read({"train.py": program}, "python train.py").dataset_name == name


@pytest.mark.parametrize(
    ("groups", "rate"),
    [
        ("net.parameters()", 0.001),
        ("list(net.parameters())", 0.001),
        ("[{'params': net.parameters()}, {'params': []}]", None),
        ("[{'params': net.parameters(), 'lr': 0.25}]", 0.25),
        ("open('groups').read().split()", None),
    ],
)
def test_the_librarys_rate_is_that_of_plain_parameters_only(read, groups, rate):
    program = WRAPPED.format(groups=groups, data="MeadowClips()").replace(", lr=0.1", "").replace("SGD", "AdamW")
    assert read({"train.py": program}, "python train.py").learning_rate == rate


def test_threads_of_a_package_for_their_norms_count_their_devices(read):
    program = """
        import torch
        from nets.sync_batchnorm import DataParallelWithCallback

        net = DataParallelWithCallback(torch.nn.Conv2d(3, 3, 3).cuda(), device_ids=[0, 1])
        optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
        for epoch in range(3):
            for x in torch.utils.data.DataLoader([], batch_size=6):
                net(x).sum().backward()
                optimizer.step()
    """
    job = read({"train.py": program}, "python train.py")
    assert (job.num_gpus, job.distributed, job.batch_size, job.global_batch_size) == (2, "DataParallel", 3, 6)


@pytest.mark.parametrize(
    ("words", "gpus", "batches", "precision"),
    [
        ("detect train data=coco8.yaml model=yolo11n.pt epochs=50", 1, (16, 64), "fp16"),
        ("train data=coco.yaml model=yolo11n.pt batch=128 device=0,1,2,3 amp=False", 4, (32, 128), "fp32"),
        ("train data=coco.yaml model=yolo11n.pt batch=8 device=cpu", 0, (8, 64), "fp32"),
    ],
)
def test_yolos_own_command_shares_its_batch_and_accumulates_to_a_nominal_one(read, words, gpus, batches, precision):
    job = read({"README.md": "# Detection\n"}, f"yolo {words}")
    assert (job.num_gpus, job.precision) == (gpus, precision)
    assert (job.batch_size, job.global_batch_size) == batches
    assert job.distributed == ("DDP" if gpus > 1 else "none")


def test_yolos_own_command_says_its_task_and_nothing_of_training_where_it_only_validates(read):
    job = read({"README.md": "# Detection\n"}, "yolo segment train data=coco8-seg.yaml model=yolo11n-seg.pt")
    assert job.task_fine == "instance segmentation"
    looked = read({"README.md": "# Detection\n"}, "yolo segment val data=coco8-seg.yaml model=yolo11n-seg.pt")
    assert (looked.is_training, looked.global_batch_size, looked.precision) == (False, None, None)
