"""Rounds over arrays of whole numbers, told by place or by name."""

import pytest

from schedmate.readers.code.python.rounds.loop_counts import count_of
from tests.readers.code.programs import FIT_SETTINGS


@pytest.mark.parametrize(
    ("made", "count"),
    [
        ("numpy.arange(7)", 7),
        ("numpy.arange(stop=7)", 7),
        ("numpy.arange(2, 30, step=4)", 7),
        ("numpy.arange(2, 30, 4)", 7),
        ("numpy.arange(20, step=3)", 7),
        ("numpy.arange(13, stop=20)", 7),
        ("numpy.arange(start=13, stop=20, dtype=int)", 7),
        ("numpy.arange(20, 6, -2)", 7),
        ("numpy.arange(9, 3)", 0),
        ("torch.arange(0, 21, step=3, device='cpu')", 7),
        ("torch.arange(start=1, end=8)", 7),
        ("torch.arange(end=7)", 7),
        ("tensorflow.range(2, limit=9)", 7),
        ("tensorflow.range(2, 30, delta=4)", 7),
        ("numpy.arange(0 if given else 3, 7)", 7),
    ],
)
def test_rounds_that_are_told(follow, made, count):
    assert count_of(rows_of(follow, made)).data == count


@pytest.mark.parametrize(
    "made",
    [
        "numpy.arange(0.0, 7.0, 0.5)",
        "numpy.arange(7, step=0.5)",
        "numpy.arange(0, 7, step=given)",
        "numpy.arange(given, 7, step=2)",
        "numpy.arange(0, 7, step=0)",
        "numpy.arange(0, 7, stop=9)",
        "numpy.arange(0, 7, 1, int)",
        "numpy.arange(step=2)",
        "numpy.arange(7, other=3)",
        "numpy.arange()",
    ],
)
def test_rounds_that_are_not(follow, made):
    assert count_of(rows_of(follow, made)) is None


def rows_of(follow, made):
    return follow(f"import numpy, tensorflow, torch\nfrom elsewhere import given\nx = {made}\n")[1]["x"]


def test_a_range_in_a_librarys_clock_is_counted(read):
    code = FIT_SETTINGS.replace("range(epochs)", "clock.timed_for(range(epochs), save=True)")
    job = read({"train.py": "import gtimer as clock\n" + code + "fit(4, 0.5, 70)\n"}, "python train.py")
    assert job.epochs == 70


def counted(read, loop):
    code = (
        "import torch, itertools\nfrom tqdm.auto import tqdm, trange\nnet = torch.nn.LSTM(2, 2)\n"
        f"optimizer = torch.optim.SGD(net.parameters(), lr=0.1)\nn = 1200\n{loop}:\n"
        "    net(batch).sum().backward()\n    optimizer.step()\n"
    )
    return read({"train.py": code}, "python train.py").total_steps


def test_a_progress_bar_beside_the_batches_counts_the_steps(read):
    assert counted(read, "for step, batch in zip(tqdm(list(range(1, n + 1))), make_batches())") == 1200
    assert counted(read, "batch = 0\nfor step in trange(n, desc='training')") == 1200


def test_a_range_beside_batches_that_may_end_sooner_counts_nothing(read):
    assert counted(read, "for i, batch in zip(range(10**9), make_batches())") is None
    assert counted(read, "for i, j, batch in zip(range(n * n), range(n), make_batches())") == 1200
    for loop in ("for i, batch in zip(range(n), batches)", "for i, batch in enumerate(zip(range(n), batches))"):
        assert counted(read, f"batches = make_batches()\nfor epoch in range(10):\n  {loop}") is None


GOES_ON = """
import sys
import torch
from far_away import last_step

model = torch.nn.Linear(4, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
start, rounds = last_step(), {rounds}
for step in range({bounds}):
    for part in range(2):
        model(torch.zeros(2, 4)).sum().backward()
    optimizer.step()
"""


@pytest.mark.parametrize(
    ("bounds", "rounds", "steps"),
    [
        ("start + 1, start + 1 + rounds", 90, 90),
        ("start, rounds + start", 90, 90),
        ("start + 1, last_step() + rounds", 90, None),
        ("start, start + rounds", "last_step()", None),
    ],
)
def test_rounds_from_wherever_a_run_goes_on_are_counted(read, bounds, rounds, steps):
    told = read({"go.py": GOES_ON.format(bounds=bounds, rounds=rounds)}, "python go.py").total_steps
    assert told == steps


RESUMED = """
import torch
net = torch.nn.Linear(4, 2)
sgd = torch.optim.SGD(net.parameters(), lr=0.1)
def start():
    try:
        kept = torch.load("last.pt")
        return kept["epoch"] + 1, kept["best"]
    except OSError:
        return 0, 0
first, best = start()
for epoch in range(FIRST, 30):
    for x in torch.utils.data.DataLoader(range(8), batch_size=2):
        net(x).sum().backward()
        sgd.step()
"""


def test_what_is_added_to_the_epoch_of_a_checkpoint_is_no_first_epoch(read):
    assert read({"go.py": RESUMED.replace("FIRST", "first")}, "python go.py").epochs == 30
    assert read({"go.py": RESUMED.replace("FIRST", "1")}, "python go.py").epochs == 29


RESUMED_BY_PATH = """
import os
import torch

net = torch.nn.Linear(3, 3)
last = {last}
if os.path.exists(os.path.join(os.environ["RUNS"], "marks.pt")):
    last = torch.load("marks.pt").get("epoch", last)
optimizer = torch.optim.Adam(net.parameters(), lr=1)
for epoch in range(last + 1, 50):
    net(1).sum().backward()
    optimizer.step()
"""


@pytest.mark.parametrize(("last", "epochs"), [("-1", 50), ("0", 49), ("int(os.environ['LAST'])", None)])
def test_a_first_run_starts_behind_the_last_epoch_that_there_is_none_of(read, last, epochs):
    assert read({"go.py": RESUMED_BY_PATH.format(last=last)}, "python go.py").epochs == epochs
