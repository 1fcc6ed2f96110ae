"""Batches of jobs that only use a network."""

import pytest

CODE = """
import argparse, torch
from torch.utils.data import DataLoader

parser = argparse.ArgumentParser()
parser.add_argument("--batch_size", type=int, default=64)
parser.add_argument("--rows", type=int, default=16)
args = parser.parse_args()
learned = DataLoader(torch.rand(100, 3), batch_size=args.batch_size, shuffle=True)
held_out = DataLoader(torch.rand(100, 3), batch_size=args.rows)
net = torch.nn.Linear(3, 1)
net.load_state_dict(torch.load("best.pt"))
with torch.no_grad():
    for x in {used}:
        print(net(x).mean())
"""


@pytest.mark.parametrize(("used", "size"), [("held_out", 16), ("learned", 128), ("[*held_out, *learned]", 128)])
def test_the_loader_that_is_gone_over_tells_the_batch(read, used, size):
    job = read({"use.py": CODE.format(used=used)}, "python use.py --batch_size 128")
    assert (job.is_training, job.batch_size) == (False, size)
