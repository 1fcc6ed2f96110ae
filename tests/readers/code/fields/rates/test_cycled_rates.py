"""Rates that a schedule writes over those that an optimizer is made with."""

import pytest

CODE = """
import torch

net = torch.nn.Linear(2, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.2)
sched = torch.optim.lr_scheduler.{schedule}
net(torch.ones(1, 2)).sum().backward()
opt.step()
"""


@pytest.mark.parametrize(
    ("schedule", "rate"),
    [
        ("OneCycleLR(opt, 5.2, total_steps=100)", 5.2),
        ("OneCycleLR(opt, max_lr=1e-3, epochs=3, steps_per_epoch=8)", 1e-3),
        ("OneCycleLR(opt, max_lr=[0.1, 0.4], total_steps=100)", 0.4),
        ("OneCycleLR(opt, max_lr=float(open('rate').read()), total_steps=100)", 0.2),
        ("StepLR(opt, 30)", 0.2),
    ],
)
def test_one_cycle_sets_the_rate(read, schedule, rate):
    assert read({"main.py": CODE.format(schedule=schedule)}, "python main.py").learning_rate == rate


TWICE = """
from tensorflow import keras

def make():
    model = keras.Sequential([keras.layers.Dense(4)])
    model.compile(optimizer=keras.optimizers.SGD(0.05), loss="mse")
    return model

make()
model = keras.models.load_model("ready.h5")
model.compile(optimizer="{name}", loss="mse")
model.fit([[1.0]], [2.0], epochs=3)
"""


@pytest.mark.parametrize(("name", "optimizer", "rate"), [("adam", "Adam", 0.001), ("adadelta", "Adadelta", None)])
def test_the_model_that_is_fitted_has_the_optimizer_that_it_is_compiled_with(read, name, optimizer, rate):
    found = read({"main.py": TWICE.format(name=name)}, "python main.py")
    assert (found.optimizer, found.learning_rate) == (optimizer, rate)
