"""How long a list is stays open, however it is passed on, where it got an item in each round of an unknown number."""

import pytest

PROGRAM = """
import copy, functools, itertools, torch
from torch.utils.data import DataLoader, Dataset

def in_rounds(names):
    kept = []
    for place, name in enumerate(names):
        kept.append(name)
    return kept

def in_front(names):
    kept = []
    for name in names:
        kept.insert(0, name)
    return kept

def doubled(names):
    names *= 2
    return names

def cleared(names):
    names.clear()
    names.extend(["a", "b", "c"])
    return names

class Pages(Dataset):
    def __init__(self, path):
        names = {start}
        for line in open(path).read().splitlines():
            names.append(line)
        self.names = {made}

    def __len__(self):
        return len(self.names)

    def __getitem__(self, place):
        return torch.zeros(4)

loader = DataLoader(Pages("pages.txt"), batch_size=1)
model = torch.nn.Linear(4, 4)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(50):
    for page in loader:
        model(page).sum().backward()
        optimizer.step()
"""
PASSED_ON = [
    "names", "list(names)", "tuple(names)", "sorted(names)", "list(reversed(names))", "list(enumerate(names))",
    "list(zip(names, names))", "list(map(str, names))", "list(filter(None, names))", "set(names)", "names.copy()",
    "copy.copy(names)", "copy.deepcopy(names)", "names[:]", "names[1:]", "names + names", "['a'] + names",
    "names * 2", "[*names]", "[*names, 'b']", "[name for place, name in enumerate(names)]", "dict(zip(names, names))",
    "functools.reduce(lambda a, b: a + b, [names, names])", "list(itertools.chain(names, names))",
    "in_rounds(names)", "in_front(names)", "doubled(names)",
]  # fmt: skip


@pytest.mark.parametrize("made", PASSED_ON)
def test_a_length_that_is_not_known_stays_so(read, made):
    found = read({"go.py": PROGRAM.format(start="[]", made=made)}, "python go.py")
    assert (found.epochs, found.total_steps) == (50, None)


@pytest.mark.parametrize(
    "made", ["list(zip('abc', 'abc'))", "list(map(str, 'abc'))", "cleared(names)", "[*('a', 'b', 'c')][:]"]
)
def test_a_length_that_is_known_is_counted(read, made):
    found = read({"go.py": PROGRAM.format(start="[]", made=made)}, "python go.py")
    assert found.total_steps == 150


LISTED = """
import torch
from torch.utils.data import DataLoader, Dataset

class Pages(Dataset):
    def __init__(self, path):
        self.names = open(path).readlines()

    def __len__(self):
        return len(self.names)

    def __getitem__(self, place):
        return torch.zeros(4)

model = torch.nn.Linear(4, 4)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(10):
    for page in DataLoader(Pages("lists/pages.txt"), batch_size=4):
        model(page).sum().backward()
        optimizer.step()
"""


@pytest.mark.parametrize(("lines", "steps"), [(2_000, 5_000), (9_000, 22_500)])
def test_a_list_of_samples_is_counted_by_its_lines(read, lines, steps):
    listed = "".join(f"page{number}\n" for number in range(lines))
    assert read({"go.py": LISTED, "lists/pages.txt": listed}, "python go.py").total_steps == steps


UNKNOWN_ROWS = """
import os
import torch
from torch.utils.data import DataLoader, Dataset

def rows_of(folder):
    rows = []
    for name in os.listdir(folder):
        rows.append([name, 1])
    return rows

class Rows(Dataset):
    def __init__(self):
        rows = []
        for folder in os.listdir("people"):
            {grow}
        self.rows = [(row, 0) for row in rows]

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, place):
        return self.rows[place]

net = torch.nn.Linear(4, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
loader = DataLoader(Rows(), batch_size=2, shuffle=True)
for epoch in range(9):
    for batch in loader:
        net(batch).sum().backward()
        optimizer.step()
"""


@pytest.mark.parametrize("grow", ["rows += rows_of(folder)", "rows.extend(rows_of(folder))"])
def test_steps_over_lists_that_grow_by_what_is_not_known_are_open(read, grow):
    job = read({"go.py": UNKNOWN_ROWS.format(grow=grow)}, "python go.py")
    assert (job.epochs, job.total_steps) == (9, None)


GATHERED = """
import torch

words = set()
words.update({given})
places = {{word: at for at, word in enumerate(words)}}
net = torch.nn.Linear(len(places), 10)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(9):
    net(step).sum().backward()
    optimizer.step()
"""


@pytest.mark.parametrize(("given", "size"), [("['a', 'b', 'a']", "30"), ("open('all.txt').read().split()", None)])
def test_a_set_that_gets_what_is_not_known_is_of_no_known_length(read, given, size):
    assert read({"go.py": GATHERED.format(given=given)}, "python go.py").param_size == size
