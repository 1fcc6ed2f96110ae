"""Settings that programs put together from mappings, records, lines of files and modules that may be missing."""

import pytest


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


@pytest.mark.parametrize("name", ["secrets", "user", "local"])
def test_other_modules_are_there(outcome, name):
    assert outcome(f"try:\n    import {name}\n    x = 8\nexcept ImportError:\n    x = 3\n") == 8


def test_what_a_record_is_only_told_at_its_making(outcome):
    code = """
        from dataclasses import InitVar, dataclass, field
        @dataclass
        class Job:
            base: float = 0.25
            rate: float = field(init=False)
            scale: InitVar[int] = 2
            def __post_init__(self, scale):
                self.rate = self.base * scale
        x = [Job().rate, Job(scale=4).rate]
    """
    assert outcome(code) == [0.5, 1.0]


def test_lines_of_large_files_are_not_gone_over(outcome):
    code = "x = 0\nfor line in open('c.txt'):\n    x = line\n"
    assert outcome(code, "", {"c.txt": "a=1\n" * 100_000}) == "unknown"


def test_a_mapping_of_what_is_not_known_is_not_empty(outcome):
    assert outcome("import lib\nx = dict(lib.read())\n") == "unknown"


LOOP = """
import torch
model = torch.nn.Linear(2, 2)
{groups}
optimizer = torch.optim.SGD(groups, momentum=0.9)
for epoch in range(3):
    model(1).sum().backward()
    optimizer.step()
"""


@pytest.mark.parametrize(
    ("groups", "rate"),
    [
        ("groups = [dict(params=[p], lr=0.25) for name, p in model.named_parameters()]", 0.25),
        ("groups = [{'params': bias, 'lr': 0.5, 'weight_decay': 0}, {'params': rest, 'lr': 0.25}]", 0.25),
        ("groups = [{'params': back, 'lr': 0.25}, {'params': head, 'lr': 2.5}]", 0.25),
    ],
)
def test_rates_of_groups(read, groups, rate):
    job = read({"train.py": LOOP.format(groups=groups)}, "python train.py")
    assert job.learning_rate == rate


def test_groups_that_differ_from_parameter_to_parameter_have_no_default_rate(read):
    groups = "groups = []\nfor name, p in dict(model.named_parameters()).items():\n    if 'bias' in name:\n"
    groups += (
        "        groups += [{'params': [p], 'lr': 0.5}]\n    else:\n        groups += [{'params': [p], 'lr': 0.25}]\n"
    )
    assert read({"train.py": LOOP.format(groups=groups)}, "python train.py").learning_rate in (None, 0.25)


@pytest.mark.parametrize("made", ["self.__dict__ = d", "self.__dict__ = dict(d)", "self.__dict__.update(d)"])
def test_an_object_takes_a_mapping_for_all_that_it_holds(read, made):
    code = f"""
        import torch
        class Plan:
            def __init__(self, d):
                {made}
        plan = Plan(dict(heat=0.35, turns=6))
        net = torch.nn.Linear(2, 2)
        optimizer = torch.optim.SGD(net.parameters(), lr=plan.heat)
        for epoch in range(plan.turns):
            net(torch.zeros(1, 2)).sum().backward()
            optimizer.step()
        """
    job = read({"bake.py": code}, "python bake.py")
    assert (job.learning_rate, job.epochs) == (0.35, 6)
