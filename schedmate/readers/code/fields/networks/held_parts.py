"""All that something holds, and what that holds, and so on."""

from collections import deque
from collections.abc import Callable, Iterable

MOST_PARTS = 6_000
"""After so many parts nobody looks further."""


def all_within(holders: Iterable[object], parts_of: Callable[[object], Iterable[object]]) -> dict[int, object]:
    """Give what some hold at any depth, each once and by its identity, the nearest first."""
    found: dict[int, object] = {}
    waiting = deque(holders)
    while waiting and len(found) < MOST_PARTS:
        for part in parts_of(waiting.popleft()):
            if id(part) not in found:
                found[id(part)] = part
                waiting.append(part)
    return found
