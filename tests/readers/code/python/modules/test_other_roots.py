"""Packages in another folder of the repository are found where only one folder holds them."""

import pytest

from tests.readers.code.programs import FIT_STEPS

PROGRAM = """
from nets.waves import RATE
from rowing import fit
import torch
net = torch.nn.LSTM(2, 2)
fit(net, torch.optim.Adam(net.parameters(), lr=RATE), 5, iter([]))
"""
FILES = {
    "scripts/go.py": PROGRAM,
    "lib/python/nets/waves.py": "RATE = 0.25\n",
    "lib/python/rowing/__init__.py": FIT_STEPS,
}


def test_what_only_one_folder_holds_is_found(read):
    job = read(FILES, "python go.py", "scripts")
    assert (job.is_training, job.learning_rate, job.total_steps) == (True, 0.25, 5)


@pytest.mark.parametrize(
    "more",
    [
        {"other/nets/waves.py": "RATE = 0.5\n"},
        {"requirements.txt": "torch\nnets>=2\n"},
        {"lib/python/__init__.py": ""},
    ],
)
def test_what_may_be_another_one_is_not(read, more):
    assert read({**FILES, **more}, "python go.py", "scripts").learning_rate is None


def test_examples_are_on_nobodys_path(read):
    moved = {name.replace("lib/python", "examples/one"): text for name, text in FILES.items()}
    assert read(moved, "python go.py", "scripts").learning_rate is None


@pytest.mark.parametrize("root", ["third_party/other", "helpers/one"])
def test_a_package_of_another_project_or_of_a_folder_that_nothing_puts_on_the_path_is_not_taken(read, root):
    moved = {name.replace("lib/python", root): text for name, text in FILES.items()}
    assert read(moved, "python go.py", "scripts").learning_rate is None


def test_a_folder_that_is_installed_is_on_the_path(read):
    moved = {name.replace("lib/python", "helpers/one"): text for name, text in FILES.items()}
    made = {"helpers/one/setup.py": "from setuptools import setup\nsetup(name='one')\n"}
    assert read({**moved, **made}, "python go.py", "scripts").learning_rate == 0.25
