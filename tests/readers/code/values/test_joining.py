"""What a name stands for after two ways, and which values count as true."""

from hypothesis import given
from hypothesis import strategies as st

from schedmate.readers.code.values.joining import join, truth
from schedmate.readers.code.values.objects import ExternalResult
from schedmate.readers.code.values.scopes import MISSING, WriteJournal
from schedmate.readers.code.values.value import External, SourceLocation, Unknown, Value, unknown

HERE = SourceLocation("train.py", 3)
PLAIN = st.one_of(st.none(), st.booleans(), st.integers(), st.text(max_size=5))


@given(PLAIN)
def test_two_ways_that_agree_leave_the_value(data):
    assert join(Value(data, (HERE,)), Value(data)).data == data


@given(PLAIN, PLAIN)
def test_two_ways_that_differ_leave_an_unknown_that_knows_both(one, other):
    joined = join(Value(one), Value(other)).data
    if type(one) is type(other) and one == other:
        assert joined == one
    else:
        assert isinstance(joined, Unknown)
        assert [part.data for part in joined.parts] == [one, other]
        assert joined.is_true == (bool(one) and bool(other))


def test_true_and_one_are_two_values():
    assert isinstance(join(Value(True), Value(1)).data, Unknown)


def test_a_wrapped_object_stays_the_object():
    model = Value(ExternalResult("torch.nn.Linear", [], {}, HERE))
    wrapped = Value(ExternalResult("torch.nn.parallel.DistributedDataParallel", [model], {}, HERE))
    assert join(model, wrapped) is wrapped
    assert join(wrapped, model) is wrapped


def test_what_is_true():
    assert truth(Value([])) is False
    assert truth(Value({"a": Value(1)})) is True
    assert truth(unknown("an argument")) is None
    assert truth(Value(ExternalResult("torch.nn.Linear", [], {}, HERE))) is True
    assert truth(Value(ExternalResult("os.environ.get", [], {}, HERE))) is None


def test_a_journal_takes_the_writes_of_a_way_back_and_makes_them_again():
    journal, names, items = WriteJournal(), {"lr": Value(1)}, [Value(1)]
    outer = journal.begin()
    journal.put(names, "lr", Value(2))
    journal.put(names, "new", Value(3))
    journal.drop(names, "lr")
    journal.touch(items)
    items.append(Value(2))
    written = journal.finish(outer)
    assert {key: value.data for key, value in names.items()} == {"lr": 1}
    assert len(items) == 1
    assert (id(names), "lr") in written
    assert written[id(names), "lr"][2] is MISSING
    journal.replay(written)
    assert list(names) == ["new"]
    assert len(items) == 2


RESUMED = """
import os, torch

class Learner:
    def __init__(self, rate):
        self.net = torch.nn.LSTM(2, 2).cuda()
        self.optimizer = torch.optim.SGD(self.net.parameters(), lr=rate)
    def step(self, batch):
        self.net(batch)[0].sum().backward()
        self.optimizer.step()

state = torch.load("last.pt") if os.path.exists("last.pt") else None
if state:
    learner = Learner(0.3)
    learner.net.load_state_dict(state)
else:
    learner = Learner(0.3)
for epoch in range(3):
    learner.step(1)
"""


def test_two_ways_that_make_the_same_object_leave_that_object(read):
    job = read({"train.py": RESUMED}, "python train.py")
    assert (job.is_training, job.learning_rate, job.optimizer, job.epochs) == (True, 0.3, "SGD", 3)


def test_two_ways_that_make_different_objects_leave_what_differs_open(read):
    job = read({"train.py": RESUMED.replace("Learner(0.3)\n    l", "Learner(0.4)\n    l")}, "python train.py")
    assert job.learning_rate is None


CHOSEN = """
import torch
from somewhere import Settings, tune

def maker(rate):
    return lambda params: torch.optim.SGD(params, lr=rate)

net = torch.nn.LSTM(2, 2)
if torch.cuda.get_device_properties(0).total_memory > 40e9:
    FIRST
else:
    SECOND
optimizer = LAST
for epoch in range(3):
    net(epoch)[0].sum().backward()
    optimizer.step()
"""


def test_objects_that_look_alike_and_hold_something_else_leave_what_differs_open(read):
    made = "torch.optim.SGD(net.parameters(), lr={})"
    for way, last in (
        ("c = Settings()\n    c.rate = {}", made.format("c.rate")),
        ("c = {{'make': maker({})}}", "c['make'](net.parameters())"),
        ("c = tune({}).get()", made.format("c")),
    ):
        ways = CHOSEN.replace("FIRST", way.format(0.5)).replace("SECOND", way.format(0.01))
        assert read({"train.py": ways.replace("LAST", last)}, "python train.py").learning_rate is None, way
    same = CHOSEN.replace("LAST", made.format("c.rate"))
    for name in ("FIRST", "SECOND"):
        same = same.replace(name, "c = Settings()\n    c.rate = 0.5")
    assert read({"train.py": same}, "python train.py").learning_rate == 0.5


def test_ways_through_many_calls_are_not_compared_to_their_ends(read):
    way = "\n    ".join(["net = torch.relu(net)"] * 600)
    code = CHOSEN.replace("FIRST", way).replace("SECOND", way)
    job = read({"train.py": code.replace("LAST", "torch.optim.SGD([], lr=0.3)")}, "python train.py")
    assert (job.is_training, job.learning_rate, job.epochs) == (True, 0.3, 3)


def test_an_object_that_is_made_anew_or_resumed_is_of_its_class(read):
    code = """
import os, torch
from torch.utils.data import DataLoader

class Learner:
    def __init__(self, rate):
        self.net = torch.nn.GRU(2, 2)
        self.seen = 0
        self.optimizer = torch.optim.Adagrad(self.net.parameters(), lr=rate)
    def resume(self, state):
        self.seen = state["seen"]
        self.optimizer.load_state_dict(state["optimizer"])
    def improve(self, x):
        self.net(x).sum().backward()
        self.optimizer.step()

if os.environ.get("RESUMED"):
    learner = Learner(0.03)
    learner.resume(torch.load("last.pt"))
else:
    learner = Learner(0.03)
for epoch in range(7):
    for x in DataLoader(range(9), batch_size=5):
        learner.improve(x)
"""
    job = read({"train.py": code}, "python train.py")
    assert (job.is_training, job.optimizer, job.learning_rate, job.epochs) == (True, "Adagrad", 0.03, 7)


PICKED = """
import argparse
import json
import torch
from torch import nn

class Wide(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.layer = nn.Conv2d(3, width, 3)

class Deep(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.layer = nn.Linear(3, width)
        self.attention = nn.MultiheadAttention(8, 2)

parser = argparse.ArgumentParser()
parser.add_argument("--model", default="")
parser.add_argument("--lr", type=float, default=0.1)
args = parser.parse_args()
known = json.load(open("/data/models.json"))
if "wide" in known:
    kind = Wide
else:
    kind = Deep
model = kind(**known)
optimizer = torch.optim.SGD(model.parameters(), lr=args.lr)
for step in range(10):
    model(torch.zeros(1, 3)).sum().backward()
    optimizer.step()
"""


def test_one_of_several_networks_names_nothing(read):
    job = read({"train.py": PICKED}, "python train.py")
    assert (job.is_training, job.model_name, job.model_type) == (True, None, None)


def test_the_option_still_names_one_of_several_networks(read):
    job = read({"train.py": PICKED}, "python train.py --model ViT-B-32")
    assert (job.model_name, job.model_type) == ("ViT-B-32", "transformer")


EITHER = {
    "train.py": """
        import os
        import torch
        import lightning.pytorch as pl

        class Part(pl.LightningModule):
            def configure_optimizers(self):
                return torch.optim.Adagrad(self.parameters(), lr=0.03)

        class One(Part):
            pass

        class Many(Part):
            pass

        model = One() if os.path.exists("single") else Many()
        trainer = pl.Trainer(max_epochs=6, devices=1)
        trainer.fit(model, torch.utils.data.DataLoader([0.0], batch_size=8))
        """,
}


def test_either_of_two_modules_makes_the_optimizer(read):
    found = read(EITHER, "python train.py")
    assert (found.optimizer, found.learning_rate, found.epochs) == ("Adagrad", 0.03, 6)


def test_a_library_under_two_names_is_one():
    older, newer = Value(External("tensorflow")), Value(External("tensorflow.compat.v1"))
    assert join(older, newer) is newer
    assert join(newer, older) is newer
    assert isinstance(join(older, Value(External("jax"))).data, Unknown)
