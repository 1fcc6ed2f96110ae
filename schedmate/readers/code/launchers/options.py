"""Read one launcher's options: which take a value, which are flags, and where the program begins."""

from typing import Any

import re2

from schedmate.knowledge.launchers import launchers
from schedmate.readers.code.commandline.words import joined, word_text
from schedmate.readers.code.launchers.counts import note_options
from schedmate.readers.code.launchers.launch import Launch
from schedmate.readers.code.launchers.slurm import SLURM_OPTIONS
from schedmate.readers.code.values import Spot, Val

PYTHONS = re2.compile(r"^(python|pypy|ipython|pythonw)[0-9.]*$")


PROGRAM = re2.compile(r"\.(py|sh|ipynb|bash|slurm|sbatch)$")


def take_launcher(name: str, words: list[Val], launch: Launch) -> list[Val]:
    """Read one launcher's options and give what it starts; the same words when it starts nothing."""
    entry = launchers()[name]
    spot = words[0].src[0] if words[0].src else Spot("", 1)
    place, options, module_mode = 1, {}, False
    needed = set(entry.get("words", ()))
    seen_words = 0
    values, flags = set(entry.get("values", ())), set(entry.get("flags", ()))
    while place < len(words):
        word, text = words[place], word_text(words[place])
        if text == "--":
            place += 1
            break
        if text in needed and not PROGRAM.search(text):
            needed.discard(text)
            seen_words += 1
            place += 1
            continue
        if not text.startswith("-") or text == "-":
            if "=" in text and entry["kind"] == "wrapper" and text.partition("=")[0].isidentifier():
                launch.environment[text.partition("=")[0]] = Val(text.partition("=")[2], word.src)
                place += 1
                continue
            break
        key, equals, inline = text.partition("=")
        if (key in ("-m", "--module") and "--module" in flags) or (key == "-m" and entry["kind"] == "ranks"):
            module_mode = True
            place += 1
            continue
        value, place = option_value(key, equals, inline, words, place, values, flags, entry)
        options[key.lstrip("-").replace("-", "_")] = (value, joined(word, value if not equals else word))
    optional = name in ("mpirun", "mpiexec", "composer", "accelerate-launch") or "." in name
    if entry.get("words") and not seen_words and not optional:
        return words
    if entry.get("positional") and name in entry["positional"] and place < len(words):
        place += 1
    if entry.get("image") and place < len(words):
        place += 1
    launch.launchers.append((name, spot))
    if entry.get("interspersed"):
        for later in range(place + 1, len(words)):
            key, equals, inline = word_text(words[later]).partition("=")
            if key in values and (equals or later + 1 < len(words)):
                value = Val(inline, words[later].src) if equals else words[later + 1]
                options.setdefault(key.lstrip("-").replace("-", "_"), (value, joined(words[later], value)))
    note_options(entry, options, launch, spot)
    rest = words[place:]
    if module_mode and rest:
        rest = [Val("python", rest[0].src), Val("-m", rest[0].src), *rest]
    elif (entry["kind"] == "ranks" and rest and word_text(rest[0]).endswith(".py")) or (
        entry["id"] in ("profilers", "modules") and rest and word_text(rest[0]).endswith(".py")
    ):
        rest = [Val("python", rest[0].src), *rest]
    return rest


def option_value(
    key: str,
    equals: str,
    inline: str,
    words: list[Val],
    place: int,
    values: set[str],
    flags: set[str],
    entry: dict[str, Any],
) -> tuple[Val, int]:
    """Give an option's value and the place after it; an option nobody knows takes a word that is no program."""
    word = words[place]
    if equals:
        return Val(inline, word.src), place + 1
    following = words[place + 1] if place + 1 < len(words) else None
    if key in entry.get("pairs", ()):
        return Val("", word.src), place + 3
    if key in flags or following is None:
        return Val("true", word.src), place + 1
    spelled = {key, key.replace("-", "_").replace("__", "--", 1)}
    if spelled & values or (entry.get("slurm") and key in SLURM_OPTIONS):
        return following, place + 2
    if entry.get("slurm") and not key.startswith("--") and len(key) > 2:
        return Val(key[2:], word.src), place + 1
    text = word_text(following)
    if text.startswith("-") or PROGRAM.search(text) or PYTHONS.match(text) or "/" in text:
        return Val("true", word.src), place + 1
    return following, place + 2
