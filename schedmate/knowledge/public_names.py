"""Names that everybody knows, and that tell nothing of whose log it is; the table is data."""

import tomllib
from functools import lru_cache
from importlib.resources import files
from typing import Any


@lru_cache(maxsize=1)
def table() -> dict[str, Any]:
    """Read the table once."""
    return tomllib.loads(files(__package__).joinpath("public_names.toml").read_text("utf-8"))


@lru_cache(maxsize=1)
def path_words() -> frozenset[str]:
    """Give parts of paths that are everywhere."""
    return frozenset(table()["path_words"])


def is_public(host: str) -> bool:
    """Tell a host that everybody fetches from."""
    return any(host == name or host.endswith(f".{name}") for name in table()["hosts"])
