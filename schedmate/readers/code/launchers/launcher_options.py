"""Read one launcher's options: which take a value, which are flags, and where the program begins."""

from dataclasses import dataclass, field

import re2

from schedmate.knowledge.code_words import words
from schedmate.knowledge.launchers import LauncherRow, launchers
from schedmate.readers.code.launchers.batch_requests import SLURM_OPTIONS
from schedmate.readers.code.launchers.launch import Launch
from schedmate.readers.code.launchers.option_counts import Options, note_options
from schedmate.readers.code.libraries.argument_words import joined, word_text
from schedmate.readers.code.values.value import SourceLocation, Value

PYTHONS = re2.compile(r"^(python|pypy|ipython|pythonw|py)[0-9.]*(\.exe)?$")
PROGRAM = re2.compile(r"\.(py|sh|(?i:ipynb)|bash|slurm|sbatch)$")

STARTED_BARE = words("processes.started_bare")
"""Launchers that have commands of their own but start programs without one too."""


@dataclass
class LauncherWords:
    """A launcher's part of the words: its options, its commands, and where the rest begins."""

    place: int = 1
    options: Options = field(default_factory=dict)
    commands: int = 0
    is_module: bool = False


def take_launcher(name: str, words: list[Value], launch: Launch) -> list[Value]:
    """Read one launcher's options and give what it starts; the same words when it starts nothing."""
    entry = launchers()[name]
    taken = read_options(entry, words, launch)
    if entry.get("words") and not taken.commands and name not in STARTED_BARE and "." not in name:
        return words
    skip_positionals(entry, name, words, taken)
    spot = words[0].src[0] if words[0].src else SourceLocation("", 1)
    launch.launchers.append((name, spot))
    if entry.get("interspersed"):
        add_later_options(entry, words, taken)
    note_options(entry, taken.options, launch, spot)
    rest = words[taken.place :]
    if not rest:
        return rest
    if taken.is_module:
        return [Value("python", rest[0].src), Value("-m", rest[0].src), *rest]
    starts_python = entry["kind"] == "ranks" or entry["id"] in ("profilers", "modules")
    if starts_python and word_text(rest[0]).endswith(".py"):
        return [Value("python", rest[0].src), *rest]
    return rest


def read_options(entry: LauncherRow, words: list[Value], launch: Launch) -> LauncherWords:
    """Pass over a launcher's commands and options, up to the first word that is neither."""
    taken, needed = LauncherWords(), set(entry.get("words", ()))
    while taken.place < len(words):
        word, text = words[taken.place], word_text(words[taken.place])
        key, equals, inline = text.partition("=")
        if text == "--":
            taken.place += 1
            break
        if text in needed and not PROGRAM.search(text):
            needed.discard(text)
            taken.commands += 1
            taken.place += 1
        elif not text.startswith("-") or text == "-":
            if not (equals and entry["kind"] == "wrapper" and key.isidentifier()):
                break
            launch.environment[key] = Value(inline, word.src)
            taken.place += 1
        elif key in ("-m", "--module") and ("--module" in entry.get("flags", ()) or entry["kind"] == "ranks"):
            taken.is_module = True
            taken.place += 1
        else:
            value, taken.place = option_value(entry, words, taken.place)
            name = key.lstrip("-").replace("-", "_")
            said = joined(word, word if equals else value)
            if entry.get("batch") and name in taken.options:  # `-l select=2 -l walltime=9:00:00`: both hold
                before, places = taken.options[name]
                value, said = Value(f"{word_text(before)} {key} {word_text(value)}", value.src), (*places, *said)
            taken.options[name] = (value, said)
            if key in entry.get("environment", ()) and "=" in word_text(value):
                name, _, given = word_text(value).partition("=")
                launch.environment[name] = Value(given, value.src)
    return taken


def option_value(entry: LauncherRow, words: list[Value], place: int) -> tuple[Value, int]:
    """Give an option's value and the place after it; an option nobody knows takes a word that is no program."""
    word = words[place]
    key, equals, inline = word_text(word).partition("=")
    if equals:
        return Value(inline, word.src), place + 1
    following = words[place + 1] if place + 1 < len(words) else None
    if key in entry.get("pairs", ()):
        return Value("", word.src), place + 3
    if key in entry.get("flags", ()) or following is None:
        return Value("true", word.src), place + 1
    spelled = {key, key.replace("-", "_").replace("__", "--", 1)}
    if spelled & set(entry.get("values", ())) or (entry.get("slurm") and key in SLURM_OPTIONS):
        return following, place + 2
    if entry.get("slurm") and not key.startswith("--") and len(key) > 2:
        return Value(key[2:], word.src), place + 1
    text = word_text(following)
    if text.startswith("-") or PROGRAM.search(text) or PYTHONS.match(text) or "/" in text:
        return Value("true", word.src), place + 1
    return following, place + 2


def skip_positionals(entry: LauncherRow, name: str, words: list[Value], taken: LauncherWords) -> None:
    """Pass over what stands before the program: a duration, an image, a host, a cluster's file."""
    before = taken.place
    if name in entry.get("positional", ()) or entry.get("image"):
        taken.place += 1
    elif taken.place + 1 < len(words) and word_text(words[taken.place]).endswith(tuple(entry.get("files", ()))):
        taken.place += bool(entry.get("files"))
    if taken.place != before and taken.place < len(words) and word_text(words[taken.place]) == "--":
        taken.place += 1


def add_later_options(entry: LauncherRow, words: list[Value], taken: LauncherWords) -> None:
    """Take a launcher's options from among the program's, where it allows them there."""
    for place in range(taken.place + 1, len(words)):
        key, equals, inline = word_text(words[place]).partition("=")
        if key in entry.get("values", ()) and (equals or place + 1 < len(words)):
            value = Value(inline, words[place].src) if equals else words[place + 1]
            taken.options.setdefault(key.lstrip("-").replace("-", "_"), (value, joined(words[place], value)))
