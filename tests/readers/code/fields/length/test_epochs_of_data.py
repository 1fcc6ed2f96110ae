"""Steps of all epochs, where it is known how many samples or batches an epoch has and what may end it before."""

import pytest

from tests.readers.code.programs import mnist_job

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


def test_another_loop_of_the_epoch_trains_as_well(read):
    first = "for epoch in range(5):\n    for i, (x, y) in enumerate(loader):\n"
    first += "        if i == 100:\n            break\n        STEP\n"
    other = "    for x, y in DataLoader(SVHN('d'), batch_size=64):\n        "
    assert mnist_job(read, f"{first}{other}net(x)\n").total_steps == 500
    assert mnist_job(read, f"{first}{other}STEP\n").total_steps is None
