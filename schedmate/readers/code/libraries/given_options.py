"""What the words of a command line say of options, where no parser says which of them takes a value."""

from collections.abc import Callable
from itertools import takewhile
from typing import NamedTuple

from schedmate.readers.code.libraries.argument_words import guess, is_open, is_option, joined, word_text
from schedmate.readers.code.values.value import COMMAND, SourceLocation, Value, unknown

MOST_MORE = 64
"""How many words an option may have behind its value."""


class GivenOption(NamedTuple):
    """An option as it was given: its name in Python's spelling, its word, its value where one stood with it."""

    name: str
    word: Value
    value: Value | None
    src: tuple[SourceLocation, ...]
    more: tuple[Value, ...] = ()
    """the words behind its value that belong to no other option"""


def split_words(
    words: list[Value], is_switch: Callable[[str], bool] = lambda name: False, bare: bool = False
) -> tuple[list[GivenOption], list[Value]]:
    """Give `--name value`, `--name=value` and `--flag` as options, and the words that belong to none.

    Where options are written bare, `name=value` is one too.
    """
    named: list[GivenOption] = []
    free: list[Value] = []
    place = 0
    while place < len(words):
        word, text = words[place], word_text(words[place])
        place += 1
        if not is_option(text) and not (bare and "=" in text):
            free.append(word)
            continue
        name, equals, inline = text.lstrip("-").partition("=")
        name = name.replace("-", "_")
        if equals:
            named.append(GivenOption(name, word, Value(inline, word.src), joined(word, word)))
        elif place < len(words) and not is_option(word_text(words[place])) and not takes_none(name, is_switch):
            more = tuple(takewhile(lambda one: not is_option(word_text(one)), words[place + 1 : place + MOST_MORE]))
            named.append(GivenOption(name, word, words[place], joined(word, words[place]), more))
            place += 1
        else:
            named.append(GivenOption(name, word, None, joined(word, None)))
    return named, free


def takes_none(name: str, is_switch: Callable[[str], bool]) -> bool:
    """Tell a switch, or the `no_` form of one."""
    return is_switch(name) or (name.startswith("no_") and is_switch(name[3:]))


SCRIPTS = (".sh", ".bash", ".slurm", ".sbatch")


def told_words(words: list[Value]) -> dict[str, Value]:
    """Give `--name value`, `--name=value` and `name=value` by the last part of the name; open ones are unknown."""
    found: dict[str, list[tuple[str, Value]]] = {}
    plain = [word for word in words if isinstance(word.data, str)]
    for place, word in enumerate(plain):
        text = word_text(word)
        name, equals, inline = text.lstrip("-+").partition("=")
        behind = plain[place + 1] if place + 1 < len(plain) and is_option(text) and not equals else None
        given = Value(inline) if equals else behind
        if given is None or is_option(word_text(given)):
            continue
        src = joined(word, word if equals else given)
        value = word_text(given)
        said = unknown(f"{value} is not set here") if is_open(value) else Value(guess(value))
        known = found.setdefault(name.rpartition(".")[2].replace("-", "_"), [])
        known.append((name, Value(said.data, src)))
    # `actor.lr=1 critic.lr=2` says two things of two options that end alike; `--lr 1 --lr 2` says the last.
    return {name: said[-1][1] for name, said in found.items() if len({whole for whole, _ in said}) == 1}


def is_told(value: Value) -> bool:
    """Tell a value that a command gave, on the line itself or in a script."""
    return any(spot.path == COMMAND or spot.path.endswith(SCRIPTS) for spot in value.src)
