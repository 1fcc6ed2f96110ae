"""Over how many steps a program gathers gradients: the condition that its optimizer's step hangs on."""

import time
from itertools import chain

import pytest

from tests.readers.code.networks import NET_SGD, TWO_NETS
from tests.readers.code.programs import mnist_job

RESTS = """
import torch
from torchvision.datasets import CIFAR10
loader = torch.utils.data.DataLoader(CIFAR10("here", train=True), batch_size=64)
net = torch.nn.Linear(2, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(10):
    for place, batch in enumerate(loader):
        net(batch).sum().backward()
        if {test}:
            optimizer.step()
            optimizer.zero_grad()
"""


@pytest.mark.parametrize(
    ("test", "steps"),
    [("(place + 1) % 8 == 0", 970), ("(place + 1) % 8 == 0 or place + 1 == len(loader)", 980)],
)
def test_batches_that_are_left_over_make_a_step_if_the_program_says_so(read, test, steps):
    job = read({"go.py": RESTS.format(test=test)}, "python go.py")
    assert (job.global_batch_size, job.total_steps) == (512, steps)


def test_gradients_are_gathered_where_the_loop_goes_on_before_the_step(read):
    body = ("loss = net(i).sum() / every", "loss.backward()", "seen += 1", "{test}", "    continue", "{step}")
    for test in ("if seen % every > 0:", "if seen % every != 0:", "if seen % every:"):
        for step in ("optimizer.step()", "if i:\n        scaler.step(optimizer)"):
            lines = [f"    {line}".format(test=test, step=step) for line in body]
            start = TWO_NETS.splitlines(), ["net = Spinner()", NET_SGD, "every, seen = 8, 0", "for i in range(800):"]
            job = read({"train.py": "\n".join([*chain(*start), *lines])}, "python train.py")
            assert job.extra["gradient_accumulation_steps"] == "8", (test, step)


def test_turns_that_are_left_out_before_the_gradients_gather_none(read):
    for test in ("if i % world != rank:", "if i % 2:"):
        loop = f"for i in range(800):\n    {test}\n        continue\n    gradients(net, i)\n    optimizer.step()\n"
        code = "import os\nfrom helpers import gradients\n" + TWO_NETS + "net = Spinner()\n" + NET_SGD
        code += "world, rank = 4, int(os.environ.get('RANK', 0))\n" + loop
        helpers = "def gradients(net, i):\n    net(i).sum().backward()\n"
        job = read({"train.py": code, "helpers.py": helpers}, "python train.py")
        assert "gradient_accumulation_steps" not in job.extra, test


def test_a_loop_of_many_left_out_turns_is_looked_through_once(read):
    turns = "".join(f"    if i % {n} != 0:\n        continue\n    a{n} = 1\n" for n in range(2, 1500))
    code = TWO_NETS + "net = Spinner()\n" + NET_SGD + "for i in range(800):\n" + turns
    code += "    net(i).sum().backward()\n    optimizer.step()\n"
    begun = time.process_time()
    assert read({"train.py": code}, "python train.py").optimizer == "SGD"
    assert time.process_time() - begun < 40


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
    assert mnist_job(read, GATHERED.format(count=count, rest=rest)).total_steps == steps
