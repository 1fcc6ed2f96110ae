"""Objects that hold network and optimizer, modules that hand a library on, packages on added paths."""

import pytest

SPEAKERS = """
import torch
class ECAPA_TDNN(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = torch.nn.Conv1d(80, 512, 5)
class ECAPAModel(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = ECAPA_TDNN().cuda()
        self.optim = torch.optim.Adam(self.parameters(), lr=1e-3)
    def train_network(self, loader):
        for number, data in enumerate(loader):
            self.optim.zero_grad()
            self.encoder(data).sum().backward()
            self.optim.step()
model = ECAPAModel()
for epoch in range(8):
    model.train_network(loader)
"""


def test_what_keeps_the_optimizer_is_named_after_its_network(read):
    job = read({"train.py": SPEAKERS}, "python train.py")
    assert (job.model_name, job.optimizer, job.epochs) == ("ECAPA_TDNN", "Adam", 8)


HANDED = """
import torch, yaml
import solvers
settings = yaml.safe_load(open("settings.yaml"))
net = torch.nn.Linear(2, 2).cuda()
optimizer = getattr(solvers, settings.get("kind", "RAdam"))(net.parameters(), **settings["solver"])
for step in range(10):
    net(1).sum().backward()
    optimizer.step()
"""


def test_a_module_hands_a_librarys_optimizers_on(read):
    files = {
        "train.py": HANDED,
        "solvers.py": "from torch.optim import *\n",
        "settings.yaml": "kind: AdamW\nsolver:\n  lr: 3.0e-4\n",
    }
    job = read(files, "python train.py")
    assert (job.optimizer, job.learning_rate) == ("AdamW", 3e-4)


PICKED = """
import os, sys
sys.path.insert(0, os.path.join(os.path.dirname(__file__), "lib"))
import argparse, torch, yaml
import datasets, models
parser = argparse.ArgumentParser()
parser.add_argument("--cfg")
args = parser.parse_args()
class Config(dict):
    __getattr__ = dict.get
config = yaml.safe_load(open(args.cfg))
net = eval("models." + config["MODEL"]["NAME"] + ".get_net")()
data = eval("datasets." + config["DATASET"])("lib/train.lst")
loader = torch.utils.data.DataLoader(data, batch_size=4, shuffle=True)
net = net.cuda()
optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
for epoch in range(5):
    for batch in loader:
        net(batch).sum().backward()
        optimizer.step()
"""
NETWORK = """
import torch
class HighResolutionNet(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = torch.nn.Conv2d(3, 8, 3)
def get_net():
    return HighResolutionNet()
"""
DATA = """
import torch
class Cityscapes(torch.utils.data.Dataset):
    def __init__(self, path):
        self.files = [line.strip() for line in open(path)]
    def __len__(self):
        return len(self.files)
"""


def test_a_package_on_an_added_path_is_meant_though_a_library_has_its_name(read):
    files = {
        "train.py": PICKED,
        "lib/models/__init__.py": "from . import seg_hrnet_ocr\n",
        "lib/models/seg_hrnet_ocr.py": NETWORK,
        "lib/datasets/__init__.py": "from .cityscapes import Cityscapes as cityscapes\n",
        "lib/datasets/cityscapes.py": DATA,
        "lib/train.lst": "a.png\n" * 40,
        "wide.yaml": "MODEL:\n  NAME: seg_hrnet_ocr\nDATASET: cityscapes\n",
    }
    job = read(files, "python train.py --cfg wide.yaml")
    assert (job.dataset_name, job.batch_size, job.total_steps) == ("Cityscapes", 4, 50)


@pytest.mark.parametrize(
    ("header", "hardware"),
    [
        ("#SBATCH --account=abc@v100", "V100"),
        ("#SBATCH -p lab_a100nv_8", "A100"),
        ("#SBATCH --account=vivo1000", None),
    ],
)
def test_accounts_and_partitions_name_the_accelerator(read, header, hardware):
    files = {"job.sh": f"#!/bin/bash\n{header}\n#SBATCH --gres=gpu:1\npython train.py\n", "train.py": SPEAKERS}
    assert read(files, "sbatch job.sh").hardware == hardware


@pytest.mark.parametrize(("script", "fine"), [("preprocess_data.py", True), ("show_data.py", False)])
def test_what_makes_data_ready_is_called_so(read, script, fine):
    job = read({script: "import json\nprint(json.dumps(1))\n"}, f"python {script}")
    assert (job.task_fine or "").startswith("data preparation") is fine
