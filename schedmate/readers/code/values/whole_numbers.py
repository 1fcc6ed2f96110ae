"""Whole numbers as shells, launchers and batch systems are told them."""

MOST_DIGITS = 9
"""More nodes, processes, places or rounds than these digits tell, no job has."""


def whole(text: str, digits: int = MOST_DIGITS) -> int | None:
    """Read a plain whole number, with one minus at most; None for any other text, and for one of too many digits.

    Other scripts' digits and the raised ones pass `str.isdigit`, though no shell counts by them.
    """
    figures = text.removeprefix("-")
    return int(text) if figures.isascii() and figures.isdecimal() and len(figures) <= digits else None


def whole_count(text: str) -> int | None:
    """Read a plain whole number that is not below nought."""
    return whole(text) if not text.startswith("-") else None
