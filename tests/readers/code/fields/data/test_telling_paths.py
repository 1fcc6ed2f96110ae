"""Parts of paths that say only what role, form, number or quantity some data have, and name no set."""

import pytest

from schedmate.readers.code.fields.data.telling_paths import telling_part

LOOP = """
net = torch.nn.Linear(8, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for rows in torch.utils.data.DataLoader(Rows(a)):
    net(rows).sum().backward()
    optimizer.step()
"""
ROWS = """
import argparse
import torch
import pandas

class Rows(torch.utils.data.Dataset):
    def __init__(self, a):
        self.rows = pandas.read_csv(a.train_file)

p = argparse.ArgumentParser()
p.add_argument("--train_file", default="")
p.add_argument("--dataset", default=None)
a = p.parse_args()
"""


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("/store/people/mt/tmpdata/train_tgt_tok.en", ""),
        ("./data/corpus.shuf.train.tok.bpe", ""),
        ("/srv/mt/data/marsh_data/corpus/train_tgt_en_joint_bpe_22000_filtered.txt", "marsh_data"),
        ("data/raw/heron_nests/xrays", "heron_nests"),
        ("./data/heron/data2_process.csv", "heron"),
        ("data/displacements.csv", ""),
        ("data/velocity_pressure.npy", ""),
        ("data/river_temperature.csv", "river_temperature"),
        ("data/heron_tok", "heron_tok"),
        ("/data/dataset3/herons.csv", "herons"),
    ],
)
def test_roles_formats_numbers_and_quantities_say_nothing(path, name):
    assert telling_part(path) == name


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("--train_file tmpdata/train_tgt.txt", None),
        ("--train_file data/heron_nests/train_tgt.txt", "heron_nests"),
        ("--dataset data", None),
        ("--dataset label", None),
        ("--dataset RNNData", None),
        ("--dataset GNNDataset", None),
        ("--dataset HeronData", "HeronData"),
        ("--dataset sets/herons/0.1/valid.pickle", None),
        ("--dataset sets/herons/nests.pickle", "nests"),
        ("--dataset lab/nests", "lab/nests"),
    ],
)
def test_options_of_data_that_name_a_role_a_reader_or_a_part(read, words, name):
    assert read({"fit.py": ROWS + LOOP}, f"python fit.py {words}").dataset_name == name
