"""Configuration objects alone: OmegaConf, yacs, ml_collections and what their methods do."""

import pytest

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
