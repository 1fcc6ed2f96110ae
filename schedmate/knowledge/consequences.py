"""What leads to what: kinds of quiet first statements, and the ends that follow from them, read from data."""

from functools import cache
from typing import NamedTuple

from schedmate.knowledge.tables import table

OF_FIRST = "said"
"""Whose class decides: that of the entry which the first statement itself fits."""


class Consequence(NamedTuple):
    """One kind of first statement and what becomes of it; the head of `consequences.toml` tells each field."""

    name: str
    why: str
    said: tuple[str, ...]
    literals: tuple[bytes, ...]
    met: tuple[str, ...]
    mended: tuple[str, ...]
    below: str
    within_s: float | None
    near_lines: int | None
    machine: bool
    shows_at_once: bool
    needs_host: bool
    unbroken: bool
    hardly_else: bool
    entry: str
    sample: tuple[str, str]
    near_miss: tuple[str, ...]
    quiet_miss: tuple[str, ...]
    put_right: tuple[str, ...]


@cache
def consequences() -> tuple[Consequence, ...]:
    """Give all, in the order of the file."""
    shared = table("consequences")["ends"]
    return tuple(
        Consequence(
            one["name"],
            one["why"],
            tuple(one["said"]),
            tuple(literal.encode() for literal in one["literals"]),
            tuple(shared[one["met"]] if isinstance(one["met"], str) else one["met"]),
            tuple(one.get("mended", ())),
            one.get("below", ""),
            one.get("within_s"),
            one.get("near_lines"),
            one.get("machine", False),
            one.get("shows_at_once", False),
            one.get("needs_host", False),
            one.get("unbroken", False),
            one.get("hardly_else", False),
            one.get("entry", ""),
            tuple(one["sample"]),
            tuple(one["near_miss"]),
            tuple(one["quiet_miss"]),
            tuple(one.get("put_right", ())),
        )
        for one in table("consequences")["consequence"]
    )
