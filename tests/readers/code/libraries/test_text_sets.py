"""Sets of torchtext and its iterators: how many samples each split has, and each part that is cut from one."""

import pytest

TEXTS = """
import torch
import torchtext
from torchtext{place} import data, datasets
from torchtext.datasets import AG_NEWS
{rows}
model = torch.nn.LSTM(2, 2)
optimizer = torch.optim.Adam(model.parameters())
for epoch in range(2):
    for batch in loader:
        optimizer.zero_grad()
        model(batch).sum().backward()
        optimizer.step()
"""


@pytest.mark.parametrize(
    ("rows", "count"),
    [
        (
            "train, test = datasets.IMDB.splits(TEXT, LABEL)\n"
            "loader, other = data.BucketIterator.splits((train, test), batch_size=64)",
            782,
        ),
        (
            "train, test = datasets.IMDB.splits(TEXT, LABEL)\ntrain, kept = train.split()\n"
            "loader, other = data.BucketIterator.splits((train, kept), batch_sizes=(64, 64))",
            548,
        ),
        (
            "train, valid, test = datasets.Multi30k.splits(exts=('.de', '.en'), fields=(a, b))\n"
            "loader = data.BucketIterator(train, batch_size=128)",
            454,
        ),
        ("train, test = datasets.SST.splits(T, L, fine_grained=True)\nloader = data.Iterator(train, 64)", None),
        ("train, test = mine.IMDB.splits(T, L)\nloader = data.BucketIterator(train, batch_size=64)", None),
        ("loader = torch.utils.data.DataLoader(list(AG_NEWS(split='train')), batch_size=100)", 2400),
        ("loader = torch.utils.data.DataLoader(list(AG_NEWS(split=asked)), batch_size=100)", None),
        ("train, test = AG_NEWS()\nloader = torch.utils.data.DataLoader(list(test), batch_size=100)", 152),
    ],
)
@pytest.mark.parametrize("place", ["", ".legacy"])
def test_sets_of_texts_are_counted_by_their_splits(read, place, rows, count):
    job = read({"train.py": TEXTS.format(place=place, rows=rows)}, "python train.py")
    assert (job.epochs, job.total_steps) == (2, count)


PARTS_OF_TEXTS = """
import json
import torch
from torch.utils.data import DataLoader, Subset, SubsetRandomSampler
from torchtext.data import BucketIterator, Field
from torchtext.data.functional import to_map_style_dataset
from torchtext.datasets import AG_NEWS, IMDB, Multi30k
import torchaudio
import torchvision
net = torch.nn.EmbeddingBag(1000, 64)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
{data}
for epoch in range(10):
    for x, y in loader:
        optimizer.zero_grad()
        net(x).sum().backward()
        optimizer.step()
"""
LOADED = "loader = DataLoader({data}, batch_size=64)"
CUT = "a, b = IMDB.splits(Field(), Field())\nloader = BucketIterator(a, batch_size=50{more})"


@pytest.mark.parametrize(
    ("data", "steps"),
    [
        (LOADED.format(data="to_map_style_dataset(AG_NEWS('.data', 'train'))"), 18750),
        (LOADED.format(data="Subset(to_map_style_dataset(AG_NEWS(split='train')), json.load(open('no')))"), None),
        (LOADED.format(data="[one for one in IMDB(split='train') if one[0] == 'pos']"), None),
        (CUT.format(more=""), 5000),
        (CUT.format(more=", repeat=True"), None),
        (CUT.format(more=", batch_size_fn=lambda new, count, so_far: so_far + len(new)"), None),
    ],
)
def test_parts_of_texts(read, data, steps):
    job = read({"train.py": PARTS_OF_TEXTS.format(data=data)}, "python train.py")
    assert (job.epochs, job.total_steps) == (10, steps)
    assert job.batch_size == (None if "batch_size_fn" in data else 50 if "Bucket" in data else 64)
