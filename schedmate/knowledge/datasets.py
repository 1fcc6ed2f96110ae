"""Data sets by the words that name them; the table is data."""

import tomllib
from functools import lru_cache
from importlib.resources import files

from schedmate.knowledge.models import squash


@lru_cache(maxsize=1)
def words() -> list[tuple[str, str, str]]:
    """Give word, canonical name and task of each data set, longest word first."""
    table = tomllib.loads(files(__package__).joinpath("datasets.toml").read_text("utf-8"))
    rows = [
        (word.lower(), name, task) for task, sets in table.items() for name, found in sets.items() for word in found
    ]
    return sorted(rows, key=lambda row: -len(row[0]))


@lru_cache(maxsize=4096)
def known_dataset(text: str) -> tuple[str, str] | None:
    """Give canonical name and task of the data set that a path, option or class names."""
    text = text[-300:]
    parts = [squash(part) for part in text.replace("\\", "/").split("/")]
    pieces = {squash(piece) for part in text.replace("\\", "/").split("/") for piece in split_words(part)}
    for word, name, task in words():
        if len(word) >= 6 and any(word in part for part in parts):
            return name, task
        if len(word) < 6 and (word in parts or word in pieces):
            return name, task
    return None


def split_words(text: str) -> list[str]:
    """Cut a name at everything that is no letter or digit."""
    return "".join(character if character.isalnum() else " " for character in text).split()
