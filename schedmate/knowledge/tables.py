"""The tables of this folder as they stand in TOML, each read once."""

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def table(name: str) -> dict[str, Any]:
    """Read a table by its file's name; nobody changes what he is given."""
    return tomllib.loads(files(__package__).joinpath(f"{name}.toml").read_text("utf-8"))
