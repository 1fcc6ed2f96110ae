"""Keep the index of workloads in step with SQLite, which is the truth, and find stored workloads by vector."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from hashlib import blake2b
from pathlib import Path
from sqlite3 import Connection
from typing import Protocol

import numpy as np

from schedmate.counts import how_many
from schedmate.errors import StoreError
from schedmate.history.centres import Floats, Ints
from schedmate.history.database import plain_errors
from schedmate.history.rows import workload_of
from schedmate.history.vector_index import open_vectors
from schedmate.schemas import Workload

BATCH = 2_000
OURS = "built-in"

Advance = Callable[[int, int], None]
Note = Callable[[str], None]


class Vectorises(Protocol):
    """What turns workloads into vectors of length 1; its name changes whenever the vectors do."""

    @property
    def name(self) -> str: ...
    @property
    def dimensions(self) -> int: ...
    def vectors(self, workloads: Sequence[Workload]) -> Floats: ...


class Index(Protocol):
    """Where vectors lie: in a file of ours, or on a Chroma server."""

    most_on_the_way: int
    """How many workloads may be indexed while somebody waits."""

    @property
    def last_id(self) -> int: ...
    def __len__(self) -> int: ...
    def nearest(self, vector: Floats, k: int) -> list[tuple[int, float]]: ...
    def add(self, ids: Ints, vectors: Floats) -> None: ...
    def settle(self, most: int = ...) -> None: ...
    def clear(self) -> None: ...


def ways(setting: str) -> tuple[str, ...]:
    """Name the indexes to ask, the first that can answer first."""
    return (OURS,) if setting in {"", "auto", OURS} else (setting, OURS)


@contextmanager
def open_index(data_dir: Path, where: str, vectoriser: Vectorises, note: Note = lambda text: None) -> Iterator[Index]:
    """Open our own file (built-in), or a Chroma server by its URL."""
    kind = f"workloads-{blake2b(vectoriser.name.encode(), digest_size=8).hexdigest()}"
    if where == OURS:
        with open_vectors(data_dir, kind, vectoriser.dimensions, note) as index:
            yield index
    else:
        from schedmate.history.chroma import open_server

        with open_server(where, kind, note) as server:
            yield server


def catch_up(
    connection: Connection,
    index: Index,
    vectoriser: Vectorises,
    advance: Advance = lambda done, total: None,
    note: Note = lambda text: None,
    most: int | None = None,
) -> int:
    """Make the vectors of workloads that the index lacks, and count them.

    Where they are more than anybody waits for, some are made, and that is an error.
    """
    limit = index.most_on_the_way if most is None else most
    if index.last_id > highest_number(connection):
        note("the vector index knows more workloads than the history, which was put back: it is made anew")
        index.clear()
    lacking = missing(connection, index)
    done = fill(connection, index, vectoriser, advance, min(lacking, limit)) if lacking else 0
    index.settle(limit)
    if missing(connection, index):
        raise StoreError(
            f"the vector index lacked {how_many(lacking, 'workload')} and took in {done:,}, as with each question",
            "for all at once run: schedmate history reindex",
        )
    return done


def reindex(
    connection: Connection, index: Index, vectoriser: Vectorises, advance: Advance = lambda done, total: None
) -> int:
    """Make all vectors anew."""
    index.clear()
    done = fill(connection, index, vectoriser, advance, missing(connection, index))
    index.settle()
    return done


def fill(connection: Connection, index: Index, vectoriser: Vectorises, advance: Advance, total: int) -> int:
    """Embed and add so many, batch by batch, so that a kill loses one batch at most."""
    done = 0
    while done < total and (batch := workloads_after(connection, index.last_id, min(BATCH, total - done))):
        vectors = vectoriser.vectors([workload for _, workload in batch])
        index.add(np.array([number for number, _ in batch], np.int64), vectors)
        done += len(batch)
        advance(done, total)
    return done


def count_workloads(connection: Connection) -> int:
    """Count the different workloads that are stored."""
    with plain_errors():
        return int(connection.execute("SELECT count(*) FROM workloads").fetchone()[0])


def missing(connection: Connection, index: Index) -> int:
    """Count the workloads that the index lacks."""
    with plain_errors():
        question = "SELECT count(*) FROM workloads WHERE id > ?"
        return int(connection.execute(question, (index.last_id,)).fetchone()[0])


def highest_number(connection: Connection) -> int:
    """Give the highest number that a workload was ever given; pruning lowers it not, an older copy of the file does."""
    with plain_errors():
        row = connection.execute("SELECT seq FROM sqlite_sequence WHERE name = 'workloads'").fetchone()
    return int(row["seq"]) if row else 0


def workloads_after(connection: Connection, number: int, limit: int) -> list[tuple[int, Workload]]:
    """Read stored workloads in order."""
    question = "SELECT id, facts FROM workloads WHERE id > ? ORDER BY id LIMIT ?"
    with plain_errors():
        return [(row["id"], workload_of(row["facts"], None)) for row in connection.execute(question, (number, limit))]


def latest_workloads(connection: Connection, limit: int) -> list[tuple[int, Workload]]:
    """Read those stored last."""
    question = "SELECT id, facts FROM workloads ORDER BY id DESC LIMIT ?"
    with plain_errors():
        return [(row["id"], workload_of(row["facts"], None)) for row in connection.execute(question, (limit,))]


def workloads_by_number(connection: Connection, numbers: Sequence[int]) -> dict[int, Workload]:
    """Read stored workloads; those that were pruned are absent."""
    question = f"SELECT id, facts FROM workloads WHERE id IN ({', '.join('?' * len(numbers))})"
    with plain_errors():
        return {row["id"]: workload_of(row["facts"], None) for row in connection.execute(question, list(numbers))}
