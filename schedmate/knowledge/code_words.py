"""Names that code has for what it does; the table is data."""

from typing import Any

import re2

from schedmate.knowledge.tables import table


def words(name: str) -> tuple[str, ...]:
    """Give a list of the table by its section and name."""
    section, _, key = name.partition(".")
    return tuple(table("code_words")[section][key])


def part_of_name(name: str, before: str = "", behind: str = "") -> "re2._Regexp[str]":
    """Make a pattern that finds a word of a list between the marks in a program's name, `*` standing for letters."""
    said = "|".join(re2.escape(word).replace(r"\*", r"\w*") for word in words(name))
    return re2.compile(rf"(?i)(?:^|[_\-.]){before}(?:{said})(?:$|[_\-.{behind}])")


def meanings(name: str) -> dict[str, Any]:
    """Give a list of the table in which each name has a meaning."""
    section, _, key = name.partition(".")
    found: dict[str, Any] = table("code_words")[section][key]
    return found
