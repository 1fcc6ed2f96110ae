"""Letters of proteins and genes, and the files they lie in, are no texts and no pictures."""

import pytest

from schedmate.readers.code.fields.tasks.living_sequences import alphabet_of

LEARNS = """
import torch
from torch import nn
{head}

class Warbler(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(21, 2)

net = Warbler()
optimizer = torch.optim.Adam(net.parameters(), lr=0.001)
for step in range(5):
    {loss}(net(step), step).backward()
    optimizer.step()
"""
LIST = "LETTERS = ['A', 'R', 'N', 'D', 'C', 'Q', 'E', 'G', 'H', 'I', 'L', 'K', 'M', 'F', 'P', 'S', 'T', 'W', 'Y', 'V']"
SCORE = "from sklearn.metrics import roc_auc_score\nroc_auc_score([0, 1], [0, 1])\n"


@pytest.mark.parametrize(
    ("head", "loss", "task", "fine"),
    [
        ("LETTERS = 'ACDEFGHIKLMNPQRSTVWYX'", "nn.MSELoss()", "other", "protein sequence modeling"),
        (LIST, "nn.CrossEntropyLoss()", "other", None),
        (SCORE + LIST, "nn.CrossEntropyLoss()", "other", "protein classification"),
        ("CODES = {'A': 0, 'C': 1, 'G': 2, 'T': 3}", "nn.MSELoss()", "other", "genomic sequence modeling"),
        ("from Bio import SeqIO\nrows = list(SeqIO.parse('river.txt', 'fasta'))", "nn.MSELoss()", "other", None),
        ("LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'", "nn.MSELoss()", None, None),
        ("NAMES = ['A', 'B', 'C', 'D', 'G']", "nn.MSELoss()", None, None),
        ("from torch_geometric.data import Data\n" + LIST, "nn.MSELoss()", "graph", None),
    ],
)
def test_letters_of_living_things_tell_what_is_learned(read, head, loss, task, fine):
    job = read({"go.py": LEARNS.format(head=head, loss=loss)}, "python go.py")
    assert (job.task, job.task_fine) == (task, fine)


def test_a_file_of_sequences_that_the_command_names_tells_it(read):
    code = "import argparse\nparser = argparse.ArgumentParser()\nparser.add_argument('--reads')\nparser.parse_args()"
    job = read({"go.py": code + LEARNS.format(head="", loss="nn.MSELoss()")}, "python go.py --reads pool.fasta")
    assert job.task == "other"


def test_letters_that_are_named_often_are_no_alphabet():
    assert alphabet_of("ACGTACGTACGTACGTACGTACGT") is None
    assert alphabet_of("ACGTN") == "genomic"
