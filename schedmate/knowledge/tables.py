"""The tables of this folder as they stand in TOML, each read once."""

import marshal
from functools import cache
from importlib.resources import files
from typing import Any

from schedmate.knowledge.disk_cache import kept


@cache
def table(name: str) -> dict[str, Any]:
    """Read a table by its file's name; nobody changes what he is given.

    What a file says is kept as Python keeps what it compiles: parsing was a tenth of reading a small repository.
    """
    text = files(__package__).joinpath(f"{name}.toml").read_bytes()
    held: dict[str, Any] = marshal.loads(kept(f"table-{name}", text + bytes([marshal.version]), lambda: parsed(text)))
    return held


def entries_by_name(name: str) -> dict[str, Any]:
    """Give each entry of a table, with the name that the table files it under as its `id`, by each of its `names`."""
    return {one: {**entry, "id": key} for key, entry in table(name).items() for one in entry["names"]}


def parsed(text: bytes) -> bytes:
    """Parse a table where nothing is kept of it yet."""
    import tomllib

    return marshal.dumps(tomllib.loads(text.decode("utf-8")))
