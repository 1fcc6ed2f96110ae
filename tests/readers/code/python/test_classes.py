"""Define classes and make objects of them: dataclasses by their fields, others by following `__init__`."""

import pytest

from tests.readers.code.programs import TORCH_HEAD, TORCH_LOOP

REGISTRY = (
    TORCH_HEAD
    + TORCH_LOOP
    + """
import sys
known = {}

class Method:
    def __init_subclass__(cls, name="", **kwargs):
        known[name] = cls

class Quick(Method, name="quick"):
    lr = 0.25

class Careful(Method, name="careful"):
    lr = 0.125

train(known[sys.argv[1]].lr, 8, 2)
"""
)


def test_subclasses_register_themselves(read):
    assert read({"train.py": REGISTRY}, "python train.py careful").learning_rate == 0.125


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


BOX = """
class Box(dict):
    def __getattr__(self, name):
        return self[name]
class Crate(dict):
    def __init__(self, *args, **kwargs):
        super(Crate, self).__init__(*args, **kwargs)
        self["more"] = 5
class Late(dict):
    def __init__(self, **kwargs):
        self["a"], self["b"] = 1, 2
        super().__init__(**kwargs)
"""


@pytest.mark.parametrize(
    ("made", "held"),
    [
        ("Box([('a', 1), ('b', 2)])", {"a": 1, "b": 2}),
        ("Box(zip('ab', (1, 2)), c=3)", {"a": 1, "b": 2, "c": 3}),
        ("Box([(one.name, one.n) for one in [Box(name='a', n=1), Box(name='b', n=2)]])", {"a": 1, "b": 2}),
        ("Crate([('a', 1)], b=2)", {"a": 1, "b": 2, "more": 5}),
        ("Crate({'a': 1})", {"a": 1}),
        ("Late(a=3)", {"a": 3, "b": 2}),
    ],
)
def test_a_mapping_of_a_class_is_filled_as_any_other(outcome, made, held):
    found = outcome(f"{BOX}x = {made}\n")
    assert {key: found[key] for key in held} == held


def test_a_mapping_of_what_is_open_holds_what_is_named(outcome):
    assert outcome(f"import os\n{BOX}x = Box(os.environ['A'], c=3)['c']\n") == 3
