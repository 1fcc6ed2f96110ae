"""Records made from a file's mapping and the words over it, field by field as their types say."""

import pytest

CODE = """
from __future__ import annotations
import dataclasses, importlib.util, sys, torch, tyro

@dataclasses.dataclass
class Net:
    name: str = "lstm"

    def create(self):
        return torch.nn.LSTM(2, 2)

@dataclasses.dataclass
class Fast:
    rate: float = 1e-4

    def create(self, net):
        return torch.optim.RMSprop(net.parameters(), lr=self.rate)

@dataclasses.dataclass
class Slow:
    rate: float = 1e-3

    def create(self, net):
        return torch.optim.SGD(net.parameters(), lr=self.rate)

@dataclasses.dataclass
class Settings[NetT, RuleT]:
    net: NetT
    rule: RuleT
    steps: int = 50

    @classmethod
    def parsed(cls, *, net=Net, rule=Fast):
        found = None
        if "--file" in sys.argv:
            spec = importlib.util.spec_from_file_location("own", sys.argv[sys.argv.index("--file") + 1])
            module = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(module)
            made = [one for one in module.__dict__.values() if isinstance(one, cls) and not isinstance(one, type)]
            found = made[0]
        return tyro.cli(cls[net, rule], default=found)
"""
MAIN = """
from settings import Fast, Settings, Slow
told = Settings.parsed(RULE)
net = told.net.create()
optimizer = told.rule.create(net)
for step in range(told.steps):
    net(1)[0].sum().backward()
    optimizer.step()
"""
FILE = "from settings import Net, Settings, Slow\nsettings = Settings(net=Net(), rule=Slow(rate=0.2), steps=900)\n"


@pytest.mark.parametrize(
    ("rule", "words", "expected"),
    [
        ("", "", ("RMSprop", 1e-4, 50)),
        ("rule=Slow", "--rule.rate 0.3", ("SGD", 0.3, 50)),
        ("rule=Fast | Slow", "--file own.py", ("SGD", 0.2, 900)),
        ("rule=Fast | Slow", "--file own.py --steps 70", ("SGD", 0.2, 70)),
        ("rule=Fast | Slow", "", (None, None, 50)),
    ],
)
def test_types_in_brackets_fill_what_a_records_fields_leave_open(read, rule, words, expected):
    files = {"settings.py": CODE, "train.py": MAIN.replace("RULE", rule), "own.py": FILE}
    job = read(files, f"python train.py {words}")
    assert (job.optimizer, job.learning_rate, job.total_steps) == expected
