"""Samples keep their number on their way into training: as columns, slices, drawn places, scaled and joined arrays."""

import pytest

TORCH = """
import random
import numpy as np
import pandas as pd
import torch
from sklearn.datasets import make_moons
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler
from torch.utils.data import DataLoader, Subset, SubsetRandomSampler, TensorDataset, WeightedRandomSampler
import torchaudio
import paddle
from torchvision import datasets
from torchvision.datasets import MNIST, STL10, SVHN, EuroSAT, OxfordIIITPet

net = torch.nn.Linear(3, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
table = pd.read_csv("wells.csv")
digits = MNIST("here")
{data}
for epoch in range(4):
    for batch in loader:
        optimizer.zero_grad()
        net(batch).sum().backward()
        optimizer.step()
"""
WELLS = "depth,flow,clay,dry\n" + "1,2,3,0\n" * 200


def steps(read, data):
    return read({"train.py": TORCH.format(data=data), "wells.csv": WELLS}, "python train.py").total_steps


@pytest.mark.parametrize(
    ("data", "count"),
    [
        ("loader = DataLoader(TensorDataset(torch.tensor(table['dry'].values)), batch_size=10)", 80),
        ("loader = DataLoader(TensorDataset(torch.tensor(table[['depth', 'flow']].values)), batch_size=10)", 80),
        ("loader = DataLoader(torch.tensor(table.drop('dry', axis=1).values), batch_size=10)", 80),
        ("loader = DataLoader(torch.tensor(table.drop(columns=['dry']).values), batch_size=10)", 80),
        ("loader = DataLoader(torch.tensor(table.iloc[:50, :-1].values), batch_size=10)", 20),
        (
            "a, b = train_test_split(table.iloc[:, :-1].values, test_size=0.2)\n"
            "loader = DataLoader(torch.FloatTensor(StandardScaler().fit_transform(a)), batch_size=10)",
            64,
        ),
        ("loader = DataLoader(torch.tensor(np.concatenate([table.values, table.values])), batch_size=10)", 160),
        ("loader = DataLoader(TensorDataset(digits.data[:500], digits.targets[:500]), batch_size=10)", 200),
        ("loader = DataLoader(Subset(digits, np.random.choice(len(digits), 500, replace=False)), batch_size=10)", 200),
        ("loader = DataLoader(Subset(digits, random.sample(range(60000), 500)), batch_size=10)", 200),
        ("some = np.random.permutation(200)[:30]\nloader = DataLoader(table.values[some], batch_size=10)", 12),
        ("loader = DataLoader(digits, batch_size=10, sampler=SubsetRandomSampler(range(500)))", 200),
        ("loader = DataLoader(STL10('here', 'test'), batch_size=100)", 320),
        ("loader = DataLoader(SVHN('here', split='train'), batch_size=1000)", 296),
        ("loader = DataLoader(OxfordIIITPet('here', download=True), batch_size=10)", 1472),
        ("loader = DataLoader(EuroSAT('here'), batch_size=1000)", 108),
        ("loader = DataLoader(datasets.VOCDetection('here', '2007', 'trainval'), batch_size=100)", 204),
        ("loader = DataLoader(datasets.VOCSegmentation('here', image_set='train'), batch_size=100)", 60),
        ("loader = DataLoader(datasets.VOCSegmentation('here', image_set=asked), batch_size=100)", None),
        ("loader = DataLoader(datasets.EMNIST('here', split='letters', train=True), batch_size=100)", 4992),
        ("loader = DataLoader(datasets.EMNIST('here', 'digits', train=False), batch_size=100)", 1600),
        ("loader = DataLoader(datasets.Omniglot('here'), batch_size=100)", 772),
        ("loader = DataLoader(datasets.FakeData(), batch_size=100)", 40),
        ("loader = DataLoader(datasets.FakeData(size=500), batch_size=100)", 20),
        ("loader = DataLoader(datasets.FakeData(size=asked), batch_size=100)", None),
        ("loader = DataLoader(torchaudio.datasets.SPEECHCOMMANDS('here', subset='training'), batch_size=1000)", 340),
        ("loader = DataLoader(paddle.vision.datasets.Cifar10(mode='test'), batch_size=1000)", 40),
        ("loader = DataLoader(list(open_rows()), batch_size=10)", None),
        ("loader = DataLoader(list(digits), batch_size=100)", 2400),
        ("x, y = make_moons(n_samples=500)\nloader = DataLoader(TensorDataset(torch.tensor(x)), batch_size=10)", 200),
        ("x, y = make_moons()\nloader = DataLoader(TensorDataset(torch.tensor(x)), batch_size=10)", 40),
        (
            "x, y = make_moons(n_samples=(5, 9))\nloader = DataLoader(TensorDataset(torch.tensor(x)), batch_size=2)",
            None,
        ),
        ("loader = DataLoader(range(torch.tensor(table.values).size(0)), batch_size=10)", 80),
        ("loader = DataLoader(mine.vision.datasets.Cifar10(mode='test'), batch_size=1000)", None),
        ("digits.data = digits.data[:1000]\nloader = DataLoader(digits, batch_size=10)", 400),
        (
            "some = torch.randperm(200)[:30].long()\nloader = DataLoader(digits.data[some], batch_size=10)",
            12,
        ),
        ("loader = DataLoader(digits, batch_size=10, sampler=WeightedRandomSampler(np.ones(60000), 700))", 280),
    ],
)
def test_samples_are_counted_on_their_way(read, data, count):
    assert steps(read, data) == count


@pytest.mark.parametrize(
    "data",
    [
        "loader = DataLoader(torch.tensor(table[table['dry'] > 0].values), batch_size=10)",
        "loader = DataLoader(torch.tensor(table.drop([4, 5]).values), batch_size=10)",
        "loader = DataLoader(torch.tensor(table.dropna().values), batch_size=10)",
        "loader = DataLoader(torch.tensor(np.concatenate([table.values, other], axis=1)), batch_size=10)",
        "loader = DataLoader(table.values[np.zeros(200, dtype=bool)], batch_size=10)",
        "loader = DataLoader(table.values[table['dry'].astype(bool)], batch_size=10)",
        "loader = DataLoader(table.values[table['dry']], batch_size=10)",
        "loader = DataLoader(table.values[(table['dry'] > 0).to_numpy()], batch_size=10)",
        "loader = DataLoader(table.values[np.random.choice(2, 200).astype(bool)], batch_size=10)",
        "wet = table.loc[table['dry'] > 0]\nloader = DataLoader(wet.iloc[:, 1:].values, batch_size=10)",
        "wet = table.loc[table['dry'] > 0].copy()\nloader = DataLoader(wet[['flow']].values, batch_size=10)",
        "loader = DataLoader(table.loc[20:80].values, batch_size=10)",
        "parts = []\nfor path in all_paths():\n    parts.append(pd.read_csv('wells.csv'))\n"
        "loader = DataLoader(pd.concat(parts).values, batch_size=10)",
        "loader = DataLoader(STL10('here', 'train', folds=1), batch_size=100)",
        "loader = DataLoader(pd.read_csv('wells.csv', comment='1').values, batch_size=10)",
    ],
)
def test_rows_that_are_chosen_by_what_they_hold_are_not_counted(read, data):
    assert steps(read, data) is None


def test_an_epoch_of_phases_has_the_steps_of_the_one_that_trains(read):
    code = TORCH.format(data="").replace(
        "    for batch in loader:", "    for phase in ['train', 'val']:\n     for batch in both[phase]:"
    )
    made = "both = {p: DataLoader(MNIST('x', train=p == 'train'), batch_size=50) for p in ['train', 'val']}\n"
    assert read({"train.py": code.replace("for epoch", made + "for epoch", 1)}, "python train.py").total_steps == 4800


def test_ranges_that_count_in_batches_are_steps(read):
    code = """
import numpy as np
import torch

places = np.loadtxt("places.txt")
net = torch.nn.Linear(2, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(5):
    for start in range(0, len(places), 8):
        optimizer.zero_grad()
        net(torch.tensor(places[start : start + 8])).sum().backward()
        optimizer.step()
"""
    job = read({"train.py": code, "places.txt": "# x y\n" + "1 2\n" * 60}, "python train.py")
    assert (job.epochs, job.total_steps) == (5, 40)


TAPE = """
import tensorflow as tf

(x, y), _ = tf.keras.datasets.mnist.load_data()
stream = tf.data.Dataset.from_tensor_slices((x[..., None], y)).shuffle(100).batch(100{more})
net = tf.keras.Sequential([tf.keras.layers.Flatten(), tf.keras.layers.Dense(10)])
optimizer = tf.keras.optimizers.Adam()
for epoch in range(2):
    for step, (a, b) in enumerate(stream):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(net(a) - b)
        optimizer.apply_gradients(zip(tape.gradient(loss, net.trainable_variables), net.trainable_variables))
"""


@pytest.mark.parametrize(("more", "count"), [("", 1200), (").repeat(", None)])
def test_a_tape_over_a_stream_takes_each_batch_once(read, more, count):
    assert read({"train.py": TAPE.format(more=more)}, "python train.py").total_steps == count


@pytest.mark.parametrize(
    ("head", "count"), [("", 40), (", header=None", 41), (", names=['a', 'b']", 41), (", header=3", None)]
)
def test_tables_without_a_head_have_one_row_more(read, head, count):
    code = """
import pandas as pd
from tensorflow import keras

rows = pd.read_csv("tides.csv"{head})
net = keras.Sequential([keras.layers.Dense(1, input_dim=1)])
net.compile("adam", "mse")
net.fit(rows.iloc[:, 0], rows.iloc[:, 1], epochs=1, batch_size=1)
"""
    job = read({"fit.py": code.format(head=head), "tides.csv": "1,2\n" * 41}, "python fit.py")
    assert job.total_steps == count


FILLED = """
import glob, torch
from torch.utils.data import DataLoader

shots = {{}}
for path in glob.glob("shots/*.tif"):
    shots[path] = torch.load(path)
data = {data}
loader = DataLoader(data, batch_size=1)
net = torch.nn.Linear(4, 2)
optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)
for epoch in range(50):
    for batch in loader:
        net(batch).sum().backward()
        optimizer.step()
"""


@pytest.mark.parametrize(
    "data",
    [
        "list(shots.keys())",
        "[shots[key] for key in sorted(shots.keys())]",
        "[shot * 2 for _, shot in shots.items()]",
        "list({key: shot for key, shot in shots.items()}.values())",
    ],
)
def test_what_a_mapping_holds_that_was_filled_in_a_loop_of_unknown_rounds_is_not_counted(read, data):
    job = read({"train.py": FILLED.format(data=data)}, "python train.py")
    assert (job.epochs, job.total_steps) == (50, None)


@pytest.mark.parametrize(
    ("asked", "count"),
    [
        ('split=["train", "test"], batch_size=-1, as_supervised=True', 40 * 30),
        ('split=["train[:40%]", "test"], batch_size=-1, as_supervised=True', None),
        ('split=["train", "test"], batch_size=-1', None),
    ],
)
def test_a_set_that_is_loaded_in_one_batch_is_arrays(read, asked, count):
    code = """
import tensorflow_datasets as tfds
from tensorflow import keras

kept, held = tfds.load(name="imdb_reviews", {asked})
texts, marks = tfds.as_numpy(kept)
net = keras.Sequential([keras.layers.Dense(1, input_dim=1)])
net.compile("adam", "mse")
net.fit(texts[10000:], marks[10000:], epochs=40, batch_size=512, validation_data=(texts[:10000], marks[:10000]))
"""
    job = read({"fit.py": code.replace("{asked}", asked)}, "python fit.py")
    assert job.total_steps == count


LINES = """
import torch
class Listed(torch.utils.data.Dataset):
    def __init__(self):
        self.rows = {rows}
    def __len__(self):
        return len(self.rows)
net = torch.nn.Linear(3, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(4):
    for batch in torch.utils.data.DataLoader(Listed(), batch_size=10):
        net(batch).sum().backward()
        optimizer.step()
"""


@pytest.mark.parametrize("many", [90, 30_000])
@pytest.mark.parametrize(
    "rows",
    [
        "open('train.txt').readlines()",
        "open('train.txt').read().splitlines()",
        "open('train.txt').read().strip().split('\\n')",
        "[line.strip() for line in open('train.txt').readlines()]",
    ],
)
def test_a_list_of_samples_may_be_long(read, rows, many):
    job = read({"go.py": LINES.format(rows=rows), "train.txt": "here/picture.png 7\n" * many}, "python go.py")
    assert job.total_steps == 4 * many // 10
