"""Fields of classes as Python lists them, members of enumerations as keys, types of mappings."""

RECORD = """
from dataclasses import dataclass
@dataclass
class Job:
    rate: float = 0.5
    rows: int = 5
"""


def test_the_tables_of_fields_are_known(outcome):
    code = RECORD + "x = [sorted(Job.__annotations__), [f.default for f in Job.__dataclass_fields__.values()]]\n"
    assert outcome(code) == [["rate", "rows"], [0.5, 5]]
    code = "from pydantic import BaseModel\nclass Job(BaseModel):\n    rows: int = 5\n"
    assert outcome(code + "f = Job.model_fields['rows']\nx = [f.annotation('7'), f.default]\n") == [7, 5]


def test_members_of_enumerations_are_keys(outcome):
    code = """
        from enum import Enum
        class Size(Enum):
            small = "s"
            large = "l"
        class Kind(str, Enum):
            plain = "p"
        sizes = {Size.small: 1, Size.large: 2}
        kinds = {"p": 3}
        x = [sizes[Size("l")], sizes[Size["small"]], kinds[Kind("p")], Size("l").name, Size.small in sizes]
    """
    assert outcome(code) == [2, 1, 3, "large", True]


def test_the_type_of_a_mapping_with_attributes(outcome):
    code = """
        from easydict import EasyDict as edict
        known = edict({"a": {"b": 1}})
        x = [type(known.a) is edict, type(known.a.b) is edict, isinstance(known.a, edict), type(known) is int]
    """
    assert outcome(code) == [True, False, True, False]


def test_sections_that_are_asked_for_are_made(outcome):
    assert outcome("from addict import Dict\nc = Dict(a=1)\nc.run.rounds = 9\nx = [c.a, c.run.rounds]\n") == [1, 9]


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
