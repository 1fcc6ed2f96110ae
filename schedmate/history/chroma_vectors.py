"""Workload vectors in Chroma, wherever it runs.

Chroma's client waits for ever, so each call has a time limit here. Whatever goes wrong is one kind of error, after
which the caller finds its answer elsewhere.
"""

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import partial
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

from schedmate.errors import StoreError
from schedmate.history.cells import Floats, Ints
from schedmate.history.vectors import BATCH, VectorIndex

LAST = "last_id"
ANSWER_S = 15.0
"""How long Chroma may take to answer a question."""
ADDING_S = 300.0
"""How long it may take to add a batch."""
MOST_ON_THE_WAY = 2_000
"""So many workloads are indexed while somebody waits for advice, about a second's work; `reindex` does more."""

Result = TypeVar("Result")


class Late(StoreError):
    """Say that no answer came in time."""


class ChromaVectors(ABC):
    """One collection; the highest number it holds stands in its metadata, written after the vectors."""

    most_on_the_way = MOST_ON_THE_WAY

    def __init__(self, collection: Any, name: str, hint: str, note: Callable[[str], None]) -> None:
        self.name = name
        self.hint = hint
        self.note = note
        self.use(collection)

    def use(self, collection: Any) -> None:
        """Ask this collection from now on."""
        self.collection = collection
        self.index = VectorIndex(collection)
        self.last = int((collection.metadata or {}).get(LAST, 0))

    def __len__(self) -> int:
        return self.ask(self.index.count)

    @property
    def last_id(self) -> int:
        """Give the highest number that is known."""
        return self.last

    def ask(self, work: Callable[[], Result], limit_s: float | None = None) -> Result:
        """Do something with Chroma, or tell plainly why not."""
        return in_time(work, ANSWER_S if limit_s is None else limit_s, self.name, self.hint)

    def nearest(self, vector: Floats, k: int) -> list[tuple[int, float]]:
        """Give up to k numbers with their cosine, most similar first."""
        return [(int(name), cosine) for name, cosine in self.ask(partial(self.index.nearest, vector, k))]

    def add(self, ids: Ints, vectors: Floats) -> None:
        """Add vectors of higher numbers than are known."""
        for start in range(0, len(ids), BATCH):
            piece = slice(start, start + BATCH)
            names = [str(number) for number in ids[piece]]
            self.ask(partial(self.index.add, names, vectors[piece]), ADDING_S)
        self.mark(int(ids[-1]))

    def extend(self, ids: Ints, vectors: Floats) -> None:
        """Add: what one process makes is there for all."""
        self.add(ids, vectors)

    def mark(self, last: int) -> None:
        """Write down how far the index has come."""
        self.ask(partial(self.collection.modify, metadata={LAST: last}))
        self.last = last

    def settle(self) -> None:  # noqa: B027
        """Do nothing: Chroma keeps its graph in order."""

    @abstractmethod
    def clear(self) -> None:
        """Forget all vectors."""

    @abstractmethod
    def alone(self, wait: bool = True) -> AbstractContextManager[bool]:
        """Keep others from adding meanwhile."""


def in_time(work: Callable[[], Result], limit_s: float, name: str, hint: str) -> Result:
    """Do something in a thread that is left behind where it takes too long."""
    done: SimpleQueue[tuple[bool, Any]] = SimpleQueue()

    def run() -> None:
        try:
            done.put((True, work()))
        except BaseException as error:  # Chroma, its Rust core, httpx and its server each raise their own kinds.
            done.put((False, error))

    threading.Thread(target=run, daemon=True).start()
    try:
        fine, result = done.get(timeout=limit_s)
    except Empty:
        raise Late(f"{name} does not answer within {limit_s:g} s", hint) from None
    if not fine:
        raise StoreError(f"{name} cannot be used: {str(result) or type(result).__name__}", hint) from result
    answer: Result = result
    return answer
