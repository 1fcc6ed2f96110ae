"""Names under which configurations keep a transformer's shape; the table is data."""

from functools import lru_cache

from schedmate.knowledge.models import squash
from schedmate.knowledge.tables import table


@lru_cache(maxsize=1)
def meaning_of_name() -> dict[str, tuple[str, int]]:
    """Give, for each squashed name, the part of the shape that it means and its rank."""
    return {
        squash(name): (part, rank)
        for part, names in table("model_shapes").items()
        if isinstance(names, list)
        for rank, name in enumerate(names)
    }


def is_gated(name: str) -> bool:
    """Tell a family whose feed-forward layers are gated, by a model's or class's name."""
    return any(word in squash(name) for word in table("model_shapes")["families"]["gated"])


def is_tied(name: str) -> bool:
    """Tell a family whose output layer has the embedding's weights, by a model's name."""
    return any(word in squash(name) for word in table("model_shapes")["families"]["tied"])
