"""A store that is damaged: told, saved as far as it can be read, and copied while it is in use."""

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from tempfile import mkdtemp

from schedmate.errors import InputError, StoreError
from schedmate.history.database import FILE_NAME, open_database, transaction
from schedmate.history.read_only import open_as_it_lies

MOST_TOLD = 20
SIDES = ("", "-wal", "-shm")


@dataclass
class Repaired:
    """What a repair saved."""

    rows: dict[str, int] = field(default_factory=dict)
    unread: list[str] = field(default_factory=list)
    """Tables that could not be read to their end."""
    identity: str = ""
    kept: Path = Path()
    """Where the damaged file is now."""


def problems(data_dir: Path) -> list[str]:
    """List what is wrong with the store's file; nothing is changed."""
    path = data_dir / FILE_NAME
    if not path.exists():
        return [f"there is no {path}"]
    if not path.stat().st_size:
        return [f"{path} is empty"]
    try:
        with closing(open_as_it_lies(path)) as connection:
            told = [str(row[0]) for row in connection.execute(f"PRAGMA integrity_check({MOST_TOLD})")]
            orphans = connection.execute("PRAGMA foreign_key_check").fetchmany(MOST_TOLD)
    except (sqlite3.Error, StoreError) as error:
        return [f"it cannot be read: {error}"]
    wrong = [line for words in told if words != "ok" for line in words.splitlines()]
    return [*wrong, *(f"a row of {row[0]} belongs to none of {row[2]}" for row in orphans)][:MOST_TOLD]


def back_up(data_dir: Path, target: Path) -> None:
    """Copy the store as it is at one moment, while others read and write it."""
    if target.exists():
        raise InputError(f"{target} is there already", "name a file that is new")
    part = target.with_name(f"{target.name}.part{os.getpid()}")
    try:
        os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        with closing(open_database(data_dir)) as store, closing(sqlite3.connect(part)) as copy:
            store.backup(copy)
        with part.open("rb") as written:
            os.fsync(written.fileno())
        part.rename(target)
    except (OSError, sqlite3.Error, StoreError) as error:
        part.unlink(missing_ok=True)
        raise StoreError(f"the store was not copied to {target}: {error}", "check space and rights there") from error


def repair(data_dir: Path, identity: str) -> Repaired:
    """Move all that can be read into a new file; the damaged one is kept beside it.

    `identity` is what the folders of runs bear: where the file's own cannot be read, the new one bears this.
    """
    done, fresh = Repaired(), Path(mkdtemp(prefix="repair-", dir=data_dir))
    try:
        with closing(open_database(fresh)) as target:
            with suppress(sqlite3.Error), closing(sqlite3.connect(data_dir / FILE_NAME)) as source:
                copy_tables(source, target, done)
            settle_identity(target, identity, done)
            target.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        done.kept = next(path for k in count(1) if not (path := data_dir / f"{FILE_NAME}.damaged-{k}").exists())
        for side in SIDES:
            with suppress(FileNotFoundError):
                os.rename(data_dir / f"{FILE_NAME}{side}", f"{done.kept}{side}")
        os.rename(fresh / FILE_NAME, data_dir / FILE_NAME)
    finally:
        shutil.rmtree(fresh, ignore_errors=True)
    return done


def copy_tables(source: sqlite3.Connection, target: sqlite3.Connection, done: Repaired) -> None:
    """Copy the tables that this version knows, those that others refer to first."""
    made = target.execute(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY rowid"
    )
    for (table,) in made.fetchall():
        wanted = [row["name"] for row in target.execute(f"PRAGMA table_info({table})")]
        try:
            there = {row[1] for row in source.execute(f"PRAGMA table_info({table})")}
        except sqlite3.DatabaseError:
            done.unread.append(table)
            continue
        columns = [name for name in wanted if name in there]
        with transaction(target):
            target.execute(f"DELETE FROM {table}") if table == "identity" else None
            done.rows[table] = sum(kept(target, table, columns, row) for row in readable(source, table, columns, done))


def kept(target: sqlite3.Connection, table: str, columns: list[str], row: tuple[object, ...]) -> bool:
    """Put a row into the new file; one that belongs to a row which was lost is lost, too."""
    sql = f"INSERT OR IGNORE INTO {table} ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})"
    try:
        return bool(target.execute(sql, row).rowcount)
    except sqlite3.IntegrityError:
        return False


def readable(
    source: sqlite3.Connection, table: str, columns: list[str], done: Repaired
) -> Iterator[tuple[object, ...]]:
    """Read a table from its beginning as far as that goes, then from its end."""
    if not columns:
        return
    last = -(2**63)
    try:
        for rowid, *row in source.execute(f"SELECT rowid, {', '.join(columns)} FROM {table} ORDER BY rowid"):
            last = rowid
            yield tuple(row)
    except (sqlite3.DatabaseError, UnicodeDecodeError):
        done.unread.append(table)
        with suppress(sqlite3.DatabaseError, UnicodeDecodeError):
            back = f"SELECT {', '.join(columns)} FROM {table} WHERE rowid > ? ORDER BY rowid DESC"
            yield from source.execute(back, (last,))


def settle_identity(target: sqlite3.Connection, identity: str, done: Repaired) -> None:
    """Let the new file bear the old one's name; else that of the folders, so that they go on being its own."""
    row = target.execute("SELECT store FROM identity").fetchone()
    if row is None or not done.rows.get("identity"):
        target.execute("DELETE FROM identity")
        target.execute("INSERT INTO identity VALUES (coalesce(nullif(?, ''), lower(hex(randomblob(8)))))", (identity,))
    done.identity = str(target.execute("SELECT store FROM identity").fetchone()[0])
