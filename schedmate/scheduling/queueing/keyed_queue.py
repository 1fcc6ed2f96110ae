"""Things in an order that changes all the time: put in and taken out by bisection."""

from bisect import bisect_left, insort
from typing import Generic, TypeVar

T = TypeVar("T")


class KeyedQueue(Generic[T]):
    """Whatever it is by ascending key, then number; whoever leaves it leaves nothing behind."""

    def __init__(self) -> None:
        self.entries: list[tuple[float, int, T]] = []

    def add(self, entry: tuple[float, int, T]) -> None:
        """Put one in its place."""
        insort(self.entries, entry)

    def remove(self, entry: tuple[float, int, T]) -> None:
        """Take one out."""
        place = bisect_left(self.entries, entry)
        while self.entries[place] is not entry:
            place += 1
        del self.entries[place]
