"""Mappings with attributes and records of the standard library: namespaces, `namedtuple`, `OrderedDict`."""

import pytest

from tests.readers.code.programs import FIT_BATCHES


def test_the_type_of_a_mapping_with_attributes(outcome):
    code = """
        from easydict import EasyDict as edict
        known = edict({"a": {"b": 1}})
        x = [type(known.a) is edict, type(known.a.b) is edict, isinstance(known.a, edict), type(known) is int]
    """
    assert outcome(code) == [True, False, True, False]


def test_named_tuples_have_defaults_and_are_replaced(outcome):
    code = """
        from collections import namedtuple
        from typing import NamedTuple
        class Job(NamedTuple):
            rate: float = 0.5
            rows: int = 4
        Run = namedtuple("Run", "name rounds", defaults=[9])
        x = [Job()._replace(rows=8).rows, Job().rows, Run("a").rounds, Run("a")._replace(rounds=3).rounds]
    """
    assert outcome(code) == [8, 4, 9, 3]


@pytest.mark.parametrize(
    "code",
    [
        "from collections import ChainMap\nc = ChainMap({'a': 0.25}, {'a': 1, 'b': 8})\nx = [c['a'], c['b']]\n",
        "from typing import TypedDict\nclass C(TypedDict):\n    a: float\nc = C(a=0.25, b=8)\nx = [c['a'], c['b']]\n",
        "import attr\n@attr.s(auto_attribs=True)\nclass C:\n    a: float = 1\n    b: int = 8\n"
        "c = attr.evolve(C(), a=0.25)\nx = [c.a, c.b]\n",
        "c = dict.fromkeys(['a', 'z'], 0.25)\nx = [c['a'], 8]\n",
        "class C(dict):\n    def __getattr__(self, name):\n        return self.get(name)\n"
        "c = C(a=0.25)\nx = [c.a, c.b or 8]\n",
        "x = []\nfor line in open('c.txt'):\n    x.append(float(line.split('=')[1]))\n",
        "x = [float(line.split('=')[1]) for line in open('c.txt').readlines()]\n",
        "try:\n    import local_config as c\nexcept ImportError:\n    import usual as c\nx = [c.a, c.b]\n",
        "try:\n    from my_settings import *\nexcept ImportError:\n    from usual import *\nx = [a, b]\n",
    ],
)
def test_settings_are_put_together(outcome, code):
    assert outcome(code, "", {"c.txt": "a=0.25\nb=8\n", "usual.py": "a = 0.25\nb = 8\n"}) == [0.25, 8]


REPLACED = """
class Fixed(NamedTuple):
    rows: int = 2

class Own:
    rows = 3
    def replace(self, rows):
        return 9

x = [{asked}]
"""


@pytest.mark.parametrize(
    ("asked", "told"),
    [("Fixed()._replace(rows=5).rows", 5), ("Own().replace(rows=4)", 9), ("'a-b'.replace('-', '+')", "a+b")],
)
def test_other_ways_to_replace_stay_as_they_are(outcome, asked, told):
    assert outcome(f"from typing import NamedTuple\n{REPLACED.format(asked=asked)}") == [told]


def test_a_mapping_of_a_library_that_is_not_here_holds_what_options_say(read):
    code = FIT_BATCHES + (
        "import argparse\nfrom icefall.utils import AttributeDict\n"
        "parser = argparse.ArgumentParser()\nparser.add_argument('--base-lr', type=float, default=0.05)\n"
        "parser.add_argument('--kind', default='one')\n"
        "params = AttributeDict({'count': 7})\nparams.update(vars(parser.parse_args()))\n"
        "fit(params.base_lr, params.count) if params.kind == 'one' else fit(1.0, 1)\n"
    )
    job = read({"train.py": code}, "python train.py --base-lr 0.02")
    assert (job.learning_rate, job.is_training) == (0.02, True)


def test_a_named_tuple_gives_its_fields_by_name(read):
    program = """
    from typing import NamedTuple
    import torch

    class Plan(NamedTuple):
        rounds: int
        rate: float = 0.5

    def fit(rounds=300, rate=0.1):
        net = torch.nn.Linear(2, 1)
        opt = torch.optim.SGD(net.parameters(), lr=rate)
        for epoch in range(rounds):
            net(torch.ones(1, 2)).sum().backward()
            opt.step()

    fit(**Plan(12)._asdict())
    """
    job = read({"main.py": program}, "python main.py")
    assert (job.epochs, job.learning_rate) == (12, 0.5)
