"""A history that may be looked at and not written: on a read-only disk, or another's."""

import os
import sqlite3
from pathlib import Path

from schedmate.errors import StoreError
from schedmate.history.database import (
    BUSY_MS,
    FILE_NAME,
    newest_version,
    open_database,
    plain_errors,
    refuse_newer,
    stored_version,
)

COPY = "copy its directory to where you may write, and name the copy in SCHEDMATE_DATA_DIR"


class ReadOnly(sqlite3.Connection):
    """A connection through which nothing can be written."""


def look_into(data_dir: Path) -> sqlite3.Connection:
    """Open the history for reading; `ReadOnly` where it may not be written."""
    path = data_dir / FILE_NAME
    if not os.access(path, os.F_OK) or all(os.access(place, os.W_OK) for place in (data_dir, path)):
        return open_database(data_dir)
    with plain_errors():
        connection = open_as_it_lies(path)
    try:
        connection.row_factory = sqlite3.Row
        refuse_newer(connection, path)
        if stored_version(connection) < newest_version():
            raise StoreError(f"{path} was written by an older SchedMate, and may not be brought up to this one", COPY)
    except BaseException:
        connection.close()
        raise
    return connection


def open_as_it_lies(path: Path) -> sqlite3.Connection:
    """Open beside those who have it open; where nobody has, SQLite must be told that nobody will write meanwhile."""
    try:
        return connect(path, "mode=ro")
    except sqlite3.OperationalError:
        log = path.with_name(f"{path.name}-wal")
        if log.exists() and log.stat().st_size:
            raise StoreError(f"{path} may not be written, and lacks what {log.name} holds", COPY) from None
        return connect(path, "mode=ro&immutable=1")


def connect(path: Path, options: str) -> sqlite3.Connection:
    """Connect, and read once, as only that tells whether it can be read."""
    address = f"{path.absolute().as_uri()}?{options}"
    connection = sqlite3.connect(address, uri=True, timeout=BUSY_MS / 1000, isolation_level=None, factory=ReadOnly)
    try:
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def only_looked_at(connection: sqlite3.Connection, data_dir: Path) -> str:
    """Say what cannot be written; empty where all can."""
    return f"{data_dir} may not be written: its history is only read" if isinstance(connection, ReadOnly) else ""
