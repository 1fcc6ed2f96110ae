"""The history's SQLite file: the truth that every index can be rebuilt from.

WAL lets readers and one writer work side by side; `busy_timeout` makes writers queue instead of failing. What is
committed survives a kill at any moment.
"""

import os
import shutil
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from importlib.resources import files
from pathlib import Path

from schedmate.errors import StoreError
from schedmate.schemas import Check
from schedmate.tools.locks import is_locked
from schedmate.tools.own_folder import claim
from schedmate.user_dirs import STORE_NAME

FILE_NAME = STORE_NAME

DOUBTED = "doubted"
"""A file that says that the store was damaged or exchanged under a loop, and has not been looked through since."""
LOCK_NAME = "up.lock"
"""What a loop holds locked while it is up; its process stands in it."""
BUSY_MS = 10_000
SWITCH_S = 10.0
LOW_DISK_BYTES = 200 * 1024 * 1024
HINTS = {
    "SQLITE_FULL": "free space, or name another SCHEDMATE_DATA_DIR; what was committed is kept",
    "SQLITE_IOERR_SHORT_READ": "its write-ahead log was cut: a loop that is up ends; then schedmate history check",
    "SQLITE_IOERR": "check the disk and its quota; what was committed is kept",
    "SQLITE_BUSY": "another process has been writing for long; try again",
    "SQLITE_READONLY": "the file or its directory is not writable",
    "SQLITE_CORRUPT": "schedmate history check says more; schedmate history repair saves what can be read",
    "SQLITE_NOTADB": "schedmate history repair puts a new one in its place, and keeps this one",
}


def migrations() -> list[tuple[int, str]]:
    """Read the numbered scripts, oldest first."""
    folder = files("schedmate.history").joinpath("migrations")
    scripts = [entry for entry in folder.iterdir() if entry.name.endswith(".sql")]
    return sorted((int(entry.name.split("_")[0]), entry.read_text("utf-8")) for entry in scripts)


def open_database(data_dir: Path) -> sqlite3.Connection:
    """Open the history and bring it up to this version; a newer one is refused, not harmed."""
    try:
        claim(data_dir)
        refuse_lost(data_dir)
        # Jobs are kept with their environment, and that with its tokens; SQLite gives its side files the same rights.
        # Made only if new: to close a file that SQLite has open elsewhere in this process would end its locks.
        with suppress(FileExistsError):
            os.close(os.open(data_dir / FILE_NAME, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
        connection = sqlite3.connect(
            data_dir / FILE_NAME, timeout=BUSY_MS / 1000, isolation_level=None, check_same_thread=False
        )
        connection.row_factory = sqlite3.Row
        use_log(connection)
        connection.execute("PRAGMA synchronous=NORMAL")
        connection.execute("PRAGMA foreign_keys=ON")
        migrate(connection, data_dir / FILE_NAME)
    except (sqlite3.Error, OSError) as error:
        locked = os.access(data_dir, os.F_OK) and not os.access(data_dir, os.W_OK)
        why = "nothing may be written there" if locked else error
        hint = plain_error(error).hint if isinstance(error, sqlite3.Error) else "see SCHEDMATE_DATA_DIR"
        raise StoreError(f"the history in {data_dir} cannot be opened: {why}", hint) from error
    return connection


def refuse_lost(data_dir: Path) -> None:
    """Make no new store in the place of one that was lost: it would disown the runs of the old one.

    While a loop is up only the loop makes one. Others wait: it does, or it sees that its store was lost and ends.
    """
    path, limit_s = data_dir / FILE_NAME, time.monotonic() + SWITCH_S
    while others_loop(data_dir) and not has_bytes(path) and time.monotonic() < limit_s:
        time.sleep(0.02)
    log = path.with_name(f"{path.name}-wal")  # asked before the store: who makes a new one makes that before its log
    is_left = log.exists() or (data_dir / DOUBTED).exists() or others_loop(data_dir)
    if is_left and not has_bytes(path):
        raise StoreError(
            f"{path} was lost while it was in use",
            "put it back; or schedmate history repair makes one to which the folders of the runs belong",
        )


def has_bytes(path: Path) -> bool:
    """Tell whether there is a store, and not only its name."""
    try:
        return path.stat().st_size > 0
    except FileNotFoundError:
        return False


def others_loop(data_dir: Path) -> bool:
    """Tell whether a loop is up that is not this process."""
    lock = data_dir / LOCK_NAME
    if not is_locked(lock):
        return False
    with suppress(OSError):
        return lock.read_bytes()[:32].strip() != str(os.getpid()).encode()
    return True


def use_log(connection: sqlite3.Connection) -> None:
    """Switch a new file to its write-ahead log: SQLite does not queue for that, so who meets another tries again."""
    limit_s = time.monotonic() + SWITCH_S
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
            return
        except sqlite3.OperationalError as error:
            if not error.sqlite_errorname.startswith("SQLITE_BUSY") or time.monotonic() > limit_s:
                raise
            time.sleep(0.01)


def migrate(connection: sqlite3.Connection, path: Path) -> None:
    """Run the scripts that this file has not seen, each in a transaction of its own."""
    refuse_newer(connection, path)
    before = stored_version(connection)
    for number, script in migrations():
        if stored_version(connection) >= number:
            continue
        with transaction(connection):
            # Another process may have migrated while this one waited for the lock.
            if stored_version(connection) < number:
                for statement in statements(script):
                    connection.execute(statement)
                connection.execute(f"PRAGMA user_version={number:d}")
    if stored_version(connection) != before:  # tables and identity outlive the loss of the write-ahead log
        connection.execute("PRAGMA wal_checkpoint(PASSIVE)")


def newest_version() -> int:
    """Tell which migration is the last one known."""
    return migrations()[-1][0]


def refuse_newer(connection: sqlite3.Connection, path: Path) -> None:
    """Leave alone what a later version wrote."""
    stored, newest = stored_version(connection), newest_version()
    if stored > newest:
        raise StoreError(
            f"{path} was written by a newer SchedMate (version {stored}, this one knows {newest})",
            "upgrade: pip install --upgrade schedmate; or name another SCHEDMATE_DATA_DIR",
        )


def statements(script: str) -> Iterator[str]:
    """Cut a script into statements; a trigger's body keeps its semicolons."""
    statement = ""
    for piece in script.split(";"):
        statement += piece + ";"
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""


def stored_version(connection: sqlite3.Connection) -> int:
    """Tell which migration ran last."""
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """Write all or nothing, taking the write lock at once, so that two writers queue and never deadlock."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:  # SQLite itself rolls back when the disk is full
            connection.execute("ROLLBACK")
        raise


@contextmanager
def savepoint(connection: sqlite3.Connection) -> Iterator[None]:
    """Write all or nothing as a part of a transaction, which goes on either way."""
    connection.execute("SAVEPOINT part")
    try:
        yield
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK TO part")
            connection.execute("RELEASE part")
        raise
    connection.execute("RELEASE part")


@contextmanager
def plain_errors(what: str = "read") -> Iterator[None]:
    """Tell of a full disk, a lock that is not given up and a damaged file in one line; a bug keeps its traceback."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        if type(error) not in {sqlite3.OperationalError, sqlite3.DatabaseError}:
            raise
        name = getattr(error, "sqlite_errorname", "")
        hint = next((hint for start, hint in HINTS.items() if name.startswith(start)), "see SCHEDMATE_DATA_DIR")
        raise StoreError(f"the history cannot be {what}: {error}", hint) from error


def plain_error(error: sqlite3.Error) -> StoreError:
    """Say in one line what is wrong with the store, and what leads out of it."""
    name = getattr(error, "sqlite_errorname", "")
    hint = next((hint for start, hint in HINTS.items() if name.startswith(start)), "see SCHEDMATE_DATA_DIR")
    return StoreError(f"the store cannot be used: {error}", hint)


def identity(connection: sqlite3.Connection) -> str:
    """Name this history, as no other is named."""
    with plain_errors():
        return str(connection.execute("SELECT store FROM identity").fetchone()[0])


def check_database(data_dir: Path) -> Check:
    """Open the history, write inside a transaction that is rolled back, and look at the free disk."""
    with closing(open_database(data_dir)) as connection:
        mode = connection.execute("PRAGMA journal_mode").fetchone()[0]
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("ROLLBACK")
        version = stored_version(connection)
    if mode != "wal":
        return Check(
            name="store",
            status="failed",
            detail=f"{data_dir} does not support WAL (mode {mode})",
            remedy="put SCHEDMATE_DATA_DIR on a local disk: SQLite's WAL does not work over NFS",
        )
    free = shutil.disk_usage(data_dir).free
    if free < LOW_DISK_BYTES:
        return Check(
            name="store",
            status="failed",
            detail=f"{data_dir} has {free >> 20} MiB left",
            remedy="free space, or name another SCHEDMATE_DATA_DIR",
        )
    if not os.access(data_dir, os.W_OK):
        return Check(name="store", status="failed", detail=f"{data_dir} is not writable", remedy="chmod u+w it")
    return Check(name="store", status="ok", detail=f"SQLite {sqlite3.sqlite_version}, version {version}, {data_dir}")
