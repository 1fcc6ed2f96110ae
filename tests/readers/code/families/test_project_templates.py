"""How project templates start and configure their jobs: recipes, parsers of parsers, tables of classes, roots."""

import pytest

from schedmate.readers.code.reader import read_code
from schedmate.tools.repository import Repository
from tests.readers.code.families.training_loop import HEAD, LOOP

RECIPE = """
#!/bin/bash
stage=0
lr=0.5
batch_size=8
epochs=2
id=$CUDA_VISIBLE_DEVICES

. utils/parse_options.sh

if [[ $stage -le 0 ]]; then
  python prepare.py
fi
if [[ $stage -le 1 ]]; then
  CUDA_VISIBLE_DEVICES=$id python train.py --lr $lr --batch_size $batch_size --epochs $epochs
fi
"""
OPTIONS = """
import argparse
parser = argparse.ArgumentParser()
parser.add_argument("--lr", type=float)
parser.add_argument("--batch_size", type=int)
parser.add_argument("--epochs", type=int)
args = parser.parse_args()
"""
PARSER = """
import argparse, json
from collections import namedtuple
from functools import reduce
from operator import getitem

class Settings:
    def __init__(self, config, changes):
        for path, value in changes.items():
            if value is not None:
                *way, last = path.split("/")
                reduce(getitem, way, config)[last] = value
        self.config = config

    @classmethod
    def read(cls, parser, options):
        for option in options:
            parser.add_argument(*option.flags, default=None, type=option.type)
        if not isinstance(parser, tuple):
            parser = parser.parse_args()
        config = json.load(open(parser.config))
        return cls(config, {option.target: getattr(parser, option.flags[0][2:]) for option in options})

    def __getitem__(self, name):
        return self.config[name]

Option = namedtuple("Option", "flags type target")
parser = argparse.ArgumentParser()
parser.add_argument("-c", "--config")
settings = Settings.read(parser, [Option(["--bs"], int, "data/batch_size"), Option(["--lr"], float, "optim/lr")])
"""
SETTINGS = '{"data": {"batch_size": 8}, "optim": {"lr": 0.5}, "epochs": 3}'
ROOTED = """
import hydra, rootutils
root = rootutils.setup_root(search_from=__file__, indicator=[".git", "pyproject.toml"], pythonpath=True)
HYDRA = {"version_base": "1.3", "config_path": str(root / "configs"), "config_name": "train.yaml"}
"""
ENTRY = """
@hydra.main(**HYDRA)
def main(cfg):
    train(cfg.lr, cfg.data.batch_size, cfg.epochs)

main()
"""
FAMILIES = {
    "a Kaldi recipe": (
        {"run.sh": RECIPE, "train.py": OPTIONS + HEAD + LOOP + "train(args.lr, args.batch_size, args.epochs)\n"},
        "./run.sh --stage 1 --batch-size 16 --lr 0.25 --epochs 3",
    ),
    "a parser that is handed over": (
        {
            "train.py": PARSER
            + HEAD
            + LOOP
            + "train(settings['optim']['lr'], settings['data']['batch_size'], settings['epochs'])\n",
            "config.json": SETTINGS,
        },
        "python train.py -c config.json --bs 16 --lr 0.25",
    ),
    "a project's root": (
        {
            "src/train.py": ROOTED + HEAD + LOOP + ENTRY,
            "pyproject.toml": "[project]\nname = 'x'\n",
            "configs/train.yaml": "defaults:\n  - data: small\n  - _self_\nlr: 0.25\nepochs: 3\n",
            "configs/data/small.yaml": "batch_size: 8\n",
        },
        "python src/train.py data.batch_size=16",
    ),
}


@pytest.mark.parametrize("family", FAMILIES)
def test_what_the_command_sets_reaches_the_loop(read, family):
    job = read(*FAMILIES[family])
    assert job.is_training is True
    assert (job.learning_rate, job.batch_size, job.epochs) == (0.25, 16, 3)


def test_a_recipe_says_which_gpus_are_visible_to_lightning(read):
    train = """
import lightning as L
import torch
from torch.utils.data import DataLoader, TensorDataset

class Net(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(2, 2)

    def training_step(self, batch, _):
        return self.layer(batch[0]).sum()

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters(), lr=0.25)

trainer = L.Trainer(max_epochs=2, accelerator="gpu", strategy="ddp", devices={devices})
trainer.fit(Net(), DataLoader(TensorDataset(torch.randn(8, 2)), batch_size=4))
"""
    files = {"run.sh": RECIPE, "train.py": train.replace("{devices}", '"auto"')}
    assert read(files, "./run.sh --stage 1 --id 0,1").num_gpus == 2
    assert read(files, "./run.sh --stage 1").num_gpus is None
    assert read({"train.py": train.replace("{devices}", '"3,"')}, "python train.py").num_gpus == 1
    assert read({"train.py": train.replace("{devices}", "-1")}, "python train.py").num_gpus is None


def test_a_table_of_imported_classes_is_read_where_it_is_asked(read, write):
    zoo = "".join(f"from .{name.lower()} import {name}\n" for name in ("ResNet", "VGG", "DenseNet"))
    zoo += "NETS = {'resnet': ResNet, 'vgg': VGG, 'dense': DenseNet}\n"
    net = "import torch\nclass {}(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n"
    net += "        self.conv = torch.nn.Conv2d(3, 8, 3)\n"
    train = (
        HEAD + "from zoo import NETS\nmodel = NETS['vgg']()\noptimizer = torch.optim.SGD(model.parameters(), lr=0.25)\n"
    )
    train += "for epoch in range(3):\n    model(torch.randn(2, 3, 8, 8)).sum().backward()\n    optimizer.step()\n"
    files = {"train.py": train, "zoo/__init__.py": zoo}
    files.update({f"zoo/{name.lower()}.py": net.format(name) for name in ("ResNet", "VGG", "DenseNet")})
    repository = Repository(write(files))
    job = read_code(repository, "python train.py").workload
    assert (job.model_name, job.learning_rate) == ("VGG", 0.25)
    opened = {path for path in repository.trace.files if path.startswith("zoo/")}
    assert opened == {"zoo/__init__.py", "zoo/vgg.py"}
    files["train.py"] = train.replace("NETS['vgg']()", "[net for name, net in NETS.items() if name == 'dense'][0]()")
    assert read(files, "python train.py").model_name == "DenseNet"
