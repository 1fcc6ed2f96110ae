"""Parts of sets of unknown size, and sets whose samples are replaced: no steps are claimed of them."""

import pytest

TEXTS = """
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
    job = read({"train.py": TEXTS.format(data=data)}, "python train.py")
    assert (job.epochs, job.total_steps) == (10, steps)
    assert job.batch_size == (None if "batch_size_fn" in data else 50 if "Bucket" in data else 64)


@pytest.mark.parametrize(
    ("made", "name"),
    [
        ("torchaudio.datasets.SPEECHCOMMANDS('.', subset='training')", "_walker"),
        ("torchvision.datasets.VOCDetection('d', '2012', 'train')", "images"),
    ],
)
def test_samples_that_are_replaced(read, made, name):
    data = f"data = {made}\n{LOADED.format(data='data')}"
    assert read({"train.py": TEXTS.format(data=data)}, "python train.py").total_steps > 0
    replaced = (
        f"data = {made}\ndata.{name} = [one for one in data.{name} if 'yes' in one]\n{LOADED.format(data='data')}"
    )
    assert read({"train.py": TEXTS.format(data=replaced)}, "python train.py").total_steps is None
    own = f"""
class Mine({made.partition("(")[0]}):
    def __init__(self):
        super().__init__({made.partition("(")[2]}
        self.{name} = [one for one in self.{name} if "yes" in one]
{LOADED.format(data="Mine()")}
"""
    assert read({"train.py": TEXTS.format(data=own)}, "python train.py").total_steps is None
