"""fire and its kin alone: functions whose parameters are the options."""

import pytest

from tests.readers.code.programs import FIT_BATCHES

HEAD = "def main(data='a', lr=0.1, amp=False, dims=(1, 2)):\n    global x\n    x = [data, lr, amp, dims]\n"


@pytest.mark.parametrize("start", ["import fire\nfire.Fire(main)", "from jsonargparse import CLI\nCLI(main)"])
@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("", ["a", 0.1, False, (1, 2)]),
        ("--lr 0.5", ["a", 0.5, False, (1, 2)]),
        ("--lr=0.5 --amp", ["a", 0.5, True, (1, 2)]),
        ("--data b --lr=3e-4", ["b", 3e-4, False, (1, 2)]),
    ],
)
def test_parameters_are_options(outcome, start, words, expected):
    assert outcome(f"{HEAD}{start}\n", words) == expected


def test_fire_takes_words_in_the_order_of_the_parameters(outcome):
    assert outcome(f"{HEAD}import fire\nfire.Fire(main)\n", "cifar 0.5")[:2] == ["cifar", 0.5]


def test_fire_picks_a_method_and_its_arguments(outcome):
    text = (
        "import fire\nclass Jobs:\n    def fit(self, lr=0.1):\n        global x\n        x = lr\n"
        "    def test(self):\n        global x\n        x = 'test'\nfire.Fire(Jobs)\n"
    )
    assert outcome(text, "fit --lr=0.5") == 0.5


def test_fire_picks_from_a_mapping_of_functions(outcome):
    text = f"{HEAD}import fire\nfire.Fire({{'train': main}})\n"
    assert outcome(text, "train --lr 0.5")[1] == 0.5


def test_fastcores_decorator_calls_what_it_decorates(read):
    code = FIT_BATCHES + (
        "from fastcore.script import call_parse\n"
        "@call_parse\ndef main(lr=0.1, batch_size=8, epochs=1):\n    fit(lr, epochs, batch=batch_size)\n"
    )
    assert read({"train.py": code}, "python train.py --lr 0.3 --batch_size 5").batch_size == 5
    assert read({"train.py": code, "other.py": "import train\n"}, "python other.py").is_training is False


KINDS = "from enum import Enum\nclass Start(Enum):\n    FRESH = 'new'\n    SAVED = 'old'\n\n"


@pytest.mark.parametrize("annotation", ["Start", "'Start'", "Start | None"])
@pytest.mark.parametrize(("words", "expected"), [("SAVED", "old"), ("old", "old"), ("FRESH", "new"), ("", "new")])
def test_a_word_calls_a_member_of_an_enumeration_by_its_name(outcome, annotation, words, expected):
    code = (
        f"import tyro\n{KINDS}def main(start: {annotation} = Start.FRESH, /, rate: float = 0.1):\n    global x\n"
        "    x = 'old' if start == Start.SAVED else 'new' if start == Start.FRESH else None\ntyro.cli(main)\n"
    )
    assert outcome(code, words) == expected


@pytest.mark.parametrize(("words", "expected"), [("--start SAVED", "old"), ("--start new", "new"), ("", "new")])
def test_a_field_of_a_record_takes_a_member_by_its_name(outcome, words, expected):
    code = (
        f"import tyro\nfrom dataclasses import dataclass\n{KINDS}"
        "@dataclass\nclass Told:\n    start: Start = Start.FRESH\n\ntold = tyro.cli(Told)\n"
        "x = 'old' if told.start == Start.SAVED else 'new' if told.start == Start.FRESH else None\n"
    )
    assert outcome(code, words) == expected


def test_words_behind_the_named_parameters_are_gathered(outcome):
    head = "import fire\ndef main(first, *paths, rate=0.5):\n    global x\n    x = [first, list(paths), rate]\n"
    head += "fire.Fire(main)\n"
    assert outcome(head, "a b c --rate 0.25") == ["a", ["b", "c"], 0.25]
    assert outcome(head, "a") == ["a", [], 0.5]
