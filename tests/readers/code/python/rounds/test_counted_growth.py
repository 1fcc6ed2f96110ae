"""Lists that a loop fills: counted where each round surely appends one item, and open where it may not."""

import pytest

PROGRAM = """
import torch
from torch.utils.data import DataLoader, Dataset

class Pages(Dataset):
    def __init__(self, path):
        self.names = []
        {filled}

    def add(self, name):
        self.names.append(name)

    def __len__(self):
        return len(self.names)

    def __getitem__(self, place):
        return torch.zeros(4)

def shorten(names):
    while len(names) > 10:
        names.pop()

model = torch.nn.Linear(4, 4)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(10):
    for page in DataLoader(Pages("lists/pages.txt"), batch_size=4):
        model(page).sum().backward()
        optimizer.step()
"""
EACH = "for line in open(path):\n            self.names.append(line)"


@pytest.mark.parametrize(
    ("filled", "steps"),
    [
        (EACH, 5_000),
        (
            "for line in open(path).readlines():\n            name = line.strip()\n            self.names.append(name)",
            5_000,
        ),
        ("for place, line in enumerate(open(path).readlines()):\n            self.names.append(line)", 5_000),
        ("for place in range(2_000):\n            self.names.append(place)", 5_000),
        ("for line in open(path):\n            if line:\n                self.names.append(line)", None),
        (EACH.replace("self", "if not line:\n                continue\n            self"), None),
        (f"{EACH}\n            self.names.append(line)", None),
        (f"{EACH}\n            self.names = self.names[1:]", None),
        (f"{EACH}\n            self.names += [line]", None),
        (f"{EACH}\n            self.add(line)", None),
        (f"{EACH}\n        self.names.append('more')", None),
        (f"{EACH}\n        self.names.pop()", None),
        (f"{EACH}\n        self.names.remove('page1 ')", None),
        (f"{EACH}\n        del self.names[0]", None),
        (f"{EACH}\n        self.names = self.names[:100]", None),
        (f"{EACH}\n        self.names[100:] = []", None),
        (f"{EACH}\n        self.names.remove(unknown())", None),
        (f"{EACH}\n            shorten(self.names)", None),
        (f"{EACH}\n            unknown(len(self.names))", 5_000),
        (f"{EACH}\n        {EACH}", 10_000),
        (f"{EACH}\n        self.names.append('more')\n        {EACH}", None),
        ("while unknown():\n            for line in open(path):\n                self.names.append(line)", None),
    ],
)
def test_a_list_is_as_long_as_what_fills_it(read, filled, steps):
    listed = "".join(f"page{number} \n" for number in range(2_000))
    files = {"go.py": PROGRAM.format(filled=filled), "lists/pages.txt": listed}
    assert read(files, "python go.py").total_steps == steps


GROWN = """
import json
import torch

def read(path):
    rows = []
    for entry in json.load(open(path))["rows"]:
        rows.append(entry)
    return rows

rows = read("elsewhere.json")
fixed = []
for size in (4, 4, 4):
    fixed.append(torch.nn.Linear(size, size))
net = torch.nn.Sequential(*fixed)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range({bound}):
    net(torch.ones(4)).sum().backward()
    optimizer.step()
"""


@pytest.mark.parametrize(
    ("bound", "steps"),
    [("len(rows)", None), ("len(list(rows))", None), ("len([row for row in rows])", None), ("len(fixed) * 30", 90)],
)
def test_how_long_a_list_is_that_grows_with_the_data_is_not_known(read, bound, steps):
    assert read({"fit.py": GROWN.format(bound=bound)}, "python fit.py").total_steps == steps
