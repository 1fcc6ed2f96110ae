"""Configuration objects alone: OmegaConf, yacs, ml_collections and what their methods do."""

import pytest

from tests.readers.code.programs import FIT_BATCHES, FIT_SETTINGS, FIT_TOLD, settings_of

OMEGA = "from omegaconf import OmegaConf\n"
YACS = "from yacs.config import CfgNode as CN\nc = CN()\nc.LR = 0.1\nc.NET = CN()\nc.NET.DEPTH = 2\n"
ML = "import ml_collections\nc = ml_collections.ConfigDict({'lr': 0.1, 'net': {'depth': 2}})\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x = OmegaConf.create({'a': {'b': 1}}).a.b", 1),
        ("x = OmegaConf.create({'a': 1}).get('z', 5)", 5),
        ("x = OmegaConf.merge({'a': 1, 'b': 2}, {'b': 3})", {"a": 1, "b": 3}),
        ("x = OmegaConf.merge({'a': {'p': 1}}, {'a': {'q': 2}}).a", {"p": 1, "q": 2}),
        ("x = OmegaConf.from_dotlist(['a.b=1', 'c=two'])", {"a": {"b": 1}, "c": "two"}),
        ("x = OmegaConf.select(OmegaConf.create({'a': {'b': 1}}), 'a.b')", 1),
        ("c = OmegaConf.create({'a': {'b': 1}})\nOmegaConf.update(c, 'a.b', 2)\nx = c.a.b", 2),
        ("x = OmegaConf.to_container(OmegaConf.create({'a': [1, 2]}))", {"a": [1, 2]}),
        ("c = OmegaConf.create()\nc.a = 1\nx = c['a']", 1),
    ],
)
def test_omegaconf(outcome, text, expected):
    assert outcome(f"{OMEGA}{text}\n") == expected


def test_omegaconf_takes_the_command_line(outcome):
    text = f"{OMEGA}x = OmegaConf.merge(OmegaConf.load('c.yaml'), OmegaConf.from_cli())\n"
    assert outcome(text, "a.b=2", {"c.yaml": "a: {b: 1, c: 3}\n"}) == {"a": {"b": 2, "c": 3}}


def test_omegaconf_makes_a_record_a_configuration(outcome):
    text = (
        f"{OMEGA}from dataclasses import dataclass\n@dataclass\n"
        "class A:\n    lr: float = 0.1\nx = OmegaConf.structured(A).lr\n"
    )
    assert outcome(text) == 0.1


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("c.merge_from_list(['LR', '0.5', 'NET.DEPTH', '4'])", [0.5, 4]),
        ("c.merge_from_file('c.yaml')", [0.25, 2]),
        ("c.merge_from_file('c.yaml')\nc.merge_from_list(['LR', 0.5])", [0.5, 2]),
        ("c.freeze()\nc.defrost()\nc.NET.DEPTH = 6", [0.1, 6]),
        ("d = c.clone()\nd.LR = 9", [0.1, 2]),
    ],
)
def test_yacs(outcome, text, expected):
    assert outcome(f"{YACS}{text}\nx = [c.LR, c.NET.DEPTH]\n", "", {"c.yaml": "LR: 0.25\n"}) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", [0.1, 2]),
        ("c.net.depth = 4", [0.1, 4]),
        ("c.update({'lr': 0.5})", [0.5, 2]),
        ("with c.unlocked():\n    c.lr = 0.7", [0.7, 2]),
        ("d = c.copy_and_resolve_references()\nd.lr = 3", [0.1, 2]),
    ],
)
def test_ml_collections(outcome, text, expected):
    assert outcome(f"{ML}{text}\nx = [c.lr, c.net.depth]\n") == expected


def test_mmengines_file_stands_on_its_bases(outcome):
    files = {
        "base.py": "lr = 0.1\nnet = dict(depth=2, width=8)\n",
        "c.py": "_base_ = ['base.py']\nnet = dict(depth=4)\n",
    }
    text = "from mmengine.config import Config\nc = Config.fromfile('c.py')\nx = [c.lr, c.net.depth, c.net.width]\n"
    assert outcome(text, "", files) == [0.1, 4, 8]


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


def test_a_fork_of_yacs_reads_files_as_yacs_does(read):
    node = (
        "from yacs.config import CfgNode as _CfgNode\nfrom .files import Paths\n"
        "class CfgNode(_CfgNode):\n"
        "    def merge_from_file(self, name):\n        self.merge_from_other_cfg(CfgNode(Paths.load(name)))\n"
        "_C = CfgNode()\n_C.SOLVER = CfgNode()\n_C.SOLVER.LR = 0.1\n_C.SOLVER.IMS_PER_BATCH = 64\n"
        "_C.TEST = CfgNode()\n_C.TEST.IMS_PER_BATCH = 32\n"
    )
    main = FIT_BATCHES + (
        "import sys\nfrom pack.config import _C\ncfg = _C.clone()\ncfg.merge_from_file(sys.argv[1])\n"
        "cfg.merge_from_list(sys.argv[2:])\nfit(cfg.SOLVER.LR, 3, batch=cfg.SOLVER.IMS_PER_BATCH)\n"
    )
    files = {"pack/__init__.py": "", "pack/files.py": "class Paths:\n    load = handler\n", "pack/config.py": node}
    below = {
        "base.yml": "SOLVER:\n  LR: 0.5\n  IMS_PER_BATCH: 48\n",
        "run.yml": "_BASE_: base.yml\nSOLVER:\n  LR: 0.7\n",
    }
    job = read({**files, **below, "main.py": main}, "python main.py run.yml")
    assert (job.learning_rate, job.batch_size) == (0.7, 48)


HEAD = "from omegaconf import OmegaConf\nfrom pathlib import Path\n"
FILES = {
    "conf/base.yaml": "rate: 0.5\nrows: 8\nrounds: 60/${every}\nevery: 3\n",
    "conf/tall.yaml": "rate: 0.25\nevery: 2\n",
}
MERGED = (
    HEAD
    + "c = OmegaConf.load('conf/base.yaml')\nc.merge_with(OmegaConf.load('conf/tall.yaml'), OmegaConf.from_cli())\n"
)


@pytest.mark.parametrize(
    ("code", "words", "expected"),
    [
        (MERGED + "x = [c.rate, c.rows, c.every]\n", "", [0.25, 8, 2]),
        (MERGED + "x = [c.rate, c.rows, c.every]\n", "rate=0.75", [0.75, 8, 2]),
        (MERGED + "x = dict(c.items())['rounds']\n", "every=4", "60/4"),
        (MERGED + "x = [v for v in c.values() if isinstance(v, str)]\n", "", ["60/2"]),
        ("from types import MappingProxyType\nx = MappingProxyType({'a': 3}).get('a', 4)\n", "", 3),
        ("from flax.core import freeze\nx = freeze({'a': {'b': 3}})['a']['b']\n", "", 3),
        ("from ml_collections import config_dict\nx = config_dict.create(rate=0.5, rows=8).rows\n", "", 8),
        ("import ml_collections\nx = ml_collections.config_dict.create(rate=0.5).rate\n", "", 0.5),
    ],
)
def test_settings(outcome, code, words, expected):
    assert outcome(code, words, FILES) == expected


def test_what_is_merged_in_place_holds_the_options(read):
    program = MERGED + (
        "import torch\nmodel = torch.nn.Linear(3, 3)\noptimizer = torch.optim.SGD(model.parameters(), lr=c.rate)\n"
        "store = Store(c)\nwhile store.goes_on():\n    model(store.batch()).sum().backward()\n    optimizer.step()\n"
    )
    files = {**FILES, "conf/base.yaml": FILES["conf/base.yaml"] + "batch_size: 12\n"}
    assert read({"go.py": program, **files}, "python go.py rate=0.5").batch_size == 12


NODES = {
    "settings.py": """
    import yacs.config

    class Node(yacs.config.CfgNode):
        def as_dict(self):
            return {key: value for key, value in self.items()}

        def rate(self):
            return self.base_lr * 2

    config = Node()
    config.train = Node()
    config.train.batch_size = 16
    config.train.base_lr = 0.1
    config.schedule = Node()
    config.schedule.epochs = 5

    def defaults():
        return config.clone()
    """,
    "train.py": """
    import argparse
    import torch
    from settings import defaults

    class StepSchedule:
        def __init__(self, steps, marks):
            self.lengths = [end - start for start, end in zip([0] + marks, marks + [steps])]
            self.steps = steps

    parser = argparse.ArgumentParser()
    parser.add_argument("--config")
    parser.add_argument("options", nargs=argparse.REMAINDER)
    args = parser.parse_args()
    config = defaults()
    config.merge_from_file(args.config)
    config.merge_from_list(args.options)
    model = torch.nn.Linear(3, 1)
    schedule = StepSchedule(config.schedule.epochs, [2, 4])
    optimizer = torch.optim.SGD(model.parameters(), lr=config.train.rate())
    data = torch.utils.data.TensorDataset(torch.rand(9, 3))
    loader = torch.utils.data.DataLoader(data, batch_size=config.train.batch_size)
    seeds = torch.randint(0, 9, (config.schedule.epochs,))
    for number, seed in enumerate(seeds):
        for (data,) in loader:
            optimizer.zero_grad()
            for chunk in [data]:
                model(chunk).sum().backward()
            optimizer.step()
    """,
    "wide.yaml": "train:\n  batch_size: 32\nschedule:\n  epochs: 6\n",
}


def test_a_class_that_extends_a_librarys_node_is_one(read):
    workload = read(NODES, "python train.py --config wide.yaml train.base_lr 0.25")
    assert (workload.batch_size, workload.learning_rate) == (32, 0.5)


def test_neither_chunks_of_a_batch_nor_a_schedules_parts_are_steps(read):
    workload = read(NODES, "python train.py --config wide.yaml")
    assert (workload.epochs, workload.total_steps) == (6, 6)  # nine samples are one batch


STRUCTURED = """
import sys
from dataclasses import dataclass
from omegaconf import OmegaConf
import torch

@dataclass
class TrainConfig:
    precision: str = "amp_bf16"
    lr: float = 0.1

    @property
    def autocast_precision(self):
        if self.precision == "amp_bf16":
            return torch.bfloat16
        elif self.precision == "amp_fp16":
            return torch.float16
        raise ValueError(self.precision)

    @classmethod
    def load(cls, path):
        merged = OmegaConf.merge(OmegaConf.structured(cls), OmegaConf.load(path))
        return OmegaConf.to_object(merged)

config = TrainConfig.load(sys.argv[1])
model = torch.nn.Linear(4, 2)
optimizer = torch.optim.AdamW(model.parameters(), lr=config.lr)
device = torch.get_default_device().type
for step in range(10):
    with torch.autocast(device, enabled=True, dtype=config.autocast_precision):
        loss = model(torch.zeros(1, 4)).sum()
    loss.backward()
    optimizer.step()
"""


def test_a_record_behind_a_file_keeps_its_properties_and_autocasts_first_word_is_a_device(read):
    job = read({"train.py": STRUCTURED, "a.yaml": "precision: amp_fp16\nlr: 0.5\n"}, "python train.py a.yaml")
    assert (job.precision, job.learning_rate) == ("fp16", 0.5)


def test_a_copy_of_hparams_parses_pairs_and_files(read):
    copy = (
        "import json\n\nclass HParams(object):\n"
        "    def __init__(self, **kwargs):\n        for name, value in kwargs.items():\n"
        "            self.add_hparam(name, value)\n"
        "    def add_hparam(self, name, value):\n        setattr(self, name, value)\n"
        "    def parse(self, values):\n        for pair in complicated(values):\n            setattr(self, *pair)\n"
        "    def parse_json(self, text):\n        self.parse(json.loads(text))\n"
    )
    code = "from hparam import HParams\n" + FIT_SETTINGS + "hp = HParams(size=2, rate=0.5, epochs=9)\n"
    code += "with open('c.json') as file:\n    hp.parse_json(file.read())\nhp.parse('epochs=6')\n" + FIT_TOLD.format(
        "hp"
    )
    files = {"train.py": code, "hparam.py": copy, "c.json": '{"size": 12}'}
    assert settings_of(read(files, "python train.py")) == (12, 0.5, 6)
