"""Take the launchers off a command, one after the other, until the program itself stands first."""

import posixpath

import re2

from schedmate.knowledge.launchers import launchers
from schedmate.readers.code.launchers.dora import take_dora
from schedmate.readers.code.launchers.launch import Launch, settled
from schedmate.readers.code.launchers.launcher_options import PYTHONS, take_launcher
from schedmate.readers.code.launchers.tool_commands import runs_what_it_is_handed
from schedmate.readers.code.launchers.torchx import torchx_words
from schedmate.readers.code.libraries.argument_words import word_text
from schedmate.readers.code.values.value import SourceLocation, Value
from schedmate.tools.notebook import is_notebook

PYTHON_VALUES = frozenset({"-W", "-X", "--check-hash-based-pycs"})
VARIABLE = re2.compile(r"^\$(\w+|\{\w+\})$")

SWITCHES = re2.compile(r"^-[bBdEhiIOPqRsSuvVx]*([mc])(.*)$")
"""Python's switches of one letter, the last of which names what is run."""


def take_off(words: list[Value], launch: Launch) -> Launch:
    """Take launchers off until the program itself stands first."""
    for _ in range(12):
        while words and "=" in word_text(words[0]) and word_text(words[0]).partition("=")[0].isidentifier():
            key, _, text = word_text(words[0]).partition("=")
            launch.environment[key] = Value(text, words[0].src)
            words = words[1:]
        if not words:
            return launch
        name = posixpath.basename(word_text(words[0]))
        spot = words[0].src[0] if words[0].src else SourceLocation("", 1)
        if PYTHONS.match(name) or is_python(words):
            words = python_words(words)
            if len(words) > 1 and word_text(words[0]) == "-m" and word_text(words[1]) in launchers():
                words = take_launcher(word_text(words[1]), words[1:], launch)
                continue
            return settle_python(words, launch, spot)
        if name == "dora":
            return take_dora(words, launch) or settled(launch, "tool", name, words, spot)
        if name == "torchx" and (started := torchx_words(words)):
            words = started
            continue
        if name in launchers():
            rest = take_launcher(name, words, launch)
            if rest is words:
                return settled(launch, "tool", name, words, spot)
            words = rest
            continue
        kind = "script" if (name.endswith(".py") or is_notebook(name)) and " " not in name else "tool"
        return settled(launch, kind, word_text(words[0]), words, spot)
    return launch


def is_python(words: list[Value]) -> bool:
    """Tell what stands for Python before a file or module of Python: a variable that nobody sets here, `%run`."""
    told = word_text(words[0])
    is_left_open = bool(VARIABLE.match(told)) or told.startswith("$(")
    behind = [word_text(word) for word in words[1:4]]
    first = next((text for text in behind if text == "-m" or not text.startswith("-")), "")
    if first == "-m":
        return is_left_open and behind[-1] != "-m"
    return first.endswith(".py") and (is_left_open or told == "%run")


def settle_python(words: list[Value], launch: Launch, spot: SourceLocation) -> Launch:
    """Keep what Python is told to run: a module, a text, a file, or what it is fed."""
    if not words and launch.stdin is not None:
        words = [Value("-", (spot,))]
    if not words:
        return launch
    told, launch.by_python = word_text(words[0]), True
    if told == "-c":
        return settled(launch, "code", word_text(words[1]) if len(words) > 1 else "", words[1:], spot)
    if told == "-m" and len(words) > 1:
        return settled(launch, "module", word_text(words[1]), words[1:], words[1].src[0] if words[1].src else spot)
    return settled(launch, "script", told, words, words[0].src[0] if words[0].src else spot)


def take_wrapper(launch: Launch) -> None:
    """Take a program off that nobody here knows and that wraps Python or a launcher, with a script behind it.

    One that is told to list, to end or to tell people of what stands behind wraps nothing.
    """
    words = launch.words
    for place in range(1, len(words) - 1) if launch.kind == "tool" else ():
        name = posixpath.basename(word_text(words[place]))
        if PYTHONS.match(name) or (name in launchers() and launchers()[name]["kind"] != "wrapper"):
            if runs_what_it_is_handed(launch.name, words[1:place]) is False:
                return
            if any(word_text(word).endswith(".py") or word_text(word) == "-m" for word in words[place + 1 :]):
                launch.launchers.append((launch.name, launch.spot))
                take_off(words[place:], launch)
            return


def python_words(words: list[Value]) -> list[Value]:
    """Pass over Python's own options; `-um name` and `-mname` are `-m name`."""
    place = 1
    while place < len(words):
        text = word_text(words[place])
        joined = SWITCHES.match(text)
        if joined is not None:
            kind, attached = joined.groups()
            rest = [Value(attached, words[place].src)] if attached else []
            return [Value(f"-{kind}", words[place].src), *rest, *words[place + 1 :]]
        if not text.startswith("-") or text == "-":
            break
        place += 2 if text in PYTHON_VALUES else 1
    return words[place:]
