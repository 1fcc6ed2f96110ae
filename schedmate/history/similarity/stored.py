"""Similar jobs out of the store: candidates by vector, then compared field by field.

The vectors in Chroma are a cache of the workloads in SQLite. Importing Chroma costs a second, which is more than
comparing a few thousand workloads outright, so a small history does without.
"""

from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from sqlite3 import Connection

import numpy as np

from schedmate.history.database import plain_errors
from schedmate.history.jobs import jobs_of_workload
from schedmate.history.similarity.comparing import Likeness, compare, texts_of
from schedmate.history.similarity.memory import CANDIDATES
from schedmate.history.similarity.names import NameCloseness
from schedmate.history.similarity.vectors import VERSION, workload_vector
from schedmate.history.vectors import VectorIndex, open_vectors
from schedmate.schemas import PastJob, Workload

OUTRIGHT = 2_000
"""Workloads up to which all are compared, without an index."""
PIECE = 2_000


def find_similar(
    connection: Connection,
    data_dir: Path,
    workload: Workload,
    names: NameCloseness,
    *,
    threshold: float,
    top: int,
    now_s: float | None = None,
    note: Callable[[str], None] = lambda text: None,
) -> list[tuple[PastJob, Likeness]]:
    """Give the most similar jobs that had ended by `now_s`, latest first among equals."""
    compared = []
    near = candidates(connection, data_dir, workload, names, note)
    names.prepare(texts_of(near.values()))
    for number, other in near.items():
        likeness = compare(workload, other, names)
        if likeness.similarity >= threshold:
            compared.append((likeness, number))
    found: list[tuple[PastJob, Likeness]] = []
    for likeness, number in sorted(compared, key=lambda pair: -pair[0].raw):
        if len(found) < top:
            found += [(past, likeness) for past in jobs_of_workload(connection, number, now_s, top - len(found))]
    return found


def candidates(
    connection: Connection, data_dir: Path, workload: Workload, names: NameCloseness, note: Callable[[str], None]
) -> dict[int, Workload]:
    """Give the stored workloads that may be similar, by their numbers."""
    with plain_errors():
        count = int(connection.execute("SELECT count(*) FROM workloads").fetchone()[0])
    if count <= OUTRIGHT:
        return dict(stored_workloads(connection, 0))
    with open_vectors(data_dir, collection_name(names), note) as index:
        catch_up(connection, index, names)
        near = index.nearest(workload_vector(workload, names), CANDIDATES)
    numbers = [int(name) for name, _ in near]
    question = f"SELECT id, facts FROM workloads WHERE id IN ({', '.join('?' * len(numbers))})"
    with plain_errors():
        return {row["id"]: Workload.model_validate_json(row["facts"]) for row in connection.execute(question, numbers)}


def stored_workloads(connection: Connection, after: int) -> Iterator[tuple[int, Workload]]:
    """Read the workloads that came after one, by their numbers."""
    with plain_errors():
        for row in connection.execute("SELECT id, facts FROM workloads WHERE id > ? ORDER BY id", (after,)):
            yield row["id"], Workload.model_validate_json(row["facts"])


def collection_name(names: NameCloseness) -> str:
    """Give each embedder, and each way to make vectors, a collection of its own."""
    return f"workloads-{sha256(f'{names.embedder.name}/{VERSION}'.encode()).hexdigest()[:16]}"


def catch_up(connection: Connection, index: VectorIndex, names: NameCloseness) -> None:
    """Add the workloads that the index does not hold yet; numbers are never used twice."""
    known = index.collection.get(include=[])["ids"] if index.count() else []
    after = max(map(int, known), default=0)
    piece: list[tuple[int, Workload]] = []
    for pair in stored_workloads(connection, after):
        piece.append(pair)
        if len(piece) == PIECE:
            add_piece(index, piece, names)
            piece = []
    add_piece(index, piece, names)


def add_piece(index: VectorIndex, piece: list[tuple[int, Workload]], names: NameCloseness) -> None:
    """Embed the names of some workloads in one go, and add their vectors."""
    if piece:
        names.prepare(texts_of(workload for _, workload in piece))
        vectors = np.stack([workload_vector(workload, names) for _, workload in piece])
        index.add([str(number) for number, _ in piece], vectors)
