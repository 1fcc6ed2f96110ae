"""Folders that bear a number as their name; other names beside them are nobody's, however much they look like one."""

import os
from pathlib import Path

LONGEST = 15


def numbers_in(folder: Path) -> list[int]:
    """List the numbers that name something in a folder, in their order; none where it cannot be looked into."""
    try:
        return sorted(int(name) for name in os.listdir(folder) if is_number(name))
    except OSError:
        return []


def is_number(name: str) -> bool:
    """Tell whether a name is a number as this program writes it."""
    return name.isascii() and name.isdecimal() and len(name) <= LONGEST and (name == "0" or not name.startswith("0"))
