"""Cloud machines and their accelerators; the table is data."""

from functools import lru_cache

from schedmate.knowledge.tables import table


@lru_cache(maxsize=1)
def instances() -> dict[str, tuple[int, str]]:
    """Give each machine's number of accelerators and their name."""
    return {name: (count, kind) for name, (count, kind) in table("instances").items()}
