"""Epochs and steps that stay open: rounds within a step, numbers that nobody waits for, work after the training."""

import pytest

from tests.readers.code.programs import lasts, mnist_job


def test_steps_beside_epochs_and_epochs_that_are_steps_leave_the_epochs_open(read):
    start = "import torch\nnet = torch.nn.LSTM(2, 2)\noptimizer = torch.optim.SGD(net.parameters(), lr=0.1)\n"
    body = "    net(step).sum().backward()\n    optimizer.step()\n"
    code = start + "c = dict(epochs=4, max_steps=1000)\nfor step in range(c['max_steps']):\n" + body
    job = read({"train.py": code}, "python train.py")
    assert (job.epochs, job.total_steps) == (None, 1000)
    asked = "import argparse\np = argparse.ArgumentParser()\np.add_argument('--epochs', type=int, default=5000)\n"
    job = read({"train.py": asked + start + "for step in range(p.parse_args().epochs):\n" + body}, "python train.py")
    assert (job.epochs, job.total_steps) == (None, 5000)


def test_it_means_no_steps_around_data(read):
    text = "from mine import stream\nfor it in range(20):\n    for x, y in stream('a'):\n        STEP\n"
    job = mnist_job(read, text)
    assert (job.epochs, job.total_steps) == (20, None)
    job = mnist_job(read, "from mine import draw\nfor it in range(20):\n    x, y = draw('a')\n    STEP\n")
    assert (job.epochs, job.total_steps) == (None, 20)
    rounds = "    for it in range(20):\n        for x, y in stream('a'):\n            STEP\n"
    assert mnist_job(read, f"from mine import stream\nfor epoch in range(5):\n{rounds}").total_steps is None


ENUMS = {
    "train.py": """
        from enum import Enum

        import torch

        class Kind(str, Enum):
            ADAM: str = "adam"
            SGD: str = "sgd"

        class Mode(Enum):
            FAST = 1
            SLOW = 2

        def optimizer_of(name):
            if name == Kind.ADAM:
                return torch.optim.Adam
            if name in (Kind.SGD,):
                return torch.optim.SGD
            raise ValueError(name)

        model = torch.nn.Linear(3, 3)
        rate = 0.5 if Mode.SLOW is not Mode.FAST and Mode.SLOW == Mode.SLOW else 0.1
        optimizer = optimizer_of("sgd")(model.parameters(), lr=rate)
        for step in range(10):
            for micro_batch in range(4):
                model(1).backward()
            optimizer.step()
        """
}


def test_micro_batches_are_no_steps(read):
    assert read(ENUMS, "python train.py").total_steps == 10


def test_epochs_that_nobody_waits_for_are_none(read):
    files = {
        "train.py": """
            import torch
            from torch.utils.data import DataLoader

            model = torch.nn.Linear(4, 4)
            optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
            loader = DataLoader(list(range(8)), batch_size=2)
            for epoch in range(99999999):
                for batch in loader:
                    model(batch).sum().backward()
                    optimizer.step()
            """
    }
    found = read(files, "python train.py")
    assert (found.is_training, found.epochs, found.batch_size) == (True, None, 2)


STAGES = """
def {name}(net, data):
    for epoch in range(9):
        for rows in data:
            work(rows)
def main():
    source = iter(known)
    {main}
    {name}(model, known)
main()
"""


@pytest.mark.parametrize(
    ("name", "main", "found"),
    [
        ("finetune", "for step in range(300):\n        work(next(source))", (None, 300)),
        ("finetune", "pass", (9, 99)),
        ("train", "for step in range(300):\n        work(next(source))", (9, 99)),
    ],
)
def test_what_comes_after_the_training_is_not_it(read, name, main, found):
    assert lasts(read, STAGES.format(name=name, main=main)) == found
