"""Find an installed command among the repository's own entry points."""

import pytest

from tests.readers.code.programs import TORCH_HEAD, TORCH_LOOP

SETUP = """
import sys
from setuptools import find_packages, setup

def main():
    sys.path.insert(0, "thing/cli")
    from commands import console_scripts
    setup(name="thing", packages=find_packages(), entry_points={"console_scripts": console_scripts})

if __name__ == "__main__":
    main()
"""
COMMANDS = """
commands = {"thing-train": ("thing.cli.train", "start"), "thing-look": ("thing.cli.look", "start")}
console_scripts = [f"{name} = {module}:{function}" for name, (module, function) in commands.items()]
"""
TRAIN = (
    TORCH_HEAD
    + TORCH_LOOP
    + """
import argparse
try:
    from thing.private.options import add_options
except ImportError:
    def add_options(parser):
        parser.add_argument("--lr", type=float, default=0.5)

def start():
    parser = argparse.ArgumentParser()
    add_options(parser)
    train(parser.parse_args().lr, 8, 2)
"""
)
FILES = {
    "setup.py": SETUP,
    "thing/__init__.py": "",
    "thing/cli/commands.py": COMMANDS,
    "thing/cli/train.py": TRAIN,
    "thing/cli/look.py": "import torch\n\ndef start():\n    torch.load('x').eval()\n",
}


def test_a_list_of_commands_that_setup_works_out(read):
    job = read(FILES, "thing-train --lr 0.25")
    assert (job.is_training, job.learning_rate, job.batch_size, job.epochs) == (True, 0.25, 8, 2)
    assert read(FILES, "thing-look").is_training is False
    assert read(FILES, "thing-nothing").is_training is None


def test_a_setup_that_is_broken_or_endless_names_no_command(read):
    assert read({"setup.py": "console_scripts = (", "a.py": ""}, "thing-train").is_training is None
    endless = "console_scripts = []\ndef f():\n    return f()\nwhile True:\n    f()\n"
    assert read({"setup.py": endless}, "thing-train").is_training is None


LISTED = {
    "setup.py": "from setuptools import setup\nsetup(name='thing', scripts=['bin/thing-train', 'bin/thing-look'])\n",
    "bin/thing-train": "#!/usr/bin/env python\nfrom thing.loop import start\nstart()\n",
    "bin/thing-look": "#!/bin/sh\necho look\n",
    "thing/__init__.py": "",
    "thing/loop.py": TORCH_HEAD + TORCH_LOOP + "\ndef start():\n    train(0.25, 8, 2)\n",
}


def test_a_script_that_is_installed_under_its_own_name(read):
    job = read(LISTED, "thing-train")
    assert (job.is_training, job.learning_rate, job.batch_size, job.epochs) == (True, 0.25, 8, 2)
    assert read(LISTED, "thing-look").is_training is None


def test_a_script_that_pyproject_lists(read):
    files = {name: text for name, text in LISTED.items() if name != "setup.py"}
    listed = "[tool.setuptools]\nscript-files = [\n    'bin/thing-train',\n]\n"
    assert read({**files, "pyproject.toml": listed}, "thing-train").learning_rate == 0.25


def test_what_a_comment_lists_is_not_installed(read):
    setup = "from setuptools import setup\n# it was scripts=['old/thing-train']\nsetup(scripts=['bin/thing-train'])\n"
    old = "#!/usr/bin/env python\nfrom thing.loop import train\ntrain(0.75, 8, 2)\n"
    assert read({**LISTED, "setup.py": setup, "old/thing-train": old}, "thing-train").learning_rate == 0.25


@pytest.mark.parametrize("text", ["tool = 3", "[tool]\nsetuptools = []", "tool.setuptools.script-files = 'bin'", "[["])
def test_an_odd_pyproject_lists_nothing(read, text):
    files = {name: text for name, text in LISTED.items() if name != "setup.py"}
    assert read({**files, "pyproject.toml": text}, "thing-train").is_training is None
