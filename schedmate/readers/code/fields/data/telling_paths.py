"""What a path says of the data: the last part of it that is no plain word of folders, formats, roles or kinds."""

import posixpath
from itertools import pairwise

import re2

from schedmate.knowledge.code_words import words
from schedmate.knowledge.datasets import plain_words, split_words


def with_slashes(path: str) -> str:
    """Write a path of Windows as other systems do."""
    return path.replace("\\", "/")


HOME = re2.compile(r"^(/home|/Users|/root|~[^/]*)(/[^/]+)?/")
"""A person's own folder, whose name says nothing of the data."""


CACHE = re2.compile(r"^(?:.*/)?\.cache/[^/]+/?")
"""A program's own folder among those that all keep what can be had again."""


HUMP = re2.compile(r"([a-z])([A-Z])")


def telling_part(path: str) -> str:
    """Give the last part of a path that is no plain word; nothing where the path stands in for another."""
    plain, path = plain_words(), with_slashes(path)
    own = str(HOME.sub("", str(CACHE.sub("", path))))
    words = {word for part in own.split("/") for word in split_words(part.lower())}
    if words & plain["placeholders"] or "://" in path or "{" in path or "<" in path:
        return ""
    named = [part for part in own.strip("/").split("/") if not is_one_of_many(part)]
    for part in reversed(named[-2:]):
        stem = without_ending(part)
        hump = set(split_words(str(HUMP.sub(r"\1 \2", stem)).lower())) <= plain["folders"]  # `trainData`
        said = split_words(stem.lower()) if not hump else []
        left = [word for word in said if not is_plain(word)]
        if any(len(word) > 3 or (len(word) == 3 and not word.isalpha()) for word in left) or has_acronym(stem, left):
            return stem
    return below_data(path) or named_data(own)


def without_ending(name: str) -> str:
    """Take the ending off a file's name; what follows the point of a number is none: `qwen2.5-7b_tokens`."""
    stem, ending = posixpath.splitext(name)
    if stem.startswith("."):
        return ""  # nothing but an ending, as of what is put together from parts of which one is open
    return stem if ending[1:].replace("_", "").isalnum() and not ending[1].isdigit() else name


COUNTED = frozenset({"step", "stage", "phase", "round", "part"})
"""What work is done in, one after another: `step1` says nothing of the data."""
PARTS = COUNTED.union(words("data.parts"))
"""With it what data consist of, which is numbered in folders of their own."""


def is_counted(word: str) -> bool:
    """Tell one of the steps of some work by its number."""
    return word.lower().rstrip("0123456789") in COUNTED


NUMBER = re2.compile(r"[-_ .]+(?:part)?[0-9]+$")
"""How files of one set are told apart: `larks-3`."""


def without_number(name: str) -> str:
    """Take the number off a name by which it is one of several."""
    return str(NUMBER.sub("", name))


GLUED = ("data", "dataset", "datasets", "set")
"""What other plain words are written together with: `tmpdata`."""
NUMBERED = frozenset({"data", "dataset", "corpus", "train", "file"})
"""What is numbered where one person has several of it: `data2`."""


def is_plain(word: str) -> bool:
    """Tell a word that says only what role, form or number some data have, or what quantity they are."""
    plain, quantities = plain_words()["folders"], plain_words()["quantities"]
    bare = word.rstrip("0123456789")
    if word in plain or word in quantities or not bare or bare in NUMBERED or is_counted(word):
        return True
    return any(word.removesuffix(end) in plain for end in GLUED if word.endswith(end) and word != end)


def is_one_of_many(part: str) -> bool:
    """Tell a folder that is called by nothing but its number: `subject1`, `fold_3`, `session-02`."""
    pieces = split_words(part)
    numbered = (one.lower().rstrip("0123456789") for one in pieces)
    return any(piece[-1].isdigit() for piece in pieces) and all(not one or one in PARTS for one in numbered)


def has_acronym(stem: str, words: list[str]) -> bool:
    """Tell three letters or more in capitals that are no word of data: `NIH`."""
    return any(word.lower() in words and word.isupper() and len(word) > 2 for word in split_words(stem))


DATA_FOLDERS = ("data", "dataset", "datasets")
DATA_WORDS = (*DATA_FOLDERS, "corpus")

SHORTEST = 3
"""Letters of a word that names data by itself, at the least, if they are no capitals."""


def below_data(path: str) -> str:
    """Give the folder right below the program's own for data, `datasets/muge/lmdb`: elsewhere it may be a user's."""
    if path.startswith(("/", "~", "$", "..")):
        return ""
    parts = [part for part in path.split("/") if part]
    for above, part in pairwise(parts[:-1]):
        said = split_words(part.lower())
        telling = any(len(word) >= SHORTEST for word in said) or part.isupper()  # `og_` only begins other names
        if above.lower() in DATA_FOLDERS and telling and plain_words()["folders"].isdisjoint(said):
            return part
    return ""


def named_data(path: str) -> str:
    """Give the folder further up whose name says that it is data, and of what: `river_data/data/processed`."""
    plain = plain_words()["folders"]
    for part in reversed(path.strip("/").split("/")[-4:-2]):
        pieces = split_words(part.lower())
        if any(piece in DATA_WORDS for piece in pieces) and any(len(p) > 3 and p not in plain for p in pieces):
            return part
    return ""
