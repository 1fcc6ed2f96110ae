"""Chroma in a directory that one process owns, for as long as it lives if it likes.

Several processes on one Chroma directory lose each other's vectors, so a file lock keeps a second one out. The
directory is a cache of the history's SQLite file: a broken one is left aside and filled anew.
"""

import fcntl
import logging
import os
import shutil
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import RLock
from typing import Any

from schedmate.errors import StoreError
from schedmate.history.chroma_files import Seen, check_sums, look, sums_path, write_sums

ROOM = 1 << 18
"""Bytes that a new Chroma directory takes."""
HNSW = {"space": "cosine", "ef_construction": 200, "max_neighbors": 32, "ef_search": 200}


class OwnedElsewhere(StoreError):
    """Say that another process owns the directory."""


class ChromaDirectory:
    """One collection, opened; the directory is this process's until it is closed."""

    def __init__(self, parent: Path, name: str, note: Callable[[str], None], wait_s: float) -> None:
        self.parent = parent
        self.name = name
        self.lock = own(parent, wait_s)
        self.adding = RLock()
        self.seen: Seen = {}
        try:
            load_chroma()
            self.open(note)
        except BaseException:
            os.close(self.lock)
            raise

    def open(self, note: Callable[[str], None]) -> None:
        """Open what was in use last, or what comes after it where that is broken."""
        self.folder = newest_generation(self.parent)
        try:
            check_sums(self.folder)
            self.seen = look(self.folder)
            self.client, self.collection = open_collection(self.folder, self.name)
            self.keep()
        except (StoreError, OSError) as error:
            self.replace(error, note)

    def begin_anew(self, aside: Path | None = None) -> None:
        """Open the next one, with nothing in it; those before it go, but for what is left aside.

        It gets a new path, because Chroma keeps the state of a broken one for as long as the process lives.
        """
        self.folder = self.folder.with_name(str(int(self.folder.name) + 1))
        self.client, self.collection = open_collection(self.folder, self.name)
        self.seen = {}
        for folder in generations(self.parent):
            if folder not in {aside, self.folder}:
                remove(folder)

    def replace(self, error: Exception, note: Callable[[str], None]) -> None:
        """Begin anew beside what is broken, and say so; where a disk is full, nothing else need be broken."""
        check_room(self.parent)
        note(f"the vector index was unreadable ({error}); it is left there and built anew beside it")
        self.begin_anew(aside=self.folder)

    def clear(self) -> None:
        """Forget all."""
        self.client.close()
        self.begin_anew()

    def keep(self) -> None:
        """Write down what Chroma's files are like where it has changed them: after additions, at once or when read."""
        now = look(self.folder)
        # Sums that cannot be written do not agree with the files, which are then made anew.
        with suppress(OSError):
            if now != self.seen:
                write_sums(self.folder)
                self.seen = now

    def spoiled(self, error: Exception, note: Callable[[str], None]) -> None:
        """Begin anew after a question that Chroma could not answer."""
        self.client.close()
        self.replace(error, note)

    def close(self) -> None:
        """Let others have the directory."""
        try:
            self.client.close()
            self.keep()
        finally:
            os.close(self.lock)


def generations(parent: Path) -> list[Path]:
    """Name the folders, oldest first; an index that broke is followed by one with the next number."""
    found = [entry for entry in parent.iterdir() if entry.name.isdigit()] if parent.is_dir() else []
    return sorted(found, key=lambda entry: int(entry.name))


def newest_generation(parent: Path) -> Path:
    """Name the folder in use."""
    return max(generations(parent), key=lambda entry: int(entry.name), default=parent / "1")


def remove(folder: Path) -> None:
    """Delete one generation."""
    shutil.rmtree(folder, ignore_errors=True)
    with suppress(OSError):
        sums_path(folder).unlink(missing_ok=True)


def check_room(folder: Path) -> None:
    """Write something and take it away again."""
    probe = folder / "room"
    try:
        probe.write_bytes(bytes(ROOM))
        probe.unlink()
    except OSError as error:
        with suppress(OSError):
            probe.unlink(missing_ok=True)
        raise StoreError(f"the vector index in {folder} cannot be written: {error.strerror}", "free space") from error


def load_chroma() -> Any:
    """Import Chroma, which takes a second, and keep it from writing to logs that nobody asked for."""
    try:
        import chromadb
        import chromadb.config
    except Exception as error:  # It looks around as it is imported, and refuses an old SQLite, say.
        raise StoreError(f"Chroma cannot be loaded: {error}", "set SCHEDMATE_VECTORS=built-in") from error
    logging.getLogger("chromadb").setLevel(logging.ERROR)
    return chromadb


def quiet_settings(chromadb: Any) -> Any:
    """Send nothing home, and obey no `.env` of the working directory: it could name code to load."""
    return chromadb.config.Settings(_env_file=None, anonymized_telemetry=False)


def open_collection(folder: Path, name: str) -> tuple[Any, Any]:
    """Open Chroma with nothing sent home and no model downloaded: vectors come from our own embedder."""
    chromadb = load_chroma()
    try:
        client = chromadb.PersistentClient(str(folder), settings=quiet_settings(chromadb))
        collection = client.get_or_create_collection(name, embedding_function=None, configuration={"hnsw": HNSW})
        collection.count()
    except BaseException as error:  # Chroma's Rust core raises its own kinds, some of them outside its error tree.
        if isinstance(error, KeyboardInterrupt | SystemExit):
            raise
        raise StoreError(f"Chroma cannot use {folder}: {error}", "see SCHEDMATE_DATA_DIR") from error
    return client, collection


def own(parent: Path, wait_s: float) -> int:
    """Take the owner's lock; the kernel drops it when the owner dies, however it dies."""
    try:
        parent.mkdir(parents=True, exist_ok=True)
        lock = os.open(parent / "owner.lock", os.O_RDWR | os.O_CREAT, 0o644)
    except OSError as error:
        raise StoreError(f"the vector index in {parent} cannot be opened: {error}", "see SCHEDMATE_DATA_DIR") from error
    deadline = time.monotonic() + wait_s
    try:
        while True:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return lock
            except BlockingIOError:
                if time.monotonic() >= deadline:
                    message = f"another process owns the vector index in {parent}"
                    raise OwnedElsewhere(message, "wait until it ends, or end it") from None
                time.sleep(0.05)
    except BaseException:
        os.close(lock)
        raise
