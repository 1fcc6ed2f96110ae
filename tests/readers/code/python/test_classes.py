"""Define classes and make objects of them: dataclasses by their fields, others by following `__init__`."""

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
