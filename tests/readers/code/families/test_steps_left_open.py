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


def test_another_loop_of_the_epoch_trains_as_well(read):
    first = "for epoch in range(5):\n    for i, (x, y) in enumerate(loader):\n"
    first += "        if i == 100:\n            break\n        STEP\n"
    other = "    for x, y in DataLoader(SVHN('d'), batch_size=64):\n        "
    assert job_of(read, f"{first}{other}net(x)\n").total_steps == 500
    assert job_of(read, f"{first}{other}STEP\n").total_steps is None


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


def test_a_second_network_is_no_more_of_the_first(read):
    other = "student = net()\nstudent.fit(x, y, epochs=10, initial_epoch=0, batch_size=32)"
    assert read({"train.py": KERAS.format(more=other)}, "python train.py").epochs != 15


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
