"""Names that code has for what it does; the table is data."""

from typing import Any

from schedmate.knowledge.tables import table


def words(name: str) -> tuple[str, ...]:
    """Give a list of the table by its section and name."""
    section, _, key = name.partition(".")
    return tuple(table("code_words")[section][key])


def meanings(name: str) -> dict[str, Any]:
    """Give a list of the table in which each name has a meaning."""
    section, _, key = name.partition(".")
    found: dict[str, Any] = table("code_words")[section][key]
    return found
