"""Names that everybody knows, and that tell nothing of whose log it is; the table is data."""

from functools import lru_cache

from schedmate.knowledge.tables import table


@lru_cache(maxsize=1)
def path_words() -> frozenset[str]:
    """Give parts of paths that are everywhere."""
    return frozenset(table("public_names")["path_words"])


@lru_cache(maxsize=1)
def counted_words() -> frozenset[str]:
    """Give words that a job numbers and that name no machine."""
    words = table("public_names")["counted_words"]
    return frozenset([*words, *(f"{word}s" for word in words)])


def is_public(host: str) -> bool:
    """Tell a host that everybody fetches from."""
    return any(host == name or host.endswith(f".{name}") for name in table("public_names")["hosts"])
