"""Keep the index of workloads in step with SQLite, which is the truth, and find stored workloads by vector."""

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from hashlib import blake2b
from pathlib import Path
from sqlite3 import Connection
from typing import Protocol

import numpy as np

from schedmate.errors import StoreError
from schedmate.history.cells import Floats, Ints
from schedmate.history.database import plain_errors
from schedmate.history.rows import workload_of
from schedmate.history.vector_files import VectorFiles
from schedmate.schemas import Workload

BATCH = 2_000
UNWAITED = 5_000
"""So many vectors a reader makes for itself where another process is at it; more would take seconds."""
FILES_FOLDER = "workload-vectors"
CHROMA_FOLDER = "workload-chroma"

OPENED = threading.local()

Advance = Callable[[int, int], None]


class Vectorises(Protocol):
    """What turns workloads into vectors of length 1; its name changes whenever the vectors do."""

    @property
    def name(self) -> str: ...
    @property
    def dimensions(self) -> int: ...
    def vectors(self, workloads: Sequence[Workload]) -> Floats: ...


class Index(Protocol):
    """Where vectors lie: in files, or in Chroma."""

    @property
    def most_on_the_way(self) -> int:
        """How many workloads may be indexed while somebody waits."""
        ...

    @property
    def last_id(self) -> int: ...
    def __len__(self) -> int: ...
    def nearest(self, vector: Floats, k: int) -> list[tuple[int, float]]: ...
    def add(self, ids: Ints, vectors: Floats) -> None: ...
    def extend(self, ids: Ints, vectors: Floats) -> None: ...
    def settle(self) -> None: ...
    def clear(self) -> None: ...
    def alone(self, wait: bool = True) -> AbstractContextManager[bool]: ...


@contextmanager
def open_index(
    data_dir: Path, where: str, vectoriser: Vectorises, note: Callable[[str], None] = lambda text: None
) -> Iterator[Index]:
    """Open our own files (built-in), Chroma in a directory that becomes ours (chroma), or a server by its URL."""
    mark = blake2b(vectoriser.name.encode(), digest_size=8).hexdigest()
    if where == "built-in":
        try:
            yield open_files(data_dir / FILES_FOLDER / mark, vectoriser.dimensions, note)
        except OSError as error:
            raise StoreError(f"the vector index in {data_dir} cannot be used: {error}", "check the disk") from error
    elif where == "chroma":
        from schedmate.history.chroma_embedded import open_embedded

        yield open_embedded(data_dir / CHROMA_FOLDER / mark, note)
    else:
        from schedmate.history.chroma_server import open_server

        with open_server(data_dir, where, f"workloads-{mark}", note) as server:
            yield server


def open_files(folder: Path, dimensions: int, note: Callable[[str], None]) -> VectorFiles:
    """Open the files once a thread: a scheduler asks many times, and only what came since has to be read."""
    opened: dict[str, VectorFiles] = OPENED.__dict__
    files = opened.get(str(folder))
    if files is None or not folder.exists() or files.dimensions != dimensions:
        opened[str(folder)] = files = VectorFiles(folder, dimensions, note)
    files.note = note
    files.refresh()
    return files


def catch_up(
    connection: Connection,
    index: Index,
    vectoriser: Vectorises,
    advance: Advance = lambda done, total: None,
    note: Callable[[str], None] = lambda text: None,
    most: int | None = None,
) -> int:
    """Make the vectors of workloads that the index lacks, and count them.

    Where they are more than anybody waits for, some are made, and that is an error. While another process makes them, a
    reader does not wait: it makes up to some thousand for itself.
    """
    most = index.most_on_the_way if most is None else most
    if index.last_id > highest_number(connection):
        note("the vector index knows more workloads than the history, which was put back: it is made anew")
        with told_plainly(), index.alone():
            index.clear()
    if not missing(connection, index):
        return 0
    with told_plainly(), index.alone(wait=False) as had:
        lacking = missing(connection, index)
        if not had and lacking > UNWAITED:
            note(f"{lacking:,} workloads are not found yet: another process is indexing them, or nobody may write here")
            return 0
        done = fill(connection, index, vectoriser, index.add if had else index.extend, advance, min(lacking, most))
        if had:
            index.settle()
    if done < lacking:
        raise StoreError(
            f"the vector index lacked {lacking:,} workloads and took in {done:,}, as it does with each question",
            "for all at once run: schedmate history reindex",
        )
    return done


def reindex(
    connection: Connection, index: Index, vectoriser: Vectorises, advance: Advance = lambda done, total: None
) -> int:
    """Make all vectors anew."""
    with told_plainly(), index.alone():
        index.clear()
        done = fill(connection, index, vectoriser, index.add, advance, missing(connection, index))
        index.settle()
        return done


def fill(
    connection: Connection,
    index: Index,
    vectoriser: Vectorises,
    put: Callable[[Ints, Floats], None],
    advance: Advance,
    total: int,
) -> int:
    """Embed and add so many, batch by batch, so that a kill loses one batch at most."""
    done = 0
    while done < total and (batch := workloads_after(connection, index.last_id, min(BATCH, total - done))):
        vectors = vectoriser.vectors([workload for _, workload in batch])
        put(np.array([number for number, _ in batch], np.int64), vectors)
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


@contextmanager
def told_plainly() -> Iterator[None]:
    """Tell of a full disk in one line."""
    try:
        yield
    except OSError as error:
        raise StoreError(f"the vector index cannot be written: {error}", "free space; SQLite holds all jobs") from error
