"""A training that is begun several times in one job: in a row over one thing, or over others."""

import pytest

SOLVER = """
import torch

class Solver:
    def __init__(self):
        self.net = torch.nn.Linear(2, 1)
        self.opt = torch.optim.Adam(self.net.parameters(), lr=1e-3)

    def train(self, steps):
        for step in range(steps):
            self.opt.zero_grad()
            self.net(torch.ones(1, 2)).sum().backward()
            self.opt.step()

"""
FUNCTION = """
import torch

def train(steps):
    net = torch.nn.Linear(2, 1)
    opt = torch.optim.Adam(net.parameters(), lr=1e-3)
    for step in range(steps):
        net(torch.ones(1, 2)).sum().backward()
        opt.step()

"""


def test_runs_of_one_solver_are_added_up(read):
    calls = "solver = Solver()\nsolver.train(10_000)\nsolver.train(5_000)\nsolver.train(5_000)\n"
    assert read({"main.py": SOLVER + calls}, "python main.py").total_steps == 20_000


def test_one_run_is_itself(read):
    assert read({"main.py": SOLVER + "Solver().train(10_000)\n"}, "python main.py").total_steps == 10_000


def test_runs_of_several_networks_are_left_open_where_they_differ(read):
    assert read({"main.py": FUNCTION + "train(300)\ntrain(900)\n"}, "python main.py").total_steps is None
    assert read({"main.py": FUNCTION + "train(300)\ntrain(300)\n"}, "python main.py").total_steps == 300


READY = """
import torch

net = torch.nn.Linear(2, 1)
opt = torch.optim.Adam(net.parameters(), lr=1e-3)
data = torch.utils.data.DataLoader([torch.ones(2)], batch_size=4)

def pre_train(x):
    net(x).sum().backward()
    opt.step()

def learn(x):
    net(x).mean().backward()
    opt.step()

for epoch in range(5):
    for x in data:
        pre_train(x)
"""
THEN = """
for epoch in range(100):
    for x in data:
        learn(x)
"""


def test_what_makes_a_network_ready_is_not_how_long_it_is_trained(read):
    assert read({"main.py": READY + THEN}, "python main.py").epochs == 100
    assert read({"main.py": READY}, "python main.py").epochs == 5
    assert read({"pretrain.py": READY + THEN}, "python pretrain.py").epochs == 5


FITS = """
from tensorflow import keras

def make():
    model = keras.Sequential([keras.layers.Dense(4)])
    model.compile(optimizer="adam", loss="mse")
    return model

x, y = [[1.0]], [2.0]
"""


def test_fits_of_several_models_are_left_open_where_they_differ(read):
    differ = FITS + "make().fit(x, y, epochs=1)\nmake().fit(x, y, epochs=49)\n"
    assert read({"main.py": differ}, "python main.py").epochs is None
    alike = FITS + "make().fit(x, y, epochs=49)\nmake().fit(x, y, epochs=49)\n"
    assert read({"main.py": alike}, "python main.py").epochs == 49


FITTED = """
import keras
from keras.layers import Dense, Input

def make():
    rows = Input((4,))
    return keras.Model(rows, Dense(2)(rows))

def train(net, epochs=4):
    net.compile(loss="mse", optimizer="adam")
    for ep in range(epochs):
        net.fit(range(90), epochs=1)

{lines}
"""


@pytest.mark.parametrize(
    ("lines", "epochs"),
    [
        ("net = make()\nfor i in range(5):\n    train(net, epochs=10)\n    net.evaluate(range(9))", 50),
        ("for i in range(5):\n    net = make()\n    train(net, epochs=10)\n    net.evaluate(range(9))", 10),
        ("train(make(), epochs=10)", 10),
    ],
)
def test_rounds_around_epochs_of_one_network_count(read, lines, epochs):
    assert read({"go.py": FITTED.format(lines=lines)}, "python go.py").epochs == epochs


PHASES = """
import torch

def learn(net, opt, rows):
    net(rows).sum().backward()
    opt.step()

net = torch.nn.Linear(2, 1)
opt = torch.optim.Adam(net.parameters(), lr=1e-3)
for epoch in range({first}):
    learn(net, opt, torch.ones(1, 2))
for epoch in range({second}):
    learn(net, opt, torch.zeros(1, 2))
"""


@pytest.mark.parametrize(("first", "second", "epochs"), [(4, 30, None), (30, 30, 30)])
def test_one_of_two_phases_is_not_the_job(read, first, second, epochs):
    assert read({"main.py": PHASES.format(first=first, second=second)}, "python main.py").epochs == epochs


ANEW = """
import sys
import torch

class Trial:
    def __init__(self):
        self.net = torch.nn.Linear(2, 1)

    def learn(self):
        opt = torch.optim.Adam({parameters}, lr=1e-3)
        for turn in open("rows.txt"):
            for rows in torch.utils.data.DataLoader([1], batch_size=2):
                self.net(rows).sum().backward()
                opt.step()

class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(2, 1)

{before}
for it in range(int(sys.argv[1])):
    {inside}
    trial.net = net
    trial.learn()
"""


@pytest.mark.parametrize(
    ("before", "inside", "epochs"),
    [("trial = Trial()", "net = Net()", None), ("net = Net()\ntrial = Trial()", "pass", 3)],
)
def test_rounds_that_begin_with_a_new_network_are_no_epochs(read, before, inside, epochs):
    program = ANEW.format(before=before, inside=inside, parameters="self.net.parameters()")
    assert read({"main.py": program}, "python main.py 3").epochs == epochs
