"""What an evaluation trains for itself is not what the job trains."""

import pytest

TRAINER = """
import torch
from torch import nn
{extra}

net = nn.Sequential(nn.Linear(8, 8), nn.Linear(8, 8))
adamw = torch.optim.AdamW(net.parameters(), lr=0.002)

def train_epoch():
    for batch in batches():
        net(batch).sum().backward()
        adamw.step()

for epoch in range(40):
    train_epoch()
    {call}
"""

PROBES = {
    "a function": (
        """
def evaluate(net, rounds=500):
    head = nn.Linear(8, 2)
    sgd = torch.optim.SGD(head.parameters(), lr=0.3)
    for e in range(rounds):
        for row in rows():
            head(row).sum().backward()
            sgd.step()
""",
        "evaluate(net)",
    ),
    "what it calls": (
        """
def fit_head(head, rounds):
    sgd = torch.optim.SGD(head.parameters(), lr=0.3)
    for e in range(rounds):
        for row in rows():
            head(row).sum().backward()
            sgd.step()

def run_validation(net):
    fit_head(nn.Linear(8, 2), 500)
""",
        "run_validation(net)",
    ),
    "a method": (
        """
class Probe:
    def prepare(self):
        self.head = nn.Linear(8, 2)
        self.sgd = torch.optim.SGD(self.head.parameters(), lr=0.3)

    def run_eval(self):
        self.prepare()
        for epoch in range(500):
            for row in rows():
                self.head(row).sum().backward()
                self.sgd.step()

probe = Probe()
""",
        "probe.run_eval()",
    ),
}


@pytest.mark.parametrize("way", PROBES)
def test_a_probe_is_not_the_job(read, way):
    extra, call = PROBES[way]
    found = read({"go.py": TRAINER.format(extra=extra, call=call)}, "python go.py")
    assert (found.optimizer, found.learning_rate, found.epochs) == ("AdamW", 0.002, 40)


def test_what_only_an_evaluation_trains_is_what_is_trained(read):
    extra, _ = PROBES["a function"]
    program = f"import torch\nfrom torch import nn\n{extra}\nevaluate(None)\n"
    found = read({"probe.py": program}, "python probe.py")
    assert (found.is_training, found.optimizer, found.learning_rate, found.epochs) == (True, "SGD", 0.3, 500)


@pytest.mark.parametrize("name", ["train_and_evaluate", "fit_val_split", "train_test"])
def test_a_function_that_trains_too_is_no_probe(read, name):
    program = f"""
import torch
from torch import nn

def {name}():
    net = nn.Linear(8, 2)
    sgd = torch.optim.SGD(net.parameters(), lr=0.3)
    for epoch in range(70):
        for row in rows():
            net(row).sum().backward()
            sgd.step()

def warm(net):
    net(1).sum().backward()

warm(nn.Linear(8, 2))
{name}()
"""
    found = read({"go.py": program}, "python go.py")
    assert (found.optimizer, found.learning_rate, found.epochs) == ("SGD", 0.3, 70)


def test_a_run_that_evaluates_for_sure_outweighs_training_that_may_not_be(read):
    extra, _ = PROBES["a function"]
    program = f"""
import torch
from torch import nn
{extra}
if unknown():
    nn.Linear(8, 2)(1).sum().backward()
evaluate(None)
"""
    assert read({"go.py": program}, "python go.py").epochs == 500
