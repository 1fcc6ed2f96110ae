"""Do one thing here, and many on all cores: what only many need is imported for many."""

import os
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

Q = TypeVar("Q")
T = TypeVar("T")

MOST_TOGETHER = 8
"""Things handed over at once: answers come soon, and the last of them keep no core waiting."""


def in_order(work: Callable[[Q], T], items: Sequence[Q], fewest: int = 2) -> Iterator[T]:
    """Do few things here and many on all cores, in copies of this process with all that it has imported."""
    workers = min(len(os.sched_getaffinity(0)), len(items))
    if len(items) < fewest or workers < 2:
        yield from map(work, items)
        return
    from schedmate.tools.python_children import copies

    with copies(workers) as pool:
        yield from pool.map(work, items, chunksize=max(1, min(MOST_TOGETHER, len(items) // (4 * workers))))
