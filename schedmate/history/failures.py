"""Past diagnoses: remembered on request, found again when a failure is unknown to the catalogue."""

import time
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from sqlite3 import Connection, Row
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from schedmate.history.database import identity, open_database, plain_errors, transaction
from schedmate.history.vectors import VectorIndex, open_vectors
from schedmate.schemas import Diagnosis


class Embeds(Protocol):
    """What is asked of an embedder here: its name, because vectors of two embedders do not compare, and its vectors."""

    @property
    def name(self) -> str: ...
    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]: ...


@dataclass(frozen=True, slots=True)
class PastFailure:
    """A diagnosis made before and how similar its root line is to the one asked about."""

    similarity: float
    log: str
    root_text: str
    diagnosis: Diagnosis


def remember(data_dir: Path, log: str, root_text: str, diagnosis: Diagnosis) -> None:
    """Keep a diagnosis; the same log with the same root is one memory, and the latest answer is the one kept."""
    row = (time.time(), log, root_text, diagnosis.failure_id, diagnosis.category, diagnosis.model_dump_json())
    with closing(open_database(data_dir)) as connection, plain_errors("written"), transaction(connection):
        connection.execute(
            "INSERT INTO diagnoses (made_at, log, root_text, failure_id, category, answer) VALUES (?, ?, ?, ?, ?, ?)"
            " ON CONFLICT (log, root_text) DO UPDATE SET made_at = excluded.made_at,"
            " failure_id = excluded.failure_id, category = excluded.category, answer = excluded.answer",
            row,
        )


def similar_failures(
    data_dir: Path, root_text: str, embedder: Embeds, k: int = 3, note: Callable[[str], None] = lambda text: None
) -> list[PastFailure]:
    """Find the k past failures whose root lines are nearest, most similar first; nothing remembered finds nothing."""
    with closing(open_database(data_dir)) as connection:
        if connection.execute("SELECT 1 FROM diagnoses LIMIT 1").fetchone() is None:
            return []
        asked = embedder.embed([root_text])[0]
        with open_vectors(data_dir, kind_of(embedder, connection), len(asked), note) as index:
            catch_up(connection, index, embedder)
            found = index.nearest(asked, k)
        return [past_failure(row, cosine) for number, cosine in found if (row := row_by_id(connection, number))]


def kind_of(embedder: Embeds, connection: Connection) -> str:
    """Give each embedder an index of its own, and each history."""
    return f"failures-{sha256(f'{embedder.name}/{identity(connection)}'.encode()).hexdigest()[:16]}"


def catch_up(connection: Connection, index: VectorIndex, embedder: Embeds) -> None:
    """Embed what SQLite holds and the index does not."""
    question = "SELECT id, root_text FROM diagnoses WHERE id > ? ORDER BY id"
    new = connection.execute(question, (index.last_id,)).fetchall()
    if new:
        index.add(np.array([row["id"] for row in new]), embedder.embed([row["root_text"] for row in new]))
    index.settle()


def row_by_id(connection: Connection, number: int) -> Row | None:
    """Read one memory; None for a vector whose row is gone."""
    row: Row | None = connection.execute("SELECT * FROM diagnoses WHERE id = ?", (number,)).fetchone()
    return row


def past_failure(row: Row, similarity: float) -> PastFailure:
    """Turn a row into what is handed out."""
    return PastFailure(similarity, row["log"], row["root_text"], Diagnosis.model_validate_json(row["answer"]))
