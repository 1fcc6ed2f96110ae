"""Epochs over sets that libraries name, over what a class chooses of them, over what engines are handed."""

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


DIGITS = """
import tensorflow as tf
from tensorflow.examples.tutorials.mnist import input_data
mnist = input_data.read_data_sets("here", one_hot=True{more})
x = tf.placeholder(tf.float32, [None, 784])
step = tf.train.AdamOptimizer(0.5).minimize(tf.reduce_mean(x))
session = tf.Session()
for epoch in range(3):
    for i in range(int(mnist.train.num_examples / 100)):
        rows, labels = mnist.train.next_batch(100)
        session.run(step, feed_dict={{x: rows}})
"""


@pytest.mark.parametrize(
    ("more", "steps"), [("", 1650), (", validation_size=0", 1800), (", validation_size=kept()", None)]
)
def test_digits_of_old_tutorials_are_counted(read, more, steps):
    job = read({"train.py": DIGITS.format(more=more)}, "python train.py")
    assert (job.dataset_name, job.batch_size, job.epochs, job.total_steps) == ("MNIST", 100, 3, steps)


@pytest.mark.parametrize(
    ("folder", "more", "name"),
    [("data/fashion", "", None), ("notMNIST_data", "", None), ("/tmp/digits", "", "MNIST"),
     ("here", ", source_url=place()", None)],
)  # fmt: skip
def test_sets_of_the_form_of_the_digits_are_not_the_digits(read, folder, more, name):
    code = DIGITS.format(more=more).replace('"here"', f'"{folder}"')
    assert read({"train.py": code}, "python train.py").dataset_name == name


LIKE_TORCHVISION = """
import numpy as np
import torch
from torchvision.datasets import CIFAR10
class Some(CIFAR10):
    def __init__(self, root, places):
        super().__init__(root, train=True)
        {kept}
loader = torch.utils.data.DataLoader(Some("here", chosen()), batch_size=100)
other = torch.utils.data.DataLoader(CIFAR10("there", train=False), batch_size=50)
unknown = torch.utils.data.DataLoader(rows(), batch_size=50)
net = torch.nn.Linear(2, 2)
sgd = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(2):
    for batch in {items}:
        net(batch).sum().backward()
        sgd.step()
"""


@pytest.mark.parametrize(
    ("kept", "items", "steps"),
    [
        ("self.places = places", "loader", 1000),
        ("self.data = self.data[places]", "loader", None),
        ("self.data = np.zeros((700, 3))", "loader", 14),
        ("self.places = places", "zip(loader, other)", 400),
        ("self.places = places", "zip(other, loader)", 400),
        ("self.places = places", "zip(loader, unknown)", None),
        ("self.places = places", "zip(loader, itertools.cycle(other))", 1000),
    ],
)
def test_samples_that_a_class_chooses_itself_are_not_those_of_the_library(read, kept, items, steps):
    code = "import itertools\n" + LIKE_TORCHVISION.format(kept=kept, items=items)
    job = read({"go.py": code}, "python go.py")
    assert (job.epochs, job.total_steps) == (2, steps)


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


@pytest.mark.parametrize(("told", "steps"), [("", 250), ("epoch_length=7", 35), ("epoch_length=some()", None)])
def test_an_engine_of_ignite_runs_over_a_loader(read, told, steps):
    code = f"""
import torch
from ignite.engine import create_supervised_trainer
from torchvision.datasets import CIFAR10
loader = torch.utils.data.DataLoader(CIFAR10("here", train=True), batch_size=1000)
net = torch.nn.Linear(2, 2)
engine = create_supervised_trainer(net, torch.optim.SGD(net.parameters(), lr=0.1), torch.nn.NLLLoss())
engine.run(loader, max_epochs=5, {told.lstrip(", ")})
"""
    job = read({"go.py": code}, "python go.py")
    assert (job.epochs, job.total_steps) == (5, steps)


@pytest.mark.parametrize(
    ("work", "steps"),
    [
        ("paddle.Model(net).fit(data, epochs=5, batch_size=64)", 5 * 938),
        (
            "loader = paddle.io.DataLoader(data, batch_size=100)\nfor epoch in range(5):\n"
            "    for x, y in loader():\n        net(x).backward()\n        best.step()",
            3000,
        ),
    ],
)
def test_paddle_goes_over_its_own_sets(read, work, steps):
    code = f"""
import paddle
net = paddle.nn.Linear(2, 2)
best = paddle.optimizer.Adam(parameters=net.parameters())
data = paddle.vision.datasets.MNIST(mode="train")
{work}
"""
    job = read({"go.py": code}, "python go.py")
    assert (job.epochs, job.total_steps) == (5, steps)
