"""Data sets by the words that name them; the table is data."""

from functools import lru_cache
from typing import NamedTuple

import re2

from schedmate.knowledge.models import family_words, part_edges, squash
from schedmate.knowledge.tables import table

CLASS_ENDING = re2.compile(r"(?:Dataset|DataSet|DataModule|DataLoader|Loader)$")
"""How names of classes of data end: `KittiDataset`."""
HOMONYMS = frozenset({"IMDB"})
"""Sets whose names are usual words of code, too: detectors keep an image data base, `imdb`."""
SHORT = 6
"""Words with fewer letters than this count only where they stand by themselves."""


class DataSet(NamedTuple):
    """A data set's canonical name, the task it belongs to and what is mostly learned from it."""

    name: str
    task: str
    fine: str


@lru_cache(maxsize=1)
def words() -> list[tuple[str, DataSet]]:
    """Give the words and their data sets, longest word first."""
    rows = [
        (word, DataSet(name, group["task"], group.get("fine", "")))
        for group in table("datasets")["group"]
        for name, found in group["sets"].items()
        for word in found
    ]
    return sorted(rows, key=lambda row: -len(row[0]))


@lru_cache(maxsize=1)
def by_name() -> dict[str, DataSet]:
    """Give the data sets by their canonical names, which in other texts may be usual words: `MATH`, `DRIVE`."""
    return {found.name: found for _, found in reversed(words())}


@lru_cache(maxsize=1)
def by_word() -> dict[str, DataSet]:
    """Give the data sets by each word that names them."""
    return dict(words())


def is_set(text: str) -> bool:
    """Tell a text that is a data set's name to the letter, and does not only contain one."""
    return squash(text) in by_word()


@lru_cache(maxsize=1)
def places() -> dict[str, list[int]]:
    """Give the places of the words by how they begin: of some thousand words a name is held against few."""
    found: dict[str, list[int]] = {}
    for place, (word, _) in enumerate(words()):
        found.setdefault(word[:SHORT], []).append(place)
    return found


def starts(whole: str, pieces: set[str]) -> set[str]:
    """Give how words may begin that a name holds: the long ones anywhere, the short ones as a piece of it."""
    return {whole[at : at + SHORT] for at in range(len(whole))} | {piece for piece in pieces if len(piece) < SHORT}


@lru_cache(maxsize=4096)
def known_dataset(text: str) -> DataSet | None:
    """Give the data set that a path, option or class names; of a path, its last part that names one.

    Of a hub's name, a usual word may be known by its owner only: `dair-ai/emotion`.
    """
    parts = text[-300:].replace("\\", "/").split("/")
    owned = by_word().get(squash("".join(parts[-2:]))) if len(parts) > 1 else None
    named = (found for part in reversed(parts) if (found := named_in(part)) is not None)
    first = owned or next(named, None)
    if first is not None and first.name in HOMONYMS:
        return next((other for other in named if other.name not in HOMONYMS), first)
    return first


def named_in(part: str) -> DataSet | None:
    """Give the data set that one part of a path names."""
    whole = squash(part)
    pieces = {squash(piece) for piece in split_words(part)} | {whole}
    known = words()
    for place in sorted({place for start in starts(whole, pieces) for place in places().get(start, ())}):
        word, found = known[place]
        long = len(word) >= SHORT
        if word not in whole or any(model in whole for model in models_around().get(word, ())):
            continue
        if word in pieces or (long and not is_accident(part, whole.find(word), len(word))):
            return found
    bare = CLASS_ENDING.sub("", part)
    return named_in(bare) if bare and bare != part else None


@lru_cache(maxsize=1)
def models_around() -> dict[str, tuple[str, ...]]:
    """Give the families of models in whose words a data set's word stands: `longform` in `longformer`."""
    models = family_words().difference(by_word())
    found = {word: tuple(model for model in models if word in model) for word, _ in words() if len(word) >= SHORT}
    return {word: around for word, around in found.items() if around}


def is_accident(part: str, place: int, length: int) -> bool:
    """Tell a word that ends or begins inside other ones: `malnet` in `MMAL-Net`, `linemod` in `BaselineModel`."""
    edges, end = part_edges(part), place + length
    glued = place not in edges and place - 1 in edges
    return glued or (any(place < edge < end for edge in edges) and not (place in edges and end in edges))


@lru_cache(maxsize=1)
def plain_words() -> dict[str, frozenset[str]]:
    """Give the words that say nothing of which data they are: `classes`, `folders`, `placeholders`, `filled_in`."""
    return {name: frozenset(words) for name, words in table("data_words").items()}


def split_words(text: str) -> list[str]:
    """Cut a name at everything that is no letter or digit."""
    return "".join(character if character.isalnum() else " " for character in text).split()
