"""Split a command line into named options and free words, where no parser says which option takes a value."""

from collections.abc import Callable
from typing import NamedTuple

from schedmate.readers.code.libraries.words import is_option, joined, word_text
from schedmate.readers.code.values.value import SourceLocation, Value


class Given(NamedTuple):
    """An option as it was given: its name in Python's spelling, its word, its value where one stood with it."""

    name: str
    word: Value
    value: Value | None
    src: tuple[SourceLocation, ...]


def split_words(
    words: list[Value], is_switch: Callable[[str], bool] = lambda name: False
) -> tuple[list[Given], list[Value]]:
    """Give `--name value`, `--name=value` and `--flag` as options, and the words that belong to none."""
    named: list[Given] = []
    free: list[Value] = []
    place = 0
    while place < len(words):
        word, text = words[place], word_text(words[place])
        place += 1
        if not is_option(text):
            free.append(word)
            continue
        name, equals, inline = text.lstrip("-").partition("=")
        name = name.replace("-", "_")
        if equals:
            named.append(Given(name, word, Value(inline, word.src), joined(word, word)))
        elif place < len(words) and not is_option(word_text(words[place])) and not takes_none(name, is_switch):
            named.append(Given(name, word, words[place], joined(word, words[place])))
            place += 1
        else:
            named.append(Given(name, word, None, joined(word, None)))
    return named, free


def takes_none(name: str, is_switch: Callable[[str], bool]) -> bool:
    """Tell a switch, or the `no_` form of one."""
    return is_switch(name) or (name.startswith("no_") and is_switch(name[3:]))
