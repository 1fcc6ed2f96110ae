"""What programs ask of records: their fields with types and defaults, and their values as plain mappings."""

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


DECODER = """
import dataclasses

@dataclasses.dataclass
class Opt:
    rate: float = 0.5
    steps: int = 30

@dataclasses.dataclass
class All:
    seed: int = 1
    opt: Opt = dataclasses.field(default_factory=Opt)

def decode(cls, data):
    try:
        kinds = {f.name: f.type for f in dataclasses.fields(cls)}
        return cls(**{name: decode(kinds[name], data[name]) for name in data})
    except:
        return data
"""


def test_a_decoder_that_goes_by_the_fields_of_records_makes_them(outcome):
    code = (
        DECODER + "made = decode(All, {'seed': 3, 'opt': {'rate': 0.25, 'steps': 8}})\nx = [made.seed, made.opt.rate]"
    )
    assert outcome(code) == [3, 0.25]


def test_records_in_records_are_mappings_when_they_are_asked_for(outcome):
    code = DECODER + "x = [dataclasses.asdict(All()), dataclasses.is_dataclass(All), dataclasses.is_dataclass(3)]"
    assert outcome(code) == [{"seed": 1, "opt": {"rate": 0.5, "steps": 30}}, True, False]
