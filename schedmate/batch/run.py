"""A batch from its sources to its file: here by a pool of processes, or on Ray."""

import os
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from schedmate.batch.pool import readers
from schedmate.batch.reader_worker import VERBS
from schedmate.batch.results import PART_S, BatchRow, Results, clean
from schedmate.batch.sources import Source, sources
from schedmate.choices import EngineChoice, checked
from schedmate.errors import InputError

LIMIT_S = 600.0
"""After so long a source is given up, and its reader ended."""
MODEL_LIMIT_S = 4 * 3600.0
"""The same where a model is asked: some twenty calls, each as long as a reader waits for one."""


@dataclass(frozen=True)
class Batch:
    """What is asked."""

    verb: str
    words: Sequence[str]
    output: Path
    engine: EngineChoice = "built-in"
    workers: int = 0
    """0: one a processor."""
    limit_s: float = 0.0
    """0: what is usual with this engine."""
    address: str = ""
    """Of a Ray cluster; empty: this machine's own processes."""

    def __post_init__(self) -> None:
        """Refuse a mistyped engine before a million rows say the same."""
        checked("engine", self.engine, EngineChoice)


class Count(NamedTuple):
    """What came of it."""

    read: int
    """By this batch."""
    failed: int
    """Of those: rows with an error."""
    before: int
    """Sources that had been read before."""
    rows: int
    """In the file now."""


def run(batch: Batch, advance: Callable[[int], None] = lambda rows: None) -> Count:
    """Read what has not been read, and join it with what has; `advance` hears of each row."""
    if batch.verb not in VERBS:
        raise InputError(f"a batch cannot {batch.verb}", f"it can {', '.join(VERBS)}")
    results = Results(batch.output)
    try:
        done = set(results.done(batch.verb))
        unread = Unread(batch, done)
        read = failed = 0
        written_s = time.monotonic()
        for row in rows_of(batch, iter(unread)):
            if row is not None:
                results.add(row)
                read, failed = read + 1, failed + bool(row.error)
                advance(1)
            if time.monotonic() - written_s > PART_S:
                results.flush()
                written_s = time.monotonic()
        return Count(read, failed, unread.before, results.finish())
    finally:
        results.close()


class Unread:
    """The sources that have not been read before."""

    def __init__(self, batch: Batch, done: set[str]) -> None:
        self.batch = batch
        self.done = done
        self.before = 0
        """How many were passed over so far."""

    def __iter__(self) -> Iterator[Source]:
        for source in sources(self.batch.words, folders=self.batch.verb == "extract"):
            if clean(source.name) in self.done:
                self.before += 1
            else:
                yield source


def rows_of(batch: Batch, wanted: Iterator[Source]) -> Iterator[BatchRow | None]:
    """Read, by whoever is to."""
    limit_s = batch.limit_s or (LIMIT_S if batch.engine == "built-in" else MODEL_LIMIT_S)
    if batch.address:
        from schedmate.batch.on_ray import rows_on_ray

        yield from rows_on_ray(batch.address, batch.verb, batch.engine, limit_s, batch.workers, wanted)
        return
    count = batch.workers or len(os.sched_getaffinity(0))
    with readers(batch.verb, batch.engine, count, limit_s) as pool:
        yield from pool.read(wanted)
