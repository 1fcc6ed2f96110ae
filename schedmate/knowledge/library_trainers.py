"""What is known of libraries' trainers, by the dotted names of their calls; the table is data."""

from functools import lru_cache
from typing import Any

from schedmate.knowledge.tables import table

Row = dict[str, Any]  # Any: each word of an entry has a type of its own


def row_of_call(name: str) -> tuple[Row, bool] | None:
    """Find the trainer of a call by its dotted name, and whether this call trains; None for any other call."""
    parts = set(name.split("."))
    root = name.partition(".")[0]
    for row in rows_by_root().get(root, ()):
        if any(name.startswith(prefix) for prefix in row["prefixes"]) and parts.isdisjoint(row.get("without", ())):
            if any(name.endswith(end) for end in row["calls"]):
                return row, True
            if any(name.endswith(end) for end in row.get("tells", ())):
                return row, False
    return None


@lru_cache(maxsize=1)
def rows_by_root() -> dict[str, list[Row]]:
    """Arrange the trainers by the first names of their libraries."""
    found: dict[str, list[Row]] = {}
    for row in table("library_trainers").values():
        for root in {prefix.partition(".")[0] for prefix in row["prefixes"]}:
            found.setdefault(root, []).append(row)
    return found
