"""Words of a command line where no parser says which option takes a value."""

import pytest

from schedmate.readers.code.libraries.argument_words import is_told, split_words, told_words
from schedmate.readers.code.values.value import COMMAND, SourceLocation, Value, is_unknown


def words(text):
    return [Value(word, (SourceLocation(COMMAND, 1, word),)) for word in text.split()]


def test_options_are_told_from_free_words():
    named, free = split_words(words("fit --lr 0.1 --amp --out=x data"), lambda name: name == "amp")
    assert [(one.name, one.value.data if one.value else None) for one in named] == [
        ("lr", "0.1"),
        ("amp", None),
        ("out", "x"),
    ]
    assert [word.data for word in free] == ["fit", "data"]


def test_the_no_form_of_a_switch_takes_no_value():
    named, free = split_words(words("--no-amp data"), lambda name: name == "amp")
    assert [(one.name, one.value) for one in named] == [("no_amp", None)]
    assert [word.data for word in free] == ["data"]


def test_a_negative_number_is_a_value():
    assert split_words(words("--shift -3"))[0][0].value.data == "-3"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("--lr 0.1 --lr 0.2", {"lr": 0.2}),
        ("optim.lr=0.1", {"lr": 0.1}),
        ("+trainer.max-epochs=3", {"max_epochs": 3}),
        ("actor.lr=1 critic.lr=2", {}),
        ("--amp --lr 1", {"lr": 1}),
    ],
)
def test_what_words_say_by_the_last_part_of_a_name(text, expected):
    assert {name: value.data for name, value in told_words(words(text)).items()} == expected


def test_what_the_shell_leaves_open_is_unknown():
    assert is_unknown(told_words(words("--lr $LR"))["lr"])


def test_what_a_script_says_is_told_and_what_code_says_is_not():
    assert is_told(Value(1, (SourceLocation("run.sh", 3),)))
    assert not is_told(Value(1, (SourceLocation("train.py", 3),)))
