"""Words of a command line: convert them, split options from values, and remember where each stood."""

from collections.abc import Callable
from itertools import takewhile
from math import isfinite
from typing import NamedTuple

from schedmate.readers.code.values.run import Run
from schedmate.readers.code.values.value import COMMAND, SourceLocation, Value, is_constant, sequence_of, unknown

YES = frozenset({"true", "yes", "on", "1", "t", "y"})
NO = frozenset({"false", "no", "off", "0", "f", "n"})


def word_text(word: Value) -> str:
    """Give a word as text; a value that a shell could not settle stays as it is written."""
    return word.data if isinstance(word.data, str) else str(word.data) if is_constant(word) else ""


def joined(option: Value, value: Value | None) -> tuple[SourceLocation, ...]:
    """Give the place of an option with its value: from the command, the two words as they stand there."""
    spot = option.src[0] if option.src else SourceLocation(COMMAND, 1)
    if spot.path != COMMAND:
        return (value.src if value is not None and value.src else ()) or (spot,)
    text = word_text(option)
    quote = f"{text} {word_text(value)}" if value is not None and value is not option else text
    return (SourceLocation(COMMAND, spot.line, quote),)


def is_open(text: str) -> bool:
    """Tell a word that holds a variable nobody has set."""
    return "${" in text or (text.startswith("$") and len(text) > 1) or "$(" in text


def guess(text: str) -> str | int | float | bool | None:
    """Read a word as YAML and fire would: number, boolean, null, or text."""
    low = text.strip().lower()
    if low in ("true", "yes", "on"):
        return True
    if low in ("false", "no", "off"):
        return False
    if low in ("null", "none", "~", ""):
        return None if text else ""
    return number(text) if number(text) is not None else text


def number(text: str) -> int | float | None:
    """Read a number; underscores as in `1_000` count as Python's."""
    cleaned = text.strip()
    if not cleaned or len(cleaned) > 40:
        return None
    for kind in (int, float):
        try:
            known = kind(cleaned)
        except ValueError:
            continue
        return known if isfinite(known) else None
    return None


def as_bool(text: str) -> bool | None:
    """Read a yes or a no."""
    low = text.strip().lower()
    return True if low in YES else False if low in NO else None


def is_option(text: str) -> bool:
    """Tell an option from a value, as `-1` and `-1e-3` are."""
    return text.startswith("-") and len(text) > 1 and number(text) is None


def arguments_of(run: Run) -> list[Value]:
    """Give the words after the program's name, as the program may have changed them."""
    return [word for word in run.arguments.data[1:] if isinstance(word, Value)]


def words_given(run: Run, given: Value | None) -> list[Value]:
    """Give the words that a parser is handed as a list, else those of the command."""
    handed = given is not None and isinstance(given.data, (list, tuple))
    return list(sequence_of(given)) if handed else arguments_of(run)


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
        elif (
            place < len(words)
            and not is_option(word_text(words[place]))
            and not (is_switch(name) or (name.startswith("no_") and is_switch(name[3:])))
        ):
            more = tuple(takewhile(lambda one: not is_option(word_text(one)), words[place + 1 : place + MOST_MORE]))
            named.append(GivenOption(name, word, words[place], joined(word, words[place]), more))
            place += 1
        else:
            named.append(GivenOption(name, word, None, joined(word, None)))
    return named, free


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
