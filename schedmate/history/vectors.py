"""Vectors for finding what is similar: Chroma in a directory that one process owns.

Several processes on one Chroma directory lose each other's vectors, so a file lock makes a second one wait and then
say who holds it. The directory is a cache of the history's SQLite file: a broken one is moved aside and filled anew.
"""

import fcntl
import logging
import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from schedmate.errors import StoreError
from schedmate.schemas import Check

if TYPE_CHECKING:
    from numpy.typing import NDArray

OWNER_WAIT_S = 10.0
BATCH = 5_000
HNSW = {"space": "cosine", "ef_construction": 200, "max_neighbors": 32, "ef_search": 200}


class VectorIndex:
    """One named collection: add vectors by id, find the nearest."""

    def __init__(self, collection: Any) -> None:
        self.collection = collection

    def count(self) -> int:
        """Count the vectors."""
        return int(self.collection.count())

    def add(self, ids: Sequence[str], vectors: "NDArray[np.float32]") -> None:
        """Add or replace; Chroma bounds a batch, so long input goes in pieces."""
        for start in range(0, len(ids), BATCH):
            piece = slice(start, start + BATCH)
            self.collection.upsert(ids=list(ids[piece]), embeddings=vectors[piece])

    def nearest(self, vector: "NDArray[np.float32]", k: int) -> list[tuple[str, float]]:
        """Give up to k ids with their cosine similarity, most similar first."""
        wanted = min(k, self.count())
        if wanted == 0:
            return []
        found = self.collection.query(query_embeddings=vector[None, :], n_results=wanted, include=["distances"])
        return [(name, 1.0 - gap) for name, gap in zip(found["ids"][0], found["distances"][0], strict=True)]


@contextmanager
def open_vectors(
    data_dir: Path, name: str, note: Callable[[str], None] = lambda text: None, wait_s: float | None = None
) -> Iterator[VectorIndex]:
    """Own the directory while the index is open; a corrupt one is left aside, said through `note`, and made new."""
    with owned(data_dir / "vectors", OWNER_WAIT_S if wait_s is None else wait_s):
        folder = newest_generation(data_dir / "vectors")
        try:
            client, collection = open_collection(folder, name)
        except StoreError as error:
            note(f"the vector index was unreadable ({error.message}); it is left there and built anew beside it")
            # A new path, because Chroma keeps the broken state of the old one for as long as the process lives.
            client, collection = open_collection(next_generation(folder), name)
        with closing(client):
            yield VectorIndex(collection)


def newest_generation(parent: Path) -> Path:
    """Name the folder in use; an index that broke is followed by one with the next number."""
    numbers = [int(entry.name) for entry in parent.iterdir() if entry.name.isdigit()]
    return parent / str(max(numbers, default=1))


def next_generation(folder: Path) -> Path:
    """Name the folder that replaces a broken one."""
    return folder.with_name(str(int(folder.name) + 1))


def open_collection(folder: Path, name: str) -> tuple[Any, Any]:
    """Open Chroma with nothing sent home and no model downloaded: vectors come from our own embedder."""
    import chromadb
    from chromadb.config import Settings

    logging.getLogger("chromadb").setLevel(logging.ERROR)
    try:
        client = chromadb.PersistentClient(str(folder), settings=Settings(anonymized_telemetry=False))
        collection = client.get_or_create_collection(name, embedding_function=None, configuration={"hnsw": HNSW})
        collection.count()
    except Exception as error:  # Chroma's Rust core raises its own kinds, some of them outside its error tree.
        raise StoreError(f"Chroma cannot use {folder}: {error}", "see SCHEDMATE_DATA_DIR") from error
    return client, collection


@contextmanager
def owned(folder: Path, wait_s: float) -> Iterator[None]:
    """Hold the owner's lock; the kernel drops it when the owner dies, however it dies."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = os.open(folder / "owner.lock", os.O_RDWR | os.O_CREAT, 0o644)
    except OSError as error:
        raise StoreError(f"the vector index in {folder} cannot be opened: {error}", "see SCHEDMATE_DATA_DIR") from error
    try:
        deadline = time.monotonic() + wait_s
        while True:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if time.monotonic() > deadline:
                    raise StoreError(
                        f"another process owns the vector index in {folder}", "wait until it ends, or end it"
                    ) from None
                time.sleep(0.05)
        yield
    finally:
        os.close(lock)


def check_vectors(data_dir: Path) -> Check:
    """Open the index of failures that were remembered, which also imports Chroma, and count."""
    notes: list[str] = []
    with open_vectors(data_dir, "selftest", notes.append) as index:
        count = index.count()
    detail = "; ".join([f"chromadb {version('chromadb')}, {data_dir / 'vectors'}", *notes])
    return Check(name="Chroma", status="ok", detail=detail if not count else f"{detail}, {count} vectors")
