"""Index what the store holds when nobody waits for an answer: after an import, and anew on request."""

import sys
from collections.abc import Callable
from pathlib import Path
from sqlite3 import Connection

from schedmate.history.choosing import open_to_write
from schedmate.history.database import identity
from schedmate.history.indexing import Advance, catch_up, count_workloads, reindex
from schedmate.history.similarity.names import NameCloseness
from schedmate.history.similarity.stored import OUTRIGHT, WorkloadVectors

Note = Callable[[str], None]


def index_anew(
    connection: Connection, data_dir: Path, setting: str, names: NameCloseness, advance: Advance, note: Note
) -> tuple[int, str]:
    """Make all vectors anew; count them and name the index they are in."""
    vectoriser = WorkloadVectors(names, identity(connection))
    count = count_workloads(connection)
    with open_to_write(data_dir, setting, count, vectoriser, note) as (way, index):
        return reindex(connection, index, vectoriser, advance), way


def index_new(
    connection: Connection,
    data_dir: Path,
    setting: str,
    names: Callable[[], NameCloseness],
    advance: Advance,
    note: Note,
) -> int:
    """Take in all that the index lacks, so that the next question need not; a small history needs no index."""
    count = count_workloads(connection)
    if count <= OUTRIGHT:
        return 0
    vectoriser = WorkloadVectors(names(), identity(connection))
    with open_to_write(data_dir, setting, count, vectoriser, note) as (_, index):
        return catch_up(connection, index, vectoriser, advance, note, most=sys.maxsize)
