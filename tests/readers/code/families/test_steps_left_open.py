"""Steps that follow from epochs and data only where nothing else decides: other claims are left open."""

import pytest

START = """
import torch
from torch.utils.data import DataLoader
from torchvision.datasets import MNIST, SVHN
net = torch.nn.Linear(784, 10)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
loader = DataLoader(MNIST("d"), batch_size=64)
"""
STEP = "optimizer.zero_grad(); net(x).sum().backward(); optimizer.step()"


def job_of(read, text):
    return read({"train.py": START + text.replace("STEP", STEP)}, "python train.py")


GATHERED = """
n = 0
for epoch in range(5):
    for i, (x, y) in enumerate(loader):
        net(x).sum().backward()
        n += 1
        if {count} % 8 == 0:
            optimizer.step()
            optimizer.zero_grad(){rest}
"""


@pytest.mark.parametrize(
    ("count", "rest", "steps"),
    [
        ("(i + 1)", "", 585),
        ("(i + 1)", "\n    optimizer.step()", 590),
        ("(i + 1)", "\n        elif i + 1 == len(loader):\n            optimizer.step()", 590),
        ("n", "", 586),
        ("n", "\n    n = 0", 585),
    ],
)
def test_batches_left_over_are_stepped_or_not(read, count, rest, steps):
    assert job_of(read, GATHERED.format(count=count, rest=rest)).total_steps == steps


def test_it_means_no_steps_around_data(read):
    text = "from mine import stream\nfor it in range(20):\n    for x, y in stream('a'):\n        STEP\n"
    job = job_of(read, text)
    assert (job.epochs, job.total_steps) == (20, None)
    job = job_of(read, "from mine import draw\nfor it in range(20):\n    x, y = draw('a')\n    STEP\n")
    assert (job.epochs, job.total_steps) == (None, 20)
    rounds = "    for it in range(20):\n        for x, y in stream('a'):\n            STEP\n"
    assert job_of(read, f"from mine import stream\nfor epoch in range(5):\n{rounds}").total_steps is None


ROUND = """
def run(epoch, limit):
    for i, (x, y) in enumerate(loader):
        if {test}:
            break
        STEP
limit = 100
limits = [10, 100, 900, 900, 900]
for epoch in range(5):
    run(epoch, {limit})
{after}
"""


@pytest.mark.parametrize(
    ("test", "limit", "after", "steps"),
    [
        ("i >= limit", "100", "", 500),
        ("i >= limit", "limit", "    for x, y in DataLoader(MNIST('d', train=False), batch_size=64): net(x)", 500),
        ("i >= limit", "100 if epoch == 0 else 10000", "", None),
        ("i >= limit", "limits[epoch]", "", None),
        ("i >= limit", "limit", "    limit += 100", None),
        ("i >= 50 and epoch == 0", "limit", "", None),
    ],
)
def test_limits_that_change_from_epoch_to_epoch_are_open(read, test, limit, after, steps):
    text = ROUND.format(test=test, limit=limit, after=after)
    job = job_of(read, text)
    assert (job.epochs, job.total_steps) == (5, steps)
    short = job_of(read, text.replace("range(5)", "range(2)"))
    assert (short.epochs, short.total_steps) == (2, steps and 200)


def test_another_loop_of_the_epoch_trains_as_well(read):
    first = "for epoch in range(5):\n    for i, (x, y) in enumerate(loader):\n"
    first += "        if i == 100:\n            break\n        STEP\n"
    other = "    for x, y in DataLoader(SVHN('d'), batch_size=64):\n        "
    assert job_of(read, f"{first}{other}net(x)\n").total_steps == 500
    assert job_of(read, f"{first}{other}STEP\n").total_steps is None


ENGINE = """
from ignite.engine import Engine, Events
def step(engine, batch):
    x, y = batch
    STEP
trainer = Engine(step)
@trainer.on(Events.ITERATION_COMPLETED)
def stop(engine):
    if engine.state.iteration > 500:
        {end}
trainer.run(loader, max_epochs=5)
"""


@pytest.mark.parametrize(("end", "steps"), [("print(engine)", 4690), ("engine.terminate()", None)])
def test_an_engine_that_is_ended(read, end, steps):
    assert job_of(read, ENGINE.format(end=end)).total_steps == steps


KERAS = """
import numpy as np
from tensorflow import keras
(x, y), _ = keras.datasets.mnist.load_data()
def net():
    return keras.Sequential([keras.layers.Flatten(input_shape=(28, 28)), keras.layers.Dense(10)])
model = net()
model.compile("adam", "mse")
model.fit(x, y, epochs=5, batch_size=32)
{more}
"""


@pytest.mark.parametrize(
    ("more", "epochs", "steps"),
    [
        ("model.fit(x, y, epochs=20, batch_size=32)", 25, 46875),
        ("model.fit(np.load('own.npy'), np.load('ownY.npy'), epochs=20, batch_size=32)", 25, None),
        ("model = net()\nmodel.fit(x, y, epochs=20, initial_epoch=5, batch_size=32)", 20, 37500),
    ],
)
def test_fits_in_a_row(read, more, epochs, steps):
    job = read({"train.py": KERAS.format(more=more)}, "python train.py")
    assert (job.epochs, job.total_steps) == (epochs, steps)


def test_a_second_network_is_no_more_of_the_first(read):
    other = "student = net()\nstudent.fit(x, y, epochs=10, initial_epoch=0, batch_size=32)"
    assert read({"train.py": KERAS.format(more=other)}, "python train.py").epochs != 15


PADDLE = """
import paddle
from paddle.vision.datasets import MNIST
model = paddle.Model(paddle.vision.models.LeNet())
model.prepare(paddle.optimizer.Adam(parameters=model.parameters()), paddle.nn.CrossEntropyLoss())
model.fit(MNIST(mode="train"), epochs=5, batch_size=64{more})
"""


@pytest.mark.parametrize(
    ("more", "steps"),
    [("", 4690), (", drop_last=True", 4685), (", accumulate_grad_batches=4", None), (", num_iters=100", None)],
)
def test_what_paddle_is_told_besides(read, more, steps):
    assert read({"train.py": PADDLE.format(more=more)}, "python train.py").total_steps == steps


@pytest.mark.parametrize(("test", "steps"), [("len(x) < batch_size", 4685), ("len(y.unique()) < batch_size", 4690)])
def test_a_last_small_batch_is_passed_over(read, test, steps):
    text = "batch_size = 64\nfor epoch in range(5):\n    for x, y in loader:\n"
    text += "        if {}:\n            continue\n        STEP\n"
    assert job_of(read, text.format(test)).total_steps == steps


TUNED = """
from datasets import load_dataset
from trl import {kind}Config, {kind}Trainer
data = load_dataset("{data}", {more}split="train")
args = {kind}Config(output_dir="o", per_device_train_batch_size=8, num_train_epochs=1)
trainer = {kind}Trainer(model="Qwen/Qwen2-0.5B-Instruct", args=args, train_dataset=data)
trainer.train()
"""


@pytest.mark.parametrize(
    ("kind", "data", "steps"),
    [
        ("SFT", "trl-lib/tldr", 14591),
        ("GRPO", "trl-lib/tldr", None),
        ("SFT", "tatsu-lab/alpaca", 6501),
        ("SFT", "mlabonne/alpaca", None),
        ("SFT", "sentence-transformers/squad", None),
        ("SFT", "squad", 10950),
    ],
)
def test_sets_of_the_hub_and_what_answers_them(read, kind, data, steps):
    job = read({"train.py": TUNED.format(kind=kind, data=data, more="")}, "python train.py")
    assert job.total_steps == steps
