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
        ("data/og_/train.json", ""),
        ("data/UK/train.json", "UK"),
        ("datasets/ibis/lmdb", "ibis"),
        ("/scratch/rooms/data/train/DCM", ""),
        ("/store/lst/heron_calls/encoder/", "heron_calls"),
        ("run/output/train.tf_record", ""),
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


@pytest.mark.parametrize(
    ("told", "name"),
    [
        ("datasets/data_sample", None),
        ("data-bin/new", None),
        ("data/moor_larks", "moor_larks"),
        ("reedlab/larks", "reedlab/larks"),
    ],
)
def test_a_path_in_the_programs_own_folder_for_data_is_no_name_of_a_hub(read, told, name):
    program = ROWS.replace("a.train_file", "a.dataset") + LOOP
    assert read({"fit.py": program}, f"python fit.py --dataset {told}").dataset_name == name


def test_what_lies_below_the_folder_of_results_was_written_by_the_program(read):
    program = ROWS.replace("a.train_file", "train_file").replace(
        "a = p.parse_args()",
        'p.add_argument("--output_dir")\na = p.parse_args()\ntrain_file = a.output_dir + "/moor_larks.csv"',
    )
    program += LOOP.replace("Rows(a)", "Rows(train_file)")
    assert read({"fit.py": program}, "python fit.py --output_dir /srv/reed/output/").dataset_name is None
