"""What scripts download, and functions that are named after what they read."""

import json

import pytest

from tests.readers.code.programs import FIT_BATCHES

PLAIN = FIT_BATCHES + "import numpy as np\nfit(0.1, 100, np.load('x.npy'))\n"


@pytest.mark.parametrize(
    ("lines", "name"),
    [
        ("kaggle datasets download -d someone/marsh-birds", "marsh-birds"),
        ("kaggle competitions download -c marsh-calls-2031", "marsh-calls-2031"),
        ("hf download someone/marsh-birds --repo-type dataset --local-dir x", "marsh-birds"),
        ("huggingface-cli download --repo-type dataset someone/marsh-birds", "marsh-birds"),
        ("huggingface-cli download someone/marsh-birds", None),
        ("wget https://there.org/~us/cifar-10-python.tar.gz", "CIFAR-10"),
        ("wget https://there.org/~us/marsh-birds.tar.gz", None),
        ("wget https://there.org/~us/cifar10_weights.pth", None),
        ("# wget https://there.org/~us/cifar-10-python.tar.gz", None),
        ("hf download --local-dir data/cifar10 --repo-type dataset someone/marsh-birds", "marsh-birds"),
        ("hf download --include 'a/*' 'b/*' --repo-type=dataset someone/marsh-birds", "marsh-birds"),
        ("hf download --repo-type dataset someone/marsh-birds --include 'a/*' 'b/*'", "marsh-birds"),
        ("hf download --cache-dir some/cifar10 --repo-type model someone/marsh-birds", None),
        ("kaggle datasets download -p data/cifar10 someone/marsh-birds --unzip", "marsh-birds"),
        ("kaggle datasets download -d someone/heron-checkpoints", None),
        ("printf 'first: kaggle competitions download -c marsh-calls\\n'", None),
        ("false && kaggle competitions download -c marsh-calls", None),
        ("if false; then\n  kaggle competitions download -c marsh-calls\nfi", None),
        ("[ -d data ] || kaggle competitions download -c marsh-calls", "marsh-calls"),
        ("bash -c 'kaggle competitions download -c marsh-calls'", "marsh-calls"),
        ("curl -e https://there.org/cifar-10 -O https://there.org/rows.tgz", None),
        ("cat <<END\nkaggle competitions download -c marsh-calls\nEND", None),
        ("wget https://there.org/cifar-10.tgz\nkaggle datasets download -d someone/marsh-birds", None),
    ],
)
def test_what_a_script_downloads_names_the_data_if_it_is_one_thing(read, lines, name):
    files = {"go.py": PLAIN, "go.sh": f"#!/bin/bash\n{lines}\npython go.py\n"}
    assert read(files, "bash go.sh").dataset_name == name


CODE, MARKDOWN = "code", "markdown"


@pytest.mark.parametrize(
    ("kind", "lines", "name"),
    [
        (CODE, ["!kaggle competitions download -c marsh-calls\n"], "marsh-calls"),
        (CODE, ["%%bash\n", "cd data\n", "kaggle competitions download -c marsh-calls\n"], "marsh-calls"),
        (CODE, ["# !kaggle competitions download -c marsh-calls\n"], None),
        (CODE, ["say = 'kaggle competitions download -c marsh-calls'\n"], None),
        (MARKDOWN, ["!kaggle competitions download -c marsh-calls\n"], None),
        (MARKDOWN, ["Once it was `kaggle competitions download -c marsh-calls`.\n"], None),
    ],
)
def test_of_a_notebook_only_what_its_cells_hand_to_a_shell_counts(read, kind, lines, name):
    told = [(kind, lines), (CODE, PLAIN.splitlines(keepends=True))]
    cells = [{"cell_type": one, "metadata": {}, "source": source, "outputs": []} for one, source in told]
    files = {"go.ipynb": json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 4}, indent=1)}
    assert read(files, "jupyter nbconvert --execute go.ipynb").dataset_name == name


NAMED = (
    FIT_BATCHES
    + """
import numpy as np
def NAME(path):
    return np.load(path)
fit(0.1, 100, NAME("x.npy"))
"""
)


@pytest.mark.parametrize(
    ("function", "name"),
    [
        ("load_cifar10_data", "CIFAR-10"),
        ("get_mnist", "MNIST"),
        ("load_heron_data", None),
        ("load_test_mnist", None),
        ("load_mnist_weights", None),
        ("drop_rows", None),
        ("load_drive_rows", None),
    ],
)
def test_a_function_that_reads_is_named_after_the_set(read, function, name):
    assert read({"go.py": NAMED.replace("NAME", function)}, "python go.py").dataset_name == name
