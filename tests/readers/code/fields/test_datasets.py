"""What names data, and what only says how they are stored."""

import pytest

TRAIN = """
import argparse
import torch

p = argparse.ArgumentParser()
p.add_argument("--dataset")
a = p.parse_args()
net = torch.nn.LSTM(2, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(40):
    net(a.dataset).sum().backward()
    optimizer.step()
"""


@pytest.mark.parametrize(("word", "name"), [("MMAP", None), ("webdataset", None), ("meadow-birds", "meadow-birds")])
def test_a_way_to_store_data_names_none(read, word, name):
    assert read({"fit.py": TRAIN}, f"python fit.py --dataset {word}").dataset_name == name
