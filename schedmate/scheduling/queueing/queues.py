"""A queue in a policy's own order; the order breaks ties by submit time, then id."""

import heapq
from collections.abc import Callable, Iterable

from schedmate.clusters import LiveJob


class Queue:
    """Jobs by ascending key, then submit time, then id; the key of a job is read once, when it enters."""

    __slots__ = ("heap", "key")

    def __init__(self, key: Callable[[LiveJob], float]) -> None:
        self.key = key
        self.heap: list[tuple[float, int, LiveJob]] = []

    def extend(self, jobs: Iterable[LiveJob]) -> None:
        """Put jobs in."""
        for job in jobs:
            heapq.heappush(self.heap, (self.key(job), job.number, job))

    def start_in_order(self, start: Callable[[LiveJob], bool]) -> None:
        """Start jobs from the head on, and stop at the first that does not fit (head-of-line blocking)."""
        heap = self.heap
        while heap and start(heap[0][2]):
            heapq.heappop(heap)

    def in_order(self) -> list[LiveJob]:
        """Give all of them, from the head on."""
        return [job for _, _, job in sorted(self.heap)]

    def __len__(self) -> int:
        return len(self.heap)
