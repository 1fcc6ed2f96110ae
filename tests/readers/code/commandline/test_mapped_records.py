"""Records that libraries make of a mapping or of a file: what the file leaves out has the record's default."""

import pytest

FILES = {"plan.yaml": "width: 6\npace:\n  rate: 0.02\n", "plan.json": '{"width": 6, "pace": {"rate": 0.02}}\n'}
RECORDS = """
import json, sys, torch, yaml
from dataclasses import dataclass, field
from pathlib import Path
{head}

{mark}
class Pace{base}:
    rate: float = 0.5

{mark}
class Plan{base}:
    width: int
    pace: Pace = {factory}
    rounds: int = 12

plan = {made}
net = torch.nn.Linear(plan.width, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=plan.pace.rate)
for epoch in range(plan.rounds):
    net(torch.zeros(6)).sum().backward()
    optimizer.step()
"""
PLAIN = {"head": "", "mark": "@dataclass", "base": "", "factory": "field(default_factory=Pace)"}


@pytest.mark.parametrize(
    "parts",
    [
        {
            "head": "from dataclasses_json import dataclass_json",
            "mark": "@dataclass_json\n@dataclass",
            "made": "Plan.from_dict(json.load(open('plan.json')))",
        },
        {
            "head": "from dataclasses_json import DataClassJsonMixin",
            "base": "(DataClassJsonMixin)",
            "made": "Plan.from_json(open('plan.json').read())",
        },
        {
            "head": "from mashumaro.mixins.yaml import DataClassYAMLMixin",
            "base": "(DataClassYAMLMixin)",
            "made": "Plan.from_yaml(Path('plan.yaml').read_text())",
        },
        {
            "head": "from serde import serde\nfrom serde.yaml import from_yaml",
            "mark": "@serde\n@dataclass",
            "made": "from_yaml(Plan, open('plan.yaml').read())",
        },
        {
            "head": "import msgspec",
            "mark": "",
            "base": "(msgspec.Struct)",
            "factory": "msgspec.field(default_factory=Pace)",
            "made": "msgspec.yaml.decode(open('plan.yaml').read(), type=Plan)",
        },
        {
            "head": "import attr, cattr",
            "mark": "@attr.define",
            "factory": "attr.Factory(Pace)",
            "made": "cattr.Converter().structure(json.load(open('plan.json')), Plan)",
        },
        {"head": "import dacite", "made": "dacite.from_dict(Plan, yaml.safe_load(open('plan.yaml')))"},
    ],
)
def test_libraries_make_records_of_files(read, parts):
    job = read({"go.py": RECORDS.format(**{**PLAIN, **parts}), **FILES}, "python go.py")
    assert (job.learning_rate, job.epochs) == (0.02, 12)


def test_a_decorator_of_the_repository_s_own_gives_no_methods(read):
    head = "def marked(cls):\n    return cls"
    code = RECORDS.format(**{**PLAIN, "head": head, "mark": "@marked\n@dataclass", "made": "Plan.from_dict({})"})
    assert read({"go.py": code, **FILES}, "python go.py").learning_rate is None
