"""Readers in processes of their own: a source that hangs or kills its reader costs that reader and is a row."""

import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from schedmate.batch.results import BatchRow
from schedmate.batch.sources import Source
from schedmate.choices import EngineChoice
from schedmate.workers.worker import Poll
from schedmate.workers.worker_pool import Task, WorkerPool

READER = "schedmate.batch.reader_worker"

AHEAD = 2
"""Sources that wait for each reader: it is never idle, and no list grows."""
LOOK_S = 0.5


class Readers:
    """Some readers; what they are asked is answered in any order."""

    def __init__(self, verb: str, engine: EngineChoice, count: int, limit_s: float) -> None:
        self.verb = verb
        self.engine = engine
        self.count = count
        self.limit_s = limit_s
        self.pipes = Poll()
        self.pool = WorkerPool(self.pipes, READER, count)
        self.rows: list[BatchRow] = []

    def ask(self, source: Source) -> None:
        """Have a source read."""
        asked = {"kind": "read", "source": source.name, "size": source.size, "verb": self.verb, "engine": self.engine}

        def done(answer: dict[str, Any]) -> None:
            told = (source.name, source.size, self.verb)
            error = answer.get("error", "")
            self.rows.append(BatchRow(*told, error) if error else BatchRow(*told, "", answer["answer"], answer["told"]))

        self.pool.ask(asked, self.limit_s, done, time.monotonic())

    def asked(self) -> Iterator[Task]:
        """Give what is being read now."""
        return (task for _, task in self.pool.busy.values())

    def read(self, sources: Iterable[Source]) -> Iterator[BatchRow | None]:
        """Give a row for each source as it comes; None now and then, so that the caller can look at the clock."""
        coming, more = iter(sources), True
        while more or self.pool.busy or self.pool.waiting:
            while more and len(self.pool.waiting) + len(self.pool.busy) < self.count * (1 + AHEAD):
                source = next(coming, None)
                more = source is not None
                if source is not None:
                    self.ask(source)
            self.pipes.sleep(max(0.0, min([LOOK_S, *(task.deadline_s - time.monotonic() for task in self.asked())])))
            self.pool.tend(time.monotonic())
            rows, self.rows = self.rows, []
            yield from rows
            yield None


@contextmanager
def readers(verb: str, engine: EngineChoice, count: int, limit_s: float) -> Iterator[Readers]:
    """Start readers, and end them."""
    made = Readers(verb, engine, count, limit_s)
    try:
        yield made
    finally:
        made.pool.close()
