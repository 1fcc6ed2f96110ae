"""What is estimated is a time only where a time is named, or nothing else."""

from schedmate.readers.progress.kinds.kinds import words_of
from schedmate.readers.progress.lines.grammar import read_items
from schedmate.readers.progress.lines.names import role_of
from schedmate.readers.progress.lines.tokens import tokens_of


def roles(line):
    return [role_of(item)[0] for item in read_items(tokens_of(line), line).items]


def test_an_estimated_accuracy_is_no_time_that_is_left():
    assert "eta" not in roles("     estimated scf accuracy    <       0.00000031 Ry")
    assert "eta" in roles("estimated time: 31.5 s")
    assert "eta" in roles("remaining: 31.5")


def test_signs_that_are_set_without_spaces_are_words_too():
    assert words_of("three plain words") == 3
    assert words_of("第一步的训练损失") == 1 + 4
