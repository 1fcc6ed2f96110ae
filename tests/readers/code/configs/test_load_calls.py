"""Files that a program loads itself: whichever function reads them, the values know their lines."""

import pytest

from tests.readers.code.programs import FIT_MODEL, FIT_SETTINGS, FIT_TOLD, settings_of

FILES = {
    "c.yaml": "lr: 0.1\n",
    "c.json": '{"lr": 0.1}\n',
    "c.toml": "lr = 0.1\n",
    "own.py": "lr = 0.1\n",
}


@pytest.mark.parametrize(
    "text",
    [
        "import yaml\nc = yaml.safe_load(open('c.yaml'))",
        "import yaml\nwith open('c.yaml') as f:\n    c = yaml.load(f, Loader=yaml.FullLoader)",
        "import yaml\nfrom pathlib import Path\nc = yaml.safe_load(Path('c.yaml').read_text())",
        "import json\nc = json.load(open('c.json'))",
        "import json\nc = json.loads(open('c.json').read())",
        "import toml\nc = toml.load('c.toml')",
        "import tomllib\nwith open('c.toml', 'rb') as f:\n    c = tomllib.load(f)",
        "from omegaconf import OmegaConf\nc = OmegaConf.load('c.yaml')",
        "import tomlkit\nc = tomlkit.parse(open('c.toml').read())",
        "import hjson\nc = hjson.load(open('c.json'))",
        "import mlconfig\nc = mlconfig.load('c.yaml')",
        "from ruamel.yaml import YAML\nc = list(YAML().load_all(open('c.yaml')))[0]",
    ],
)
def test_a_loaded_value_knows_its_line(follow, text):
    _, names = follow(f"{text}\nx = c['lr']\n", "", FILES)
    assert names["x"].data == 0.1
    assert names["x"].src[0].path in FILES
    assert names["x"].src[0].line == 1


def test_a_plain_mapping_has_no_attributes(outcome):
    assert outcome("import json\nx = json.load(open('c.json')).get('lr')\n", "", FILES) == 0.1


@pytest.mark.parametrize(
    "text",
    [
        "import runpy\nx = runpy.run_path('own.py')['lr']",
        "import importlib.util as u\ns = u.spec_from_file_location('own', 'own.py')\nm = u.module_from_spec(s)\n"
        "s.loader.exec_module(m)\nx = m.lr",
        "from importlib.machinery import SourceFileLoader\nx = SourceFileLoader('own', 'own.py').load_module().lr",
        "import imp\nx = imp.load_source('own', 'own.py').lr",
    ],
)
def test_a_module_may_be_a_configuration(outcome, text):
    assert outcome(f"{text}\n", "", FILES) == 0.1


def test_a_bunch_gives_its_items_as_attributes(outcome):
    assert outcome("import json\nfrom bunch import Bunch\nx = Bunch(json.load(open('c.json'))).lr\n", "", FILES) == 0.1


def test_a_file_that_is_not_here_is_unknown(outcome):
    assert outcome("import yaml\nx = yaml.safe_load(open('absent.yaml'))\n") == "unknown"


def test_a_written_out_text_is_read(outcome):
    assert outcome("import json\nx = json.loads('{\"a\": [1, 2]}')\n") == {"a": [1, 2]}


HOOKS = {
    "a namespace": "from types import SimpleNamespace\ndef hook(d):\n    return SimpleNamespace(**d)\n",
    "a tuple with names": "import collections\ndef hook(d):\n    return collections.namedtuple('X', d)(*d.values())\n",
}


@pytest.mark.parametrize("hook", HOOKS.values(), ids=HOOKS)
def test_what_a_hook_makes_of_a_mapping_has_attributes(outcome, hook):
    text = f'import json\n{hook}x = json.loads(\'{{"a": {{"lr": 3}}}}\', object_hook=hook).a.lr\n'
    assert outcome(text) == 3


INI = "import configparser\nc = configparser.ConfigParser()\nc.read('c.ini')\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("c['train']['lr']", "0.1"),
        ("c.get('train', 'lr')", "0.1"),
        ("c.getfloat('train', 'lr')", 0.1),
        ("c.getint('train', 'epochs')", 3),
        ("c.getboolean('train', 'amp')", True),
    ],
)
def test_an_option_of_a_section(outcome, text, expected):
    assert outcome(f"{INI}x = {text}\n", "", {"c.ini": "[train]\nlr = 0.1\nepochs = 3\namp = yes\n"}) == expected


def test_a_path_that_is_written_as_on_windows_leads_to_its_file(outcome):
    code = "import yaml\nx = yaml.safe_load(open('.\\\\plans\\\\wide.yaml'))['rows']\n"
    assert outcome(code, files={"plans/wide.yaml": "rows: 5\n"}) == 5


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


def test_a_tracker_hands_back_the_settings_that_it_was_given(read):
    code = FIT_MODEL + (
        "import wandb\nwandb.init(project='p', config=dict(lr=0.3, turns=4, rows=5))\nconfig = wandb.config\n"
        "fit(nn.LSTM(2, 2), config.lr, config.turns, config['rows'])\n"
    )
    job = read({"train.py": code}, "python train.py")
    assert (job.learning_rate, job.epochs, job.batch_size) == (0.3, 4, 5)


def test_a_mapping_fills_itself_from_the_documents_of_a_file(read):
    code = FIT_SETTINGS + (
        "import yaml\n\nclass Dots(dict):\n"
        "    __getattr__ = dict.__getitem__\n    __setattr__ = dict.__setitem__\n\n"
        "class Settings(Dots):\n    def __init__(self, path):\n        super(Dots, self).__init__()\n"
        "        for document in yaml.load_all(open(path), Loader=yaml.Loader):\n"
        "            for key, value in document.items():\n                setattr(self, key, value)\n\n"
    )
    files = {"train.py": code + "told = Settings('c.yml')\n" + FIT_TOLD.format("told")}
    files["c.yml"] = "size: 6\nrate: 0.125\n---\nepochs: 4\n"
    assert settings_of(read(files, "python train.py")) == (6, 0.125, 4)


LONG = "# how it learns\n" + "".join(f"other_{number}: {number}\n" for number in range(90)) + "lr: 0.1\n"
"""Settings that are longer than any path, in a first document of two."""


def test_documents_are_found_in_a_text_that_was_read_before(outcome):
    files = {"long.yaml": f"{LONG}---\nlr: the rate\n"}
    code = "import yaml\ntext = open('long.yaml').read()\na, b = yaml.load_all(text, Loader=yaml.FullLoader)\n"
    assert outcome(f"{code}x = a['lr']\n", "", files) == 0.1


@pytest.mark.parametrize(
    "text",
    [
        "Box.from_yaml(filename='c.yaml', Loader=yaml.SafeLoader)",
        "Box.from_yaml(open('c.yaml').read())",
        "ConfigBox.from_yaml('lr: 0.1')",
        "Box.from_json(filename='c.json')",
        "Box.from_toml(None, 'c.toml')",
    ],
)
def test_a_box_reads_files_and_texts(outcome, text):
    assert outcome(f"import yaml\nfrom box import Box, ConfigBox\nx = {text}.lr\n", "", FILES) == 0.1


def test_a_file_of_remarks_alone_sets_nothing(follow):
    files = {"none.yaml": "# @package _global_\n\n# nothing here\n", "broken.yaml": "# as it was\n[\n"}
    run, names = follow("import yaml\nx = dict(yaml.safe_load(open('none.yaml')) or {}, lr=0.5)\n", "", files)
    assert names["x"].data["lr"].data == 0.5
    assert run.notes == []
    run, _ = follow("import yaml\nx = yaml.safe_load(open('broken.yaml'))\n", "", files)
    assert run.notes == ["broken.yaml cannot be parsed"]
