"""Launchers that are told by a task file what to run, where and how often; the table is data."""

import tomllib
from functools import lru_cache
from importlib.resources import files
from typing import Any


@lru_cache(maxsize=1)
def manifests() -> dict[str, dict[str, Any]]:
    """Give each launcher's entry by each of its programs' names."""
    table = tomllib.loads(files(__package__).joinpath("manifests.toml").read_text("utf-8"))
    return {name: {**entry, "id": key} for key, entry in table.items() for name in entry["names"]}
