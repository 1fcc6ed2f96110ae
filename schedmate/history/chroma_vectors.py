"""Workload vectors in Chroma: in a directory that one process owns, or on a server that hosts share."""

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, nullcontext
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from schedmate.errors import SettingsError, StoreError
from schedmate.history.cells import Floats, Ints
from schedmate.history.vectors import HNSW, VectorIndex, open_vectors

LAST = "last_id"


class ChromaVectors:
    """One collection; the highest number it holds stands in its metadata, written after the vectors."""

    def __init__(self, collection: Any) -> None:
        self.collection = collection
        self.index = VectorIndex(collection)
        self.last = int((collection.metadata or {}).get(LAST, 0))

    def __len__(self) -> int:
        return self.index.count()

    @property
    def last_id(self) -> int:
        """Give the highest number that is known."""
        return self.last

    def nearest(self, vector: Floats, k: int) -> list[tuple[int, float]]:
        """Give up to k numbers with their cosine, most similar first."""
        return [(int(name), cosine) for name, cosine in self.index.nearest(vector, k)]

    def add(self, ids: Ints, vectors: Floats) -> None:
        """Add vectors of higher numbers than are known."""
        self.index.add([str(number) for number in ids], vectors)
        self.last = int(ids[-1])
        self.collection.modify(metadata={LAST: self.last})

    extend = add

    def settle(self) -> None:
        """Do nothing: Chroma keeps its graph in order."""

    def clear(self) -> None:
        """Forget all vectors."""
        while names := self.collection.get(limit=5_000, include=[])["ids"]:
            self.collection.delete(ids=names)
        self.last = 0
        self.collection.modify(metadata={LAST: 0})

    def alone(self, wait: bool = True) -> "nullcontext[bool]":
        """Need no lock: the directory is owned already, and adding to a server twice does no harm."""
        return nullcontext(True)


@contextmanager
def open_chroma(data_dir: Path, where: str, name: str, note: Callable[[str], None]) -> Iterator[ChromaVectors]:
    """Open the directory, or the server whose URL is given."""
    if where == "chroma":
        with open_vectors(data_dir, name, note) as index:
            yield ChromaVectors(index.collection)
        return
    address = urlsplit(where)
    if address.scheme not in {"http", "https"} or not address.hostname:
        raise SettingsError(f"vectors is {where!r}", "give built-in, chroma, or the URL of a Chroma server")
    import chromadb
    from chromadb.config import Settings

    secure = address.scheme == "https"
    try:
        client = chromadb.HttpClient(
            address.hostname,
            address.port or (443 if secure else 8000),
            secure,
            settings=Settings(anonymized_telemetry=False),
        )
        collection = client.get_or_create_collection(name, embedding_function=None, configuration={"hnsw": HNSW})
        vectors = ChromaVectors(collection)
    except Exception as error:  # Chroma, httpx and its own server each raise their own kinds.
        raise StoreError(f"the Chroma server at {where} cannot be used: {error}", "start it: chroma run") from error
    with closing(client):
        yield vectors
