"""Where the trail of a field ended that stays open."""

import textwrap

import pytest

from schedmate.readers.code.open_reasons import EndKind
from schedmate.readers.code.reader import read_code
from schedmate.tools.repository import Repository

TRAIN = """
import os
import torch
model = torch.nn.Linear(2, 2).cuda()
optimizer = torch.optim.SGD(model.parameters(), lr=float(os.environ["LR"]))
for batch in range(9):
    model(batch).backward()
    optimizer.step()
"""


@pytest.fixture
def ends(tmp_path):
    def read_ends(files, command):
        for path, text in files.items():
            (tmp_path / path).write_text(textwrap.dedent(text))
        return read_code(Repository(tmp_path), command).ends

    return read_ends


def test_each_open_field_has_an_end_and_no_other(ends):
    found = ends({"train.py": TRAIN}, "python train.py")
    assert found["learning_rate"].ending == EndKind.HANGS_ON_RUN
    assert found["learning_rate"].spots[0].path == "train.py"
    assert found["dataset_name"].ending == EndKind.UNSAID
    assert "num_gpus" not in found
    assert "is_training" not in found


def test_what_is_not_here_ends_the_trail(ends):
    assert ends({}, "python gone.py")["batch_size"].ending == EndKind.NO_PROGRAM
    lost = ends({}, "axolotl train gone.yaml")["learning_rate"]
    assert lost.ending == EndKind.NO_CONFIGURATION
    assert "gone.yaml" in lost.what


def test_a_job_that_does_not_train_misses_nothing_of_training(ends):
    assert ends({"look.py": "print(1)\n"}, "python look.py")["optimizer"].ending == EndKind.NO_TRAINING


def test_a_launcher_that_waits_for_a_variable_says_so(ends):
    found = ends({"train.py": TRAIN}, "torchrun --nproc_per_node $GPUS train.py")
    assert (found["num_gpus"].ending, "GPUS" in found["num_gpus"].what) == (EndKind.HANGS_ON_RUN, True)
