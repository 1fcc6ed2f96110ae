"""Whether the store's files are still those that were opened, and whole.

A write-ahead log that was cut or overwritten under an open connection shows only where a page is read from it, and
closing the connection would copy what is left of it into the database. A file that was put in the place of the open one
shows never. So who keeps the store open for long looks at the files themselves.
"""

import os
import sqlite3
import struct
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from schedmate.errors import StoreError
from schedmate.history.database import DOUBTED, FILE_NAME

HEADER_BYTES, FRAME_BYTES = 32, 24

INDEX = struct.Struct("=12xBxHI4x8s8s")
"""Of the index of the log: whether it is settled, the size of a page, the last frame, its checksum, the log's salts."""
INDEX_BYTES = 48
DAMAGE = ("SQLITE_CORRUPT", "SQLITE_NOTADB", "SQLITE_IOERR_SHORT_READ")
WAY_OUT = (
    "jobs that run go on; schedmate history check says more, and schedmate up goes on from what their folders prove"
)


class StoreChanged(StoreError):
    """Say that the store was damaged or exchanged while it was open: it may be neither written to nor closed."""


class LogIndex(NamedTuple):
    """What the connections know of their write-ahead log."""

    frames: int
    frame_bytes: int
    checksum: bytes
    salts: bytes


class OpenFiles:
    """Remembers which files a connection has open.

    The index is opened once and kept: to close a file ends all locks that this process, and so SQLite, has on it.
    """

    def __init__(self, data_dir: Path) -> None:
        self.data_dir = data_dir
        self.paths = [data_dir / f"{FILE_NAME}{end}" for end in ("", "-wal", "-shm")]
        self.opened = [place_of(path) for path in self.paths]
        self.bytes_opened = self.paths[0].stat().st_size
        self.index = os.open(self.paths[2], os.O_RDONLY | os.O_CLOEXEC) if self.opened[2] else -1

    def close(self) -> None:
        """Let go of the index; only once the connection is closed."""
        if self.index >= 0:
            os.close(self.index)
            self.index = -1

    def look(self) -> None:
        """Raise where a file is another than the one that was opened, or the log is not the one that was written."""
        for path, opened in zip(self.paths, self.opened, strict=True):
            if place_of(path) != opened:
                raise StoreChanged(f"{path} is gone, or another than the one that was opened", WAY_OUT)
        if self.paths[0].stat().st_size < self.bytes_opened:  # it only grows: nothing here vacuums it
            raise StoreChanged(f"{self.paths[0]} was cut", WAY_OUT)
        if self.index >= 0 and (words := self.log_damage()):
            raise StoreChanged(f"{self.paths[1]} {words}", WAY_OUT)

    def log_damage(self) -> str:
        """Say what is wrong with the log; what is being written while we look is looked at the next time."""
        before = self.read_index()
        if before is None or not before.frames:
            return ""
        size = self.paths[1].stat().st_size
        with self.paths[1].open("rb") as log:
            salts = log.read(HEADER_BYTES)[16:24]
            log.seek(HEADER_BYTES + (before.frames - 1) * before.frame_bytes)
            last = log.read(FRAME_BYTES)
        if self.read_index() != before:
            return ""
        if size < HEADER_BYTES + before.frames * before.frame_bytes:
            return "was cut"
        if salts != before.salts or last[16:24] != before.checksum:
            return "was written over"
        return ""

    def read_index(self) -> LogIndex | None:
        """Read the index twice over, as it is kept; None where both differ, which is while it is being written."""
        raw = os.pread(self.index, 2 * INDEX_BYTES, 0)
        if len(raw) < 2 * INDEX_BYTES or raw[:INDEX_BYTES] != raw[INDEX_BYTES:]:
            return None
        settled, page_bytes, frames, checksum, salts = INDEX.unpack(raw[: INDEX.size])
        sums = struct.pack(">2I", *struct.unpack("=2I", checksum))
        page_bytes = 65536 if page_bytes == 1 else page_bytes
        return LogIndex(frames, FRAME_BYTES + page_bytes, sums, salts) if settled else None


def place_of(path: Path) -> tuple[int, int] | None:
    """Tell one file from another of the same name; None where there is none."""
    try:
        status = path.stat()
    except FileNotFoundError:
        return None
    return status.st_dev, status.st_ino


def is_damage(error: BaseException) -> bool:
    """Tell an error of a damaged store from one that may pass."""
    return isinstance(error, sqlite3.DatabaseError) and getattr(error, "sqlite_errorname", "").startswith(DAMAGE)


def doubt(data_dir: Path) -> None:
    """Ask the next loop to look through the whole store before it goes on."""
    with suppress(OSError):
        os.close(os.open(data_dir / DOUBTED, os.O_CREAT | os.O_WRONLY | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600))


def look_through(data_dir: Path) -> None:
    """Where the store is doubted, look through all of it; refuse to go on with one that is damaged."""
    from schedmate.history.repairing import problems

    if not (data_dir / DOUBTED).exists():
        return
    if found := problems(data_dir):
        hint = "schedmate history repair saves what can be read, and keeps the damaged file; then schedmate up"
        raise StoreError(f"the store in {data_dir} is damaged: {found[0]}", hint)
    (data_dir / DOUBTED).unlink(missing_ok=True)
