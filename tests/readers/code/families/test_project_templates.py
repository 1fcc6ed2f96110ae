"""How project templates start and configure their jobs: recipes, parsers of parsers, tables of classes, roots."""

import pytest

from tests.readers.code.programs import TORCH_HEAD, TORCH_LOOP

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
        {
            "run.sh": RECIPE,
            "train.py": OPTIONS + TORCH_HEAD + TORCH_LOOP + "train(args.lr, args.batch_size, args.epochs)\n",
        },
        "./run.sh --stage 1 --batch-size 16 --lr 0.25 --epochs 3",
    ),
    "a parser that is handed over": (
        {
            "train.py": PARSER
            + TORCH_HEAD
            + TORCH_LOOP
            + "train(settings['optim']['lr'], settings['data']['batch_size'], settings['epochs'])\n",
            "config.json": SETTINGS,
        },
        "python train.py -c config.json --bs 16 --lr 0.25",
    ),
    "a project's root": (
        {
            "src/train.py": ROOTED + TORCH_HEAD + TORCH_LOOP + ENTRY,
            "pyproject.toml": "[project]\nname = 'x'\n",
            "configs/train.yaml": "defaults:\n  - data: small\n  - _self_\nlr: 0.25\nepochs: 3\n",
            "configs/data/small.yaml": "batch_size: 8\n",
        },
        "python src/train.py data.batch_size=16",
    ),
    "words behind an option that takes all the rest": (
        {
            "train.py": "import argparse\nfrom yacs.config import CfgNode\n"
            "parser = argparse.ArgumentParser()\nparser.add_argument('--opts', nargs=argparse.REMAINDER)\n"
            "args = parser.parse_args()\ncfg = CfgNode()\ncfg.LR = 0.5\ncfg.BATCH = 8\ncfg.EPOCHS = 3\n"
            "cfg.merge_from_list(args.opts)\n" + TORCH_HEAD + TORCH_LOOP + "train(cfg.LR, cfg.BATCH, cfg.EPOCHS)\n",
        },
        "python train.py --opts LR 0.25 BATCH 16",
    ),
    "options that are checked and set": (
        {
            "train.py": TORCH_HEAD
            + TORCH_LOOP
            + "class Options:\n    lr, batch_size, epochs = 0.25, 8, 3\n\n"
            + "def assert_and_infer_cfg(cfg):\n    assert cfg.lr > 0\n    cfg.batch_size *= 2\n    return cfg\n\n"
            + "def main():\n    cfg = assert_and_infer_cfg(Options())\n"
            + "    train(cfg.lr, cfg.batch_size, cfg.epochs)\n\nmain()\n",
        },
        "python train.py",
    ),
    "a named tuple that is unpacked, and one thing in a loop": (
        {
            "train.py": TORCH_HEAD
            + TORCH_LOOP
            + "from typing import NamedTuple\nfrom collections import namedtuple\n\n"
            + "class Rates(NamedTuple):\n    lr: float\n    batch: int = 16\n\n"
            + "Length = namedtuple('Length', 'unit epochs')\n"
            + "for part in ['all']:\n    lr, batch = Rates(lr=0.25)\n    unit, epochs = Length(epochs=3, unit='e')\n"
            + "    train(lr, batch, epochs)\n",
        },
        "python train.py",
    ),
    "Hydra composed by hand": (
        {
            "tools/train.py": "import sys\nfrom thing.settings import compose_settings\n"
            + TORCH_HEAD
            + TORCH_LOOP
            + "cfg = compose_settings(sys.argv[1:])\ntrain(cfg.run.lr, cfg.run.batch_size, cfg.run.epochs)\n",
            "thing/__init__.py": "",
            "thing/settings/__init__.py": """
import hydra
from hydra.core.override_parser.overrides_parser import OverridesParser

def compose_settings(words):
    plain = []
    for one in OverridesParser.create().parse_overrides(overrides=words):
        if one.is_sweep_override():
            raise ValueError(one.key_or_group)
        plain.append(one.input_line)
    if tuple(int(part) for part in hydra.__version__.split(".")) >= (1, 1, 0):
        from hydra import compose, initialize_config_module
    else:
        from hydra.experimental import compose, initialize_config_module
    with initialize_config_module(config_module="thing.settings"):
        return compose("defaults", overrides=plain)
""",
            "thing/settings/defaults.yaml": "defaults:\n  - _self_\n  - run: null\nrun:\n  lr: 0.5\n  batch_size: 8\n",
            "runs/run/long.yaml": "lr: 0.25\nepochs: 3\n",
            "hydra_plugins/thing/__init__.py": "",
            "hydra_plugins/thing/user_dirs.py": """
from hydra.plugins.search_path_plugin import SearchPathPlugin

class Places(SearchPathPlugin):
    def manipulate_search_path(self, search_path):
        search_path.prepend(provider="thing", path="pkg://runs")
""",
        },
        "python tools/train.py run=long run.batch_size=16",
    ),
    "imports that begin above the repository": (
        {
            "run.py": "from corp.lab.thing.tools.train_net import train\ntrain(0.25, 16, 3)\n",
            "thing/__init__.py": "",
            "tools/train_net.py": TORCH_HEAD + TORCH_LOOP,
        },
        "python run.py",
    ),
    "a start that hangs on what there is to resume": (
        {
            "train.py": TORCH_HEAD
            + TORCH_LOOP.replace("(lr, batch_size, epochs)", "(lr, batch_size, end)").replace(
                "    for epoch in range(epochs):", "    start = begin()\n    for epoch in range(start, end):"
            )
            + "import os\n\ndef begin():\n    if os.path.exists('/ckpt/last.pt'):\n"
            + "        return torch.load('/ckpt/last.pt')['epoch'] + 1\n    return 0\n\ntrain(0.25, 16, 3)\n",
        },
        "python train.py",
    ),
    "flags whose defaults a library knows": (
        {
            "train.py": "import tux\nfrom absl.app import run\n"
            + "FLAGS, _ = tux.define_flags_with_default(optimizer=tux.Factory.get_default(), epochs=1, batch=8)\n"
            + TORCH_HEAD
            + TORCH_LOOP
            + "def main(argv):\n    train(FLAGS.optimizer.adam.lr, FLAGS.batch, FLAGS.epochs)\n\nrun(main)\n",
        },
        "python train.py --optimizer.adam.lr=0.25 --epochs=3 --batch=16",
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
