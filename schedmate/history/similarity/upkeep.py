"""Index what the store holds when nobody waits for an answer: after an import, and anew on request."""

import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from sqlite3 import Connection

from schedmate.history.database import identity
from schedmate.history.indexing import Advance, Index, Note, catch_up, count_workloads, open_index, reindex, ways
from schedmate.history.similarity.names import NameCloseness
from schedmate.history.similarity.stored import OUTRIGHT, WorkloadVectors

BEFORE = ("workload-vectors", "workload-chroma")
"""Folders of indexes of earlier versions."""


def index_anew(
    connection: Connection, data_dir: Path, setting: str, names: NameCloseness, advance: Advance, note: Note
) -> tuple[int, str]:
    """Make all vectors anew; count them and name the index they are in."""
    for folder in BEFORE:
        shutil.rmtree(data_dir / folder, ignore_errors=True)
    with open_to_write(connection, data_dir, setting, names, note) as (way, index, vectoriser):
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
    if count_workloads(connection) <= OUTRIGHT:
        return 0
    with open_to_write(connection, data_dir, setting, names(), note) as (_, index, vectoriser):
        return catch_up(connection, index, vectoriser, advance, note, most=sys.maxsize)


@contextmanager
def open_to_write(
    connection: Connection, data_dir: Path, setting: str, names: NameCloseness, note: Note
) -> Iterator[tuple[str, Index, WorkloadVectors]]:
    """Open the index in charge; name which."""
    vectoriser, way = WorkloadVectors(names, identity(connection)), ways(setting)[0]
    with open_index(data_dir, way, vectoriser, note) as index:
        yield way, index, vectoriser
