"""Composing a Hydra configuration: groups, defaults lists, packages and overrides."""

import pytest

from schedmate.readers.code.adapters import new_run
from schedmate.readers.code.configs.hydra_composition import compose
from schedmate.readers.code.values.nested import plain
from schedmate.readers.code.values.value import COMMAND, SourceLocation, Value, is_unknown
from schedmate.tools.repository import Repository

FILES = {
    "conf/config.yaml": "defaults:\n  - optim: adam\n  - _self_\nepochs: 3\nname: run_${optim.lr}\n",
    "conf/optim/adam.yaml": "lr: 0.1\nbetas: [0.9, 0.99]\n",
    "conf/optim/sgd.yaml": "lr: 0.5\n",
    "conf/optim/slow.yaml": "defaults:\n  - adam\n  - _self_\nlr: 0.01\n",
    "conf/data/small.yaml": "# @package _global_\nbatch: 4\n",
    "conf/first.yaml": "defaults:\n  - _self_\n  - optim: adam\noptim:\n  lr: 9\n",
    "conf/optional.yaml": "defaults:\n  - optional optim: missing\nepochs: 1\n",
    "conf/placed.yaml": "defaults:\n  - optim@net.optim: sgd\n",
}


@pytest.fixture
def composed(write):
    def compose_words(name, words=""):
        run = new_run(Repository(write(FILES)), [])
        given = [Value(word, (SourceLocation(COMMAND, 1, word),)) for word in words.split()]
        return compose(run, ["conf"], name, given)

    return compose_words


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("", {"optim": {"lr": 0.1, "betas": [0.9, 0.99]}, "epochs": 3, "name": "run_0.1"}),
        ("optim=sgd", {"optim": {"lr": 0.5}, "epochs": 3, "name": "run_0.5"}),
        ("optim.lr=2", {"optim": {"lr": 2, "betas": [0.9, 0.99]}, "epochs": 3, "name": "run_2"}),
        ("optim=slow epochs=5", {"optim": {"lr": 0.01, "betas": [0.9, 0.99]}, "epochs": 5, "name": "run_0.01"}),
        ("+data=small", {"optim": {"lr": 0.1, "betas": [0.9, 0.99]}, "epochs": 3, "name": "run_0.1", "batch": 4}),
        ("~optim.betas +extra.a=1", {"optim": {"lr": 0.1}, "epochs": 3, "name": "run_0.1", "extra": {"a": 1}}),
        ("~optim", {"epochs": 3, "name": "unknown"}),
        ("~optim=adam", {"epochs": 3, "name": "unknown"}),
        ("~epochs=3 ~name", {"optim": {"lr": 0.1, "betas": [0.9, 0.99]}}),
        ("++epochs=[1,2]", {"optim": {"lr": 0.1, "betas": [0.9, 0.99]}, "epochs": [1, 2], "name": "run_0.1"}),
    ],
)
def test_words_choose_and_set(composed, words, expected):
    found = composed("config", words)
    found.data.update({name: Value("unknown") for name, value in found.data.items() if is_unknown(value)})
    assert plain(found) == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("first", {"optim": {"lr": 0.1, "betas": [0.9, 0.99]}}),
        ("optional", {"epochs": 1}),
        ("placed", {"net": {"optim": {"lr": 0.5}}}),
    ],
)
def test_the_defaults_list_orders_and_places(composed, name, expected):
    assert plain(composed(name)) == expected


def test_a_value_knows_its_file_or_the_command(composed):
    assert composed("config").data["optim"].data["lr"].src[0].path == "conf/optim/adam.yaml"
    assert composed("config", "optim.lr=2").data["optim"].data["lr"].src[0].quote == "optim.lr=2"


def test_a_name_that_no_file_has_gives_nothing(composed):
    assert composed("absent") is None
