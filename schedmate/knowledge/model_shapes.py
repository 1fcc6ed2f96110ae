"""Names under which configurations keep a transformer's shape; the table is data."""

import tomllib
from functools import lru_cache
from importlib.resources import files
from typing import Any

from schedmate.knowledge.models import squash


@lru_cache(maxsize=1)
def table() -> dict[str, Any]:
    """Read the table once."""
    return tomllib.loads(files(__package__).joinpath("model_shapes.toml").read_text("utf-8"))


@lru_cache(maxsize=1)
def meaning_of_name() -> dict[str, tuple[str, int]]:
    """Give, for each squashed name, the part of the shape that it means and its rank."""
    return {
        squash(name): (part, rank)
        for part, names in table().items()
        if isinstance(names, list)
        for rank, name in enumerate(names)
    }


def is_gated(name: str) -> bool:
    """Tell a family whose feed-forward layers are gated, by a model's or class's name."""
    return any(word in squash(name) for word in table()["families"]["gated"])


def is_tied(name: str) -> bool:
    """Tell a family whose output layer has the embedding's weights, by a model's name."""
    return any(word in squash(name) for word in table()["families"]["tied"])
