"""Vectors in Chroma, by name: added, found by nearness. Here also for a moment at a time, as past failures need it."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from schedmate.history.chroma_directory import ChromaDirectory
from schedmate.schemas import Check

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

OWNER_WAIT_S = 10.0
BATCH = 5_000


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
        # Where there are fewer than k, Chroma gives those; to count them first would take it as long as to answer.
        found = self.collection.query(query_embeddings=vector[None, :], n_results=k, include=["distances"])
        return [(name, 1.0 - gap) for name, gap in zip(found["ids"][0], found["distances"][0], strict=True)]


@contextmanager
def open_vectors(data_dir: Path, name: str, note: Callable[[str], None] = lambda text: None) -> Iterator[VectorIndex]:
    """Own the directory while the index is open; a corrupt one is left aside, said through `note`, and made new."""
    with closing(ChromaDirectory(data_dir / "vectors", name, note, OWNER_WAIT_S)) as directory:
        yield VectorIndex(directory.collection)


def check_vectors(data_dir: Path) -> Check:
    """Open the index of failures that were remembered, which also imports Chroma, and count."""
    notes: list[str] = []
    with open_vectors(data_dir, "selftest", notes.append) as index:
        count = index.count()
    detail = "; ".join([f"chromadb {version('chromadb')}, {data_dir / 'vectors'}", *notes])
    return Check(name="Chroma", status="ok", detail=detail if not count else f"{detail}, {count} vectors")
