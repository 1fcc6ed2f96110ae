"""Names that code has for what it does; the table is data."""

import tomllib
from functools import lru_cache
from importlib.resources import files
from typing import Any


@lru_cache(maxsize=1)
def table() -> dict[str, Any]:
    """Read the table once."""
    return tomllib.loads(files(__package__).joinpath("code_words.toml").read_text("utf-8"))


def words(name: str) -> tuple[str, ...]:
    """Give a list of the table by its section and name."""
    section, _, key = name.partition(".")
    return tuple(table()[section][key])


def meanings(name: str) -> dict[str, Any]:
    """Give a list of the table in which each name has a meaning."""
    section, _, key = name.partition(".")
    found: dict[str, Any] = table()[section][key]
    return found
