"""Several data sets that one place goes over: all are named, or none; a class of data that is called otherwise."""

import pytest

FIT = """
import argparse
import numpy
import torch

p = argparse.ArgumentParser()
p.add_argument("--data_paths", nargs="+", default=[])
p.add_argument("--data_dir", default="data")
a = p.parse_args()
{lines}
net = torch.nn.Linear(8, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for epoch in range(3):
    net(torch.rand(4, 8)).sum().backward()
    optimizer.step()
"""
GO_OVER = """
for path in a.data_paths:
    rows = numpy.load(path)
"""


@pytest.mark.parametrize(
    ("paths", "name"),
    [
        (["d/electricity.npy", "d/exchange_rate.npy"], "Electricity + Exchange rate"),
        (["d/electricity.npy", "d/exchange_rate.npy", "d/herons-1.npy", "d/herons-2.npy"], "herons"),
        (["d/electricity-1.npy", "d/electricity-2.npy"], "Electricity"),
    ],
)
def test_a_list_of_known_sets_is_named_whole(read, paths, name):
    found = read({"fit.py": FIT.format(lines=GO_OVER)}, f"python fit.py --data_paths {' '.join(paths)}")
    assert name in (found.dataset_name or "")


def test_of_many_sets_none_names_the_whole(read):
    many = ["electricity", "exchange_rate", "herons", "larks", "moor_owls"]
    command = f"python fit.py --data_paths {' '.join(f'd/{one}.npy' for one in many)}"
    assert read({"fit.py": FIT.format(lines=GO_OVER)}, command).dataset_name is None


@pytest.mark.parametrize(
    ("folders", "name"),
    [
        (["IEMOCAP", "CREMA-D"], "IEMOCAP + CREMA-D"),
        (["IEMOCAP", "IEMOCAP"], "voices"),
        (["IEMOCAP", "CREMA-D", "herons", "larks", "moor_owls"], None),
    ],
)
def test_the_sets_in_a_folder_that_is_told(read, folders, name):
    lines = "".join(f'numpy.load(f"{{a.data_dir}}/{one}/all.npy")\n' for one in folders)
    assert read({"fit.py": FIT.format(lines=lines)}, "python fit.py --data_dir /sets/voices").dataset_name == name


ITERATOR = """
import mxnet as mx

class LongSentences(mx.io.DataIter):
    def __init__(self, path, data_name="data", label_name="label"):
        self.text = open(path).read()
        self.data_name = data_name
        self.label_name = label_name

data = LongSentences("./data/ptb.train.txt")
model = mx.model.FeedForward(symbol=mx.symbol.FullyConnected(num_hidden=4), num_epoch=3)
model.fit(X=data)
"""


def test_an_iterator_of_data_by_its_base_and_not_by_the_name_of_its_input(read):
    assert read({"fit.py": ITERATOR}, "python fit.py").dataset_name == "Penn Treebank"
    other = ITERATOR.replace("ptb", "all")
    assert read({"fit.py": other}, "python fit.py").dataset_name is None
