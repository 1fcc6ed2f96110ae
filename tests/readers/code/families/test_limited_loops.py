"""Loops over data that are left at a number of rounds, of one pass or of all passes together."""

import pytest

HEAD = """
import argparse, torch
from torch.utils.data import DataLoader, Dataset, TensorDataset
parser = argparse.ArgumentParser()
parser.add_argument("--most_steps", type=float, default=70.0)
args = parser.parse_args()
model = torch.nn.Linear(2, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
class Unknown(Dataset):
    def __len__(self):
        return len(read_all())
known = DataLoader(TensorDataset(torch.zeros(42, 2)), batch_size=4)
unknown = DataLoader(Unknown(), batch_size=4)
def work(rows):
    optimizer.zero_grad()
    model(rows).sum().backward()
    optimizer.step()
"""
EPOCHS = """
def main():
    step = 0
    for epoch in range({epochs}):
        for place, rows in enumerate({data}):
            {before}
            work(rows)
            step += 1
            {after}
        {end}
main()
"""


def lasts(read, loops):
    job = read({"train.py": HEAD + loops}, "python train.py")
    return job.epochs, job.total_steps


@pytest.mark.parametrize(
    ("epochs", "data", "before", "after", "end", "found"),
    [
        (9, "known", "", "", "", (9, 99)),
        (9, "known", "", "if step >= 20: return", "", (None, 20)),
        (2, "known", "", "if step >= 20: return", "", (2, 20)),
        (9, "known", "", "if step >= 200: return", "", (9, 99)),
        (9, "known", "", "if step >= 20: break", "", (9, None)),
        (9, "known", "", "if step >= 20: break", "if step >= 20: break", (None, 20)),
        (9, "known", "", "if place >= 4: break", "", (9, 45)),
        (9, "known", "if place >= 4: break", "", "", (9, 36)),
        (9, "known", "if place >= 40: break", "", "", (9, 99)),
        (9, "known", "if place >= len(known): break", "", "", (9, 99)),
        (9, "known", "", "if rows.sum() > 4: break", "", (9, None)),
        (9, "known", "", "if place >= 4 and rows.sum() > 4: break", "", (9, None)),
        (9, "known", "if rows.size(0) < 4: continue", "", "", (9, 99)),
        (9, "known", "if len(rows) != batch_size: continue", "", "", (9, 90)),
        (9, "known", "if rows.shape[0] < args.batch_size: continue", "", "", (9, 90)),
        (9, "known", "if rows.max() < 4: continue", "", "", (9, 99)),
        (9, "unknown", "", "if step >= 20: return", "", (9, None)),
        (5000, "unknown", "", "if step >= 20: return", "", (None, 20)),
        (5000, "unknown", "", "if place >= 20: return", "", (5000, None)),
    ],
)
def test_loops_are_left_at_a_number_of_rounds(read, epochs, data, before, after, end, found):
    parts = [part or "pass" for part in (before, after, end)]
    code = EPOCHS.format(epochs=epochs, data=data, before=parts[0], after=parts[1], end=parts[2])
    assert lasts(read, code) == found


@pytest.mark.parametrize(
    ("loops", "found"),
    [
        ("for iteration in range(6):\n    for rows in unknown:\n        work(rows)", (6, None)),
        ("for iteration in range(6):\n    for rows in known:\n        work(rows)", (6, 66)),
        ("for iteration in range(6):\n    for rows in known:\n        work(rows)\n        break", (None, 6)),
        ("rows = iter(known)\nfor iteration in range(6):\n    work(next(rows))", (None, 6)),
        ("it = 0\nwhile it < 60:\n    for rows in unknown:\n        work(rows)\n        it += 1", (None, 60)),
        ("it = 0\nwhile it < 6:\n    for rows in unknown:\n        work(rows)\n    it += 1", (6, None)),
        ("for i in range(60):\n    work(next(rows))\n    if i >= 40 - 1:\n        break", (None, 40)),
        ("for i in range(60):\n    work(next(rows))\n    if i >= 80:\n        break", (None, 60)),
        ("import gym\nenv = gym.make('x')\nfor t in range(int(args.most_steps)):\n    work(env.step(0))", (None, 70)),
        (
            "import gym\ngames = 70.0\nenv = gym.make('x')\nfor t in range(int(games)):\n    work(env.step(0))",
            (None, None),
        ),
    ],
)
def test_rounds_over_all_data_are_epochs_whatever_they_are_called(read, loops, found):
    assert lasts(read, loops + "\n") == found


GATHERED = """
import math
from accelerate import Accelerator
accelerator = Accelerator(gradient_accumulation_steps=4)
model, optimizer, data = accelerator.prepare(model, optimizer, {data})
most, step = {most}, 0
each = math.ceil(len(data) / 4)
for epoch in range(math.ceil(most / each)):
    for rows in data:
        with accelerator.accumulate(model):
            accelerator.backward(model(rows).sum())
            optimizer.step()
            optimizer.zero_grad()
        if accelerator.sync_gradients:
            step += 1
        if step >= {end}:
            break
"""


@pytest.mark.parametrize(
    ("data", "most", "end", "found"),
    [
        ("known", 10, "most", (4, 10)),
        ("known", 10, "most - 8", (4, None)),
        ("known", 10, "most + 8", (4, 12)),
    ],
)
def test_a_counter_of_steps_ends_the_last_epoch(read, data, most, end, found):
    assert lasts(read, GATHERED.format(data=data, most=most, end=end)) == found


@pytest.mark.parametrize(
    ("loops", "found"),
    [
        ("for epoch in range(6):\n    for i in range(20):\n        work(next(rows))", (6, 120)),
        ("for epoch in range(6):\n    for i in range(20):\n        work(source.next_batch(4))", (6, 120)),
        ("for iteration in range(6):\n    for i in range(20):\n        work(next(rows))", (None, 6)),
        ("for epoch in range(6):\n    for i in range(20):\n        work(parts[i])", (6, None)),
        ("for epoch in range(6):\n    for i in range(many()):\n        work(next(rows))", (6, None)),
        (
            "for epoch in range(6):\n    optimizer.zero_grad()\n    for i in range(20):\n"
            "        model(next(rows)).sum().backward()\n    optimizer.step()",
            (6, None),
        ),
    ],
)
def test_rounds_that_each_take_a_batch_are_steps(read, loops, found):
    assert lasts(read, loops + "\n") == found


PUSHED = """
import torch
from torchvision.datasets import CIFAR10
loader = torch.utils.data.DataLoader(CIFAR10("here", train=True), batch_size=100)
net = torch.nn.Linear(3, 3)
sgd = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(4):
    for x, y in loader:
        push = torch.zeros(3, requires_grad=True)
        for again in range(7):
            net(x + push).sum().backward()
            {inside}
        {outside}
"""


@pytest.mark.parametrize(
    ("inside", "outside", "steps"),
    [
        ("push = push.grad.sign()", "net(x + push).sum().backward()\n        sgd.step()", 2000),
        ("sgd.step()", "pass", None),
        ("sgd.step()", "net(x).sum().backward()\n        sgd.step()", None),
    ],
)
def test_looking_for_the_worst_input_is_no_step(read, inside, outside, steps):
    job = read({"go.py": PUSHED.format(inside=inside, outside=outside)}, "python go.py")
    assert (job.epochs, job.total_steps) == (4, steps)


@pytest.mark.parametrize(
    ("around", "found"),
    [
        ("for i in range(9):", (5, None)),
        ("for epoch in range(9):", (9, None)),
        ("for fold in range(9):", (5, None)),
    ],
)
def test_a_fit_that_is_done_again_has_steps_of_its_own(read, around, found):
    epochs = 1 if "epoch" in around else 5
    code = f"""
import numpy as np
from tensorflow import keras
{around}
    net = keras.Sequential([keras.layers.Dense(2)])
    net.compile(optimizer="adam", loss="mse")
    net.fit(np.zeros((640, 3)), np.zeros(640), epochs={epochs})
"""
    job = read({"go.py": code}, "python go.py")
    assert (job.epochs, job.total_steps) == found


CRITIC = """
judge = torch.nn.Linear(2, 2)
other = torch.optim.Adam(judge.parameters())
{around}
{indent}for critic_iter in range(5):
{indent}    other.zero_grad()
{indent}    judge(rows).sum().backward()
{indent}    other.step()
{indent}work(rows)
"""


@pytest.mark.parametrize(
    ("around", "found"),
    [
        ("for iteration in range(60):", (None, 60)),
        ("for epoch in range(many()):\n    for rows in known:", (None, None)),
        ("for rows in unknown:", (None, None)),
    ],
)
def test_rounds_of_a_critic_are_no_steps_of_the_job(read, around, found):
    indent = "    " * around.count("for ")
    assert lasts(read, CRITIC.format(around=around, indent=indent)) == found


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


def test_a_loader_of_what_comes_after_has_another_batch(read):
    code = """
def finetune(net):
    for epoch in range(9):
        for rows in DataLoader(Unknown(), batch_size=512, shuffle=True):
            work(rows)
source = iter(known)
for step in range(300):
    work(next(source))
finetune(model)
"""
    job = read({"train.py": HEAD + code}, "python train.py")
    assert (job.batch_size, job.total_steps) == (4, 300)
