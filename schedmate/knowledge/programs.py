"""Installed programs that train by a configuration, and programs that never train; the table is data."""

import tomllib
from functools import lru_cache
from importlib.resources import files
from typing import Any


@lru_cache(maxsize=1)
def programs() -> dict[str, dict[str, Any]]:
    """Give each program's entry by each of its names; `path#package` means that path beside that package."""
    table = tomllib.loads(files(__package__).joinpath("programs.toml").read_text("utf-8"))
    return {name: {**entry, "id": key} for key, entry in table.items() for name in entry["names"]}
