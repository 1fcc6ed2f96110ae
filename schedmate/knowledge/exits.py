"""What exit codes, signals and schedulers' states say of a job's end, read from data."""

import tomllib
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from schedmate.schemas import Category, Restart, Subcategory


class Ending(NamedTuple):
    """What one way of ending means."""

    id: str
    category: Category
    weight: float
    meaning: str
    action: str
    subcategory: Subcategory | None = None
    restart: Restart = "no"


@lru_cache(maxsize=1)
def load_endings() -> dict[tuple[str, str], Ending]:
    """Read all, by kind (`code`, `signal`, `state`) and by what is said of that kind; states in capitals."""
    tables = tomllib.loads(Path(__file__).with_name("exits.toml").read_text("utf-8"))
    found: dict[tuple[str, str], Ending] = {}
    for kind, entries in tables.items():
        for entry in entries:
            said = entry.pop("codes", None) or entry.pop("names")
            found |= {(kind, str(one).upper()): Ending(**entry) for one in said}
    return found
