"""Loaders of one item: a batch where the data make batches, one sample where they do not."""

import pytest

PROGRAM = """
import argparse
import torch
from torch.utils.data import DataLoader, Dataset

class Crates(Dataset):
    def __init__(self, fruit, batch_size):
        self.crates = [fruit[at : at + batch_size] for at in range(0, len(fruit), batch_size)]
    def __len__(self):
        return len(self.crates)
    def __getitem__(self, place):
        return self.crates[place]

class Sorted(Dataset):
    def __init__(self, inner):
        self.inner = inner
    def __getitem__(self, place):
        return sorted(self.inner[place])

parser = argparse.ArgumentParser()
parser.add_argument("--crate", type=int, default=18)
parser.add_argument("--batch_size", type=int, default=7)
args = parser.parse_args()
data = {data}
model = torch.nn.Linear(4, 1)
optimizer = torch.optim.Adam(model.parameters(), lr=0.1)
for batch in {loader}:
    model(batch).sum().backward()
    optimizer.step()
"""
ONE = "DataLoader(data, batch_size=1, shuffle=True{})"


@pytest.mark.parametrize(
    ("data", "loader", "batch"),
    [
        ("Crates(torch.zeros(90, 4), args.crate)", ONE.format(""), 18),
        ("Sorted(Crates(torch.zeros(90, 4), batch_size=args.crate))", ONE.format(""), 18),
        ("torch.zeros(90, 4)", ONE.format(""), 1),
        ("torch.load('crates.pt')", ONE.format(", collate_fn=lambda items: items[0]"), 7),
        ("torch.load('crates.pt')", ONE.format(", collate_fn=lambda items: sum(items)"), 1),
        ("Crates(torch.zeros(90, 4), 1)", "DataLoader(data, batch_size=args.batch_size)", 7),
    ],
)
def test_one_item_is_a_batch_where_the_data_are_told_of_one(read, data, loader, batch):
    assert read({"train.py": PROGRAM.format(data=data, loader=loader)}, "python train.py").batch_size == batch


BUCKETS = """
import torch
from torch.utils.data import DataLoader, Dataset

class Sounds(Dataset):
    def __init__(self, folder, bucket_size):
        self.files, self.bucket_size = sorted(list_of(folder)), bucket_size
    def __getitem__(self, place):
        return self.files[place:place + self.bucket_size]

loader = DataLoader(Sounds("sounds", bucket_size={size}), batch_size={each})
net = torch.nn.Linear(2, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(4):
    for batch in loader:
        net(batch).sum().backward()
        optimizer.step()
"""


@pytest.mark.parametrize(("size", "each", "batch"), [(16, 1, 16), (1, 1, 1), (16, 8, 8)])
def test_data_in_buckets_are_batches(read, size, each, batch):
    assert read({"fit.py": BUCKETS.format(size=size, each=each)}, "python fit.py").batch_size == batch
