"""Steps and epochs that no loop tells."""

import pytest

from tests.readers.code.programs import TORCH_HEAD


def test_a_call_in_a_loop_over_tasks_keeps_its_steps(read):
    program = """
import torch
from far_away import learn

model = torch.nn.Linear(4, 2)
optimizer = torch.optim.Adam(model.parameters(), lr=3e-4)
for task in ("reach", "push"):
    settings = dict(max_steps=5000)
    learn(model, optimizer, task, steps=settings["max_steps"])
"""
    assert read({"go.py": program}, "python go.py").total_steps == 5000


NESTED = """
import torch
from far_away import loader, mirror

model = torch.nn.Linear(4, 2)
optimizer = torch.optim.Adam(model.parameters(), lr=3e-4)

def step(batch):
    model(batch).sum().backward()
    optimizer.step()

{loops}
"""


def test_rounds_that_make_ready_and_rounds_within_a_batch_are_no_steps(read):
    ready = "warmup_steps = 10\nfor _ in range(warmup_steps):\n    step(mirror)"
    within = "mem_iters = 3\nfor batch in loader:\n    for turn in range(mem_iters):\n        step(batch)"
    between = (
        "critic_updates = 5\nfor epoch in range(4):\n    for batch in loader:\n"
        "        for turn in range(critic_updates):\n            step(batch)"
    )
    for loops in (ready, within, between):
        assert read({"go.py": NESTED.format(loops=loops)}, "python go.py").total_steps is None, loops
    rounds = "train_steps = 30\nfor turn in range(train_steps):\n    step(mirror)"
    assert read({"go.py": NESTED.format(loops=rounds)}, "python go.py").total_steps == 30


LIMITED = """
import argparse
import torch
from accelerate import Accelerator

parser = argparse.ArgumentParser()
parser.add_argument("--epochs", type=int, default={epochs})
parser.add_argument("--max_total_steps", type=int, default=400000)
args = parser.parse_args()
accelerator = Accelerator()
model = torch.nn.Linear(4, 4)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)
optim_lr = torch.optim.lr_scheduler.StepLR(optimizer, 5)
done = global_step = 0
for epoch in range(args.epochs):
    for step, page in enumerate(open("pages.bin")):
        accelerator.backward(model(page).sum())
{raised}
        if global_step >= args.max_total_steps:
            break
    if global_step >= args.max_total_steps:
        break
"""
RAISED = {
    "each round": "        optimizer.step()\n        global_step += 1",
    "Accelerate": "        optimizer.step()\n        if accelerator.sync_gradients:\n            global_step += 1",
    "with a step": "        if (step + 1) % 4 == 0:\n            optimizer.step()\n            global_step += 1",
    "a rate": "        optimizer.step()\n        if page:\n            optim_lr.step()\n            global_step += 1",
    "at times": "        optimizer.step()\n        if step % 9 == 0:\n            global_step += 1",
}


@pytest.mark.parametrize(
    ("raised", "epochs", "told", "steps"),
    [
        ("each round", 30, "--max_total_steps 500", 500),
        ("Accelerate", 30, "--max_total_steps 500", 500),
        ("with a step", 30, "--max_total_steps 500", 500),
        ("a rate", 30, "--max_total_steps 500", None),
        ("at times", 30, "--max_total_steps 500", None),  # what is counted are no steps
        ("each round", 30, "", None),  # which of two defaults ends the job is not known
        ("each round", 30, "--max_total_steps 500 --epochs 9", None),
    ],
)
def test_steps_that_the_command_asks_for_go_before_epochs_that_nobody_gave(read, raised, epochs, told, steps):
    program = LIMITED.format(epochs=epochs, raised=RAISED[raised])
    assert read({"go.py": program}, f"python go.py {told}").total_steps == steps


@pytest.mark.parametrize(("told", "steps"), [("500", 300), ("90", 90)])
def test_steps_that_are_asked_for_end_no_job_later_than_its_epochs(read, told, steps):
    data = "torch.utils.data.DataLoader(torch.zeros(400, 4), batch_size=4)"
    program = LIMITED.format(epochs=3, raised=RAISED["each round"]).replace('open("pages.bin")', data)
    assert read({"go.py": program}, f"python go.py --max_total_steps {told}").total_steps == steps


ONE_PASS = """
import argparse
import torch

parser = argparse.ArgumentParser()
parser.add_argument("--epochs", type=int, default=1)
parser.add_argument("--max_total_steps", type=int, default=700)
args = parser.parse_args()
model = torch.nn.Linear(4, 4)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
total_steps = 0
for epoch in range(args.epochs):
    pages = iter(open("pages.bin"))
    while not pages.end():
        model(next(pages)).sum().backward()
        optimizer.step()
        total_steps += 1
        if total_steps > args.max_total_steps:
            break
"""


@pytest.mark.parametrize(("told", "steps"), [("", 700), ("--max_total_steps 90", 90), ("--epochs 5", 700)])
def test_a_bound_of_the_one_pass_is_that_of_the_job(read, told, steps):
    assert read({"go.py": ONE_PASS}, f"python go.py {told}").total_steps == steps


ROUNDS = """
import random
import torch
net = torch.nn.Linear(4, 2)
adam = torch.optim.Adam(net.parameters())
args = {{"numIters": 1000, "epochs": {epochs}}}

def learn(samples):
    {within}
        for _ in range(len(samples) // 64):
            net(random.sample(samples, 64)).sum().backward()
            adam.step()

for i in range(args["numIters"]):
    learn(open(input()).readlines())
"""


@pytest.mark.parametrize("within", ["for epoch in range(args['epochs']):", "if True:"])
def test_rounds_with_epochs_of_their_own_are_no_steps(read, within):
    job = read({"fit.py": ROUNDS.format(epochs=10, within=within)}, "python fit.py")
    assert job.total_steps is None or "epoch" not in within


FITTED = """
import keras
net = keras.Sequential([keras.layers.Dense(2)])
net.compile("adam", "mse")
for step in range(100):
    samples = play(net)
    net.fit(samples, batch_size=64, epochs={epochs})
"""


@pytest.mark.parametrize(("epochs", "steps"), [(10, None), (1, 100)])
def test_a_fit_of_several_epochs_is_no_step(read, epochs, steps):
    assert read({"fit.py": FITTED.format(epochs=epochs)}, "python fit.py").total_steps == steps


def test_ranges_that_count_in_batches_are_steps(read):
    code = """
import numpy as np
import torch

places = np.loadtxt("places.txt")
net = torch.nn.Linear(2, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(5):
    for start in range(0, len(places), 8):
        optimizer.zero_grad()
        net(torch.tensor(places[start : start + 8])).sum().backward()
        optimizer.step()
"""
    job = read({"train.py": code, "places.txt": "# x y\n" + "1 2\n" * 60}, "python train.py")
    assert (job.epochs, job.total_steps) == (5, 40)


PARTS = (
    TORCH_HEAD
    + """
import argparse
parser = argparse.ArgumentParser()
parser.add_argument("--times", type=int, default=3)
args = parser.parse_args()
net = torch.nn.Linear(4, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for repeat in range(args.times):
    for {outer} in range(6):
        for batch in range(9):
            net(batch).sum().backward()
            optimizer.step()
"""
)


def test_how_often_the_whole_job_is_done_is_no_number_of_steps(read):
    assert read({"go.py": PARTS.format(outer="epoch")}, "python go.py --times 5").epochs == 6
    assert read({"go.py": PARTS.format(outer="task")}, "python go.py --times 5").total_steps in (None, 9)


def test_steps_that_are_made_of_epochs_leave_the_epochs_known(read):
    code = (
        "import argparse, torch\np = argparse.ArgumentParser()\n"
        "p.add_argument('--num_epochs', type=int, default=30)\na = p.parse_args()\nnet = torch.nn.LSTM(2, 2)\n"
        "optimizer = torch.optim.SGD(net.parameters(), lr=0.1)\nsteps = 50 * a.num_epochs\n"
        "for step in range(steps):\n    net(step).sum().backward()\n    optimizer.step()\n"
    )
    job = read({"train.py": code}, "python train.py")
    assert (job.epochs, job.total_steps) == (30, 1500)
