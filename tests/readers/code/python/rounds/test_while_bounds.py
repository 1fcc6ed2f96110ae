"""What a `while` loop goes up to: its counter, the bound that ends it, the rounds until then."""

import pytest

from tests.readers.code.programs import FIT_BATCHES, FIT_SETTINGS, TORCH_HEAD

COUNTED = """
import torch
from torch.utils.data import DataLoader

net = torch.nn.Linear(4, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
loader = DataLoader(range(40), batch_size=4)
i = {begin}
while i < 10000000:
    for batch in loader:
        net(batch).sum().backward()
        optimizer.step()
    i += 1
"""


def test_a_loop_that_nobody_waits_for_counts_no_epochs(read):
    assert read({"go.py": COUNTED.format(begin=0)}, "python go.py").epochs is None
    assert read({"go.py": COUNTED.format(begin=9999990)}, "python go.py").epochs == 10


@pytest.mark.parametrize("test", ["worst > 0.5", "left > 3"])
def test_what_counts_down_to_a_bound_is_no_count_of_steps(read, test):
    code = FIT_BATCHES + f"worst = left = read()\nwhile {test}:\n    fit(0.1, unknown())\n    worst = left = read()\n"
    assert read({"train.py": code}, "python train.py").total_steps is None


def test_two_loops_to_one_bound_count_the_same_steps(read):
    code = FIT_SETTINGS.partition("def fit")[0] + (
        "import yaml\ncfg = yaml.safe_load(open('c.yml'))\nlast = cfg['total_iter']\n"
        "net = torch.nn.GRU(4, 4).cuda()\noptimizer = torch.optim.SGD(net.parameters(), lr=0.1)\n"
        "current_iter = 0\n"
        "while current_iter <= last:\n"
        "    batches = iter(DataLoader(range(9), batch_size=3))\n    x = next(batches)\n"
        "    while x is not None:\n        current_iter += 1\n"
        "        if current_iter > last:\n            break\n"
        "        net(x).sum().backward()\n        optimizer.step()\n        x = next(batches)\n"
    )
    job = read({"train.py": code, "c.yml": "total_iter: 3000\n"}, "python train.py")
    assert job.total_steps == 3000


COUNTED_IMAGES = """
import click
import torch

@click.command()
@click.option("--kimg", type=int, default=25000)
@click.option("--batch", type=int, default=64)
def main(kimg, batch):
    net = torch.nn.Conv2d(3, 3, 3)
    optimizer = torch.optim.Adam(net.parameters(), lr=0.002)
    images = iter(torch.utils.data.DataLoader([], batch_size=batch))
    seen_img = 0
    while True:
        for part in next(images).split(4):
            net(part).sum().backward()
        optimizer.step()
        seen_img += batch
        done = seen_img >= kimg * 1000
        if done:
            break

main()
"""


def test_rounds_to_a_number_of_images_are_counted_batch_by_batch(read):
    job = read({"train.py": COUNTED_IMAGES}, "python train.py --kimg 5000")
    assert (job.total_steps, job.epochs, job.batch_size) == (78125, None, 64)
    steps = COUNTED_IMAGES.replace("seen_img += batch", "seen_img += 1")
    assert read({"train.py": steps}, "python train.py").total_steps == 25_000_000


TOP = (
    TORCH_HEAD
    + """
import argparse

parser = argparse.ArgumentParser()
parser.add_argument("--rounds", type=int, default=700)
parser.add_argument("--half", action="store_true")
args = parser.parse_args()
model = torch.nn.Linear(3, 1).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
"""
)
FROM_ONE = """
epoch = 0
epoch += 1
while epoch < args.rounds + 1:
    for (data,) in DataLoader(TensorDataset(torch.rand(9, 3)), batch_size=3):
        model(data).sum().backward()
        optimizer.step()
    epoch += 1
"""


def test_epochs_are_counted_from_the_first(read):
    assert read({"train.py": TOP + FROM_ONE}, "python train.py --rounds 25").epochs == 25


@pytest.mark.parametrize(
    ("raised", "steps"),
    [
        ("seen_images += 20", 35),
        ("for part in range(4):\n        seen_images += size_of(part)", None),
        ("if data.any():\n        seen_images += 20", None),
    ],
)
def test_samples_are_counted_by_how_much_each_round_adds(read, raised, steps):
    loop = f"""
seen_images = 0
while seen_images < args.rounds:
    model(data).sum().backward()
    optimizer.step()
    {raised}
"""
    assert read({"train.py": TOP + loop}, "python train.py").total_steps == steps
