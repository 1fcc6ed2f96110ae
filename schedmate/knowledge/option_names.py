"""Names under which programs keep their options; the table is data."""

from functools import lru_cache

from schedmate.knowledge.tables import table


@lru_cache(maxsize=1)
def option_names() -> dict[str, tuple[str, ...]]:
    """Give each field's option names, the most telling first."""
    return {field: tuple(names) for field, names in table("option_names").items()}


def squashed(name: str) -> str:
    """Write a name so that `batchSize`, `batch-size` and `BATCH_SIZE` are one."""
    return name.replace("-", "").replace("_", "").lower()


@lru_cache(maxsize=1)
def field_of_name() -> dict[str, tuple[str, int]]:
    """Give, for each squashed option name, its field and its rank among the field's names."""
    return {squashed(name): (field, rank) for field, names in option_names().items() for rank, name in enumerate(names)}
