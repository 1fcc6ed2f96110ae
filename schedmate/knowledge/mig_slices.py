"""How a GPU is cut into instances by its maker's rules (MIG); the table is data."""

import re
from functools import cache
from typing import NamedTuple

from schedmate.knowledge.tables import table

NAME = re.compile(r"(?:mig-)?([1-7]g)\.\d+gb(?:\+me(?:\.all)?|\+gfx|-me)?", re.IGNORECASE | re.ASCII)
"""As tools and resources call a profile: `3g.40gb`, `1g.10gb+me`, `mig-2g.20gb`."""


class Slices(NamedTuple):
    """A profile: its share of a GPU's compute, and the slices of memory that it may have, as bits, the last first."""

    share: float
    masks: tuple[int, ...]


@cache
def profiles() -> tuple[Slices, ...]:
    """Give the profiles, the smallest first."""
    known = table("mig_slices")
    found = [
        Slices(
            one["compute"] / known["compute_slices"],
            tuple(((1 << one["memory"]) - 1) << start for start in sorted(one["starts"], reverse=True)),
        )
        for one in known["profiles"].values()
    ]
    return tuple(sorted(found))


def memory_slices() -> int:
    """Give how many slices of memory a GPU has."""
    return int(table("mig_slices")["memory_slices"])


def share_of(name: str) -> float | None:
    """Give the share of a GPU's compute that a profile's name means; None where it is none."""
    match = NAME.fullmatch(name.strip())
    known = table("mig_slices")
    profile = known["profiles"].get(match[1].lower()) if match else None
    return profile["compute"] / known["compute_slices"] if profile else None
