"""Sacred alone: the local names of functions as a configuration, and the words behind `with`."""

import pytest

from tests.readers.code.programs import TORCH_HEAD, TORCH_LOOP

HEAD = (
    "from sacred import Experiment\nex = Experiment('a')\n"
    "@ex.config\ndef base():\n    lr = 0.1\n    epochs = 2\n    steps = epochs * 10\n"
    "@ex.named_config\ndef big():\n    epochs = 5\n"
)
MAIN = "@ex.automain\ndef main(lr, epochs, steps, _config):\n    global x\n    x = [lr, epochs, steps]\n"


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("", [0.1, 2, 20]),
        ("with lr=0.5", [0.5, 2, 20]),
        ("with epochs=3", [0.1, 3, 30]),
        ("with big", [0.1, 5, 50]),
        ("with big epochs=7", [0.1, 7, 70]),
        ("with c.yaml", [0.3, 2, 20]),
        ("-F logs with steps=1", [0.1, 2, 1]),
    ],
)
def test_words_stand_over_named_parts_and_these_over_the_rest(outcome, words, expected):
    assert outcome(HEAD + MAIN, words, {"c.yaml": "lr: 0.3\n"}) == expected


def test_a_command_is_started_by_its_name(outcome):
    text = (
        f"x = 'nothing'\n{HEAD}@ex.command\ndef show(lr):\n    global x\n"
        "    x = lr\n@ex.main\ndef main():\n    pass\nex.run_commandline()\n"
    )
    assert outcome(text, "show with lr=0.25") == 0.25


def test_a_captured_function_takes_what_the_caller_leaves_out(outcome):
    text = (
        f"{HEAD}@ex.capture\ndef rate(lr, scale):\n    return lr * scale\n"
        "@ex.automain\ndef main():\n    global x\n    x = rate(scale=2)\n"
    )
    assert outcome(text, "with lr=0.5") == 1.0


def test_an_ingredient_has_a_part_of_its_own(outcome):
    text = (
        "from sacred import Experiment, Ingredient\ndata = Ingredient('data')\n@data.config\ndef d():\n    batch = 4\n"
        "ex = Experiment('a', ingredients=[data])\n@ex.automain\ndef main(data):\n    global x\n    x = data['batch']\n"
    )
    assert outcome(text) == 4
    assert outcome(text, "with data.batch=8") == 8


def test_configurations_may_be_mappings(outcome):
    text = f"{HEAD}ex.add_config({{'lr': 0.9}})\n{MAIN}"
    assert outcome(text) == [0.9, 2, 20]


SETTINGS = """
from sacred import Experiment

ex = Experiment("thing")

@ex.config
def config():
    lr = 0.5
    batch_size = 8
    epochs = 2
    half = batch_size // 2
    data = {"root": "", "crop": 1}

@ex.named_config
def large():
    batch_size = 32
    epochs = 5

@ex.named_config
def long():
    epochs = 7
"""
RUN = (
    "from settings import ex\n"
    + TORCH_HEAD
    + TORCH_LOOP
    + """
@ex.automain
def main(_config):
    train(_config["lr"], _config["batch_size"], _config["epochs"])
"""
)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("", (0.5, 8, 2)),
        ("with lr=0.25 large", (0.25, 32, 5)),
        ("with large long", (0.5, 32, 7)),
        ("-F runs with long batch_size=16 data.root=/d", (0.5, 16, 7)),
        ("with more.yaml", (0.125, 8, 2)),
    ],
)
def test_the_command_stands_over_named_parts_and_these_over_the_rest(read, words, expected):
    files = {"run.py": RUN, "settings.py": SETTINGS, "more.yaml": "lr: 0.125\n"}
    job = read(files, f"python run.py {words}")
    assert job.is_training is True
    assert (job.learning_rate, job.batch_size, job.epochs) == expected


CAPTURED = (
    TORCH_HEAD
    + TORCH_LOOP
    + """
from sacred import Experiment, Ingredient

data = Ingredient("data")

@data.config
def data_config():
    batch_size = 8

@data.capture
def width(batch_size):
    return batch_size

ex = Experiment(ingredients=[data])
ex.add_config({"lr": 0.5})
ex.add_config("more.yaml")

@ex.capture(prefix="optim")
def rounds(epochs=1):
    return epochs

@ex.command
def look(lr):
    print(lr)

@ex.main
def main(lr, _run, scale=2):
    train(lr, width(), rounds())

if __name__ == "__main__":
    ex.run_commandline()
"""
)


def test_captured_functions_take_what_they_lack_from_the_configuration(read):
    files = {"train.py": CAPTURED, "more.yaml": "optim:\n  epochs: 4\n"}
    job = read(files, "python train.py with lr=0.25 data.batch_size=16")
    assert (job.is_training, job.learning_rate, job.batch_size, job.epochs) == (True, 0.25, 16, 4)
    assert read(files, "python train.py look with lr=0.25").is_training is not True


def test_steps_end_before_epochs_that_nobody_reaches(read):
    train = """
import pytorch_lightning as pl
from settings import ex
import torch
from torch.utils.data import DataLoader

class Net(pl.LightningModule):
    def training_step(self, batch, _):
        return batch.sum()
    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters(), lr=0.25)

@ex.automain
def main(_config):
    pl.Trainer(max_epochs={epochs}, max_steps=300).fit(Net(), DataLoader(rows(), batch_size=4))
"""
    job = read({"train.py": train.replace("{epochs}", "1000"), "settings.py": SETTINGS}, "python train.py")
    assert (job.total_steps, job.epochs) == (300, None)
    job = read({"train.py": train.replace("{epochs}", "3"), "settings.py": SETTINGS}, "python train.py")
    assert (job.total_steps, job.epochs) == (None, 3)
