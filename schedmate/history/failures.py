"""What people said of failures: remembered on request, found again by the same or a like line, and taken back."""

import time
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from sqlite3 import Connection, Row
from typing import TYPE_CHECKING, Protocol

from schedmate.history.database import FILE_NAME, identity, open_database, plain_errors, transaction
from schedmate.history.read_only import look_into
from schedmate.schemas import Diagnosis

if TYPE_CHECKING:  # slow to import, and the same line is found without
    import numpy as np
    from numpy.typing import NDArray

    from schedmate.history.vector_index import VectorIndex


class Embeds(Protocol):
    """What is asked of an embedder here: its name, because vectors of two embedders do not compare, and its vectors."""

    @property
    def name(self) -> str: ...
    def embed(self, texts: Sequence[str]) -> "NDArray[np.float32]": ...


LOOKED_AT = 8
"""Nearest vectors that are looked up, as some may be of what was taken back."""


@dataclass(frozen=True, slots=True)
class PastFailure:
    """A diagnosis made before and how similar its root line is to the one asked about."""

    number: int
    similarity: float
    made_at_s: float
    log: str
    root_text: str
    diagnosis: Diagnosis


def remember(data_dir: Path, log: str, root_text: str, diagnosis: Diagnosis) -> int:
    """Keep a diagnosis; the same log with the same root is one memory with the latest answer. Give its number."""
    row = (time.time(), log, root_text, diagnosis.failure_id, diagnosis.category, diagnosis.model_dump_json())
    with closing(open_database(data_dir)) as connection, plain_errors("written"), transaction(connection):
        connection.execute(
            "INSERT INTO diagnoses (made_at, log, root_text, failure_id, category, answer) VALUES (?, ?, ?, ?, ?, ?)"
            " ON CONFLICT (log, root_text) DO UPDATE SET made_at = excluded.made_at,"
            " failure_id = excluded.failure_id, category = excluded.category, answer = excluded.answer",
            row,
        )
        same = "SELECT id FROM diagnoses WHERE log = ? AND root_text = ?"
        return int(connection.execute(same, (log, root_text)).fetchone()["id"])


def remembered(data_dir: Path) -> list[PastFailure]:
    """List what is remembered, oldest first."""
    if not (data_dir / FILE_NAME).exists():
        return []
    with closing(look_into(data_dir)) as connection, plain_errors():
        rows = connection.execute("SELECT * FROM diagnoses WHERE category != '' ORDER BY made_at").fetchall()
    return [past_failure(row, 1.0) for row in rows]


def forget(data_dir: Path, number: int) -> bool:
    """Take a memory back. Its number stays taken, as the index may hold a vector of that number; nothing else stays."""
    blank = "UPDATE diagnoses SET made_at = 0, log = '', root_text = id, failure_id = NULL, category = '', answer = ''"
    with closing(open_database(data_dir)) as connection, plain_errors("written"), transaction(connection):
        return connection.execute(f"{blank} WHERE id = ? AND category != ''", (number,)).rowcount == 1


def same_failure(data_dir: Path, failure_id: str | None, root_text: str) -> PastFailure | None:
    """Find what was said last of the very same line; no embedder is asked."""
    question = (
        "SELECT * FROM diagnoses WHERE root_text = ? AND failure_id IS ? AND category != ''"
        " ORDER BY made_at DESC LIMIT 1"
    )
    with closing(look_into(data_dir)) as connection, plain_errors():
        row = connection.execute(question, (root_text, failure_id)).fetchone()
    return past_failure(row, 1.0) if row else None


def similar_failures(
    data_dir: Path, root_text: str, embedder: Embeds, k: int = 3, note: Callable[[str], None] = lambda text: None
) -> list[PastFailure]:
    """Find the k past failures whose root lines are nearest, most similar first; nothing remembered finds nothing."""
    from schedmate.history.vector_index import open_vectors

    with closing(open_database(data_dir)) as connection:
        if connection.execute("SELECT 1 FROM diagnoses WHERE category != '' LIMIT 1").fetchone() is None:
            return []
        asked = embedder.embed([root_text])[0]
        with open_vectors(data_dir, kind_of(embedder, connection), len(asked), note) as index:
            catch_up(connection, index, embedder)
            found = index.nearest(asked, k + LOOKED_AT)
        alive = [past_failure(row, cosine) for number, cosine in found if (row := row_by_id(connection, number))]
    return alive[:k]


def kind_of(embedder: Embeds, connection: Connection) -> str:
    """Give each embedder an index of its own, and each history."""
    return f"failures-{sha256(f'{embedder.name}/{identity(connection)}'.encode()).hexdigest()[:16]}"


def catch_up(connection: Connection, index: "VectorIndex", embedder: Embeds) -> None:
    """Embed what SQLite holds and the index does not."""
    import numpy as np

    question = "SELECT id, root_text FROM diagnoses WHERE id > ? AND category != '' ORDER BY id"
    new = connection.execute(question, (index.last_id,)).fetchall()
    if new:
        index.add(np.array([row["id"] for row in new]), embedder.embed([row["root_text"] for row in new]))
    index.settle()


def row_by_id(connection: Connection, number: int) -> Row | None:
    """Read one memory; None for a vector whose row is gone or was taken back."""
    question = "SELECT * FROM diagnoses WHERE id = ? AND category != ''"
    row: Row | None = connection.execute(question, (number,)).fetchone()
    return row


def past_failure(row: Row, similarity: float) -> PastFailure:
    """Turn a row into what is handed out."""
    answer = Diagnosis.model_validate_json(row["answer"])
    return PastFailure(row["id"], similarity, row["made_at"], row["log"], row["root_text"], answer)
