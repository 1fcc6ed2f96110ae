"""Workload vectors on a Chroma server, which hosts may share; each store has a collection of its own there.

Chroma's client waits for ever, so each call has a time limit here. Whatever goes wrong is one kind of error, after
which the caller finds its answer elsewhere.
"""

import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from queue import Empty, SimpleQueue
from typing import Any, TypeVar
from urllib.parse import urlsplit

from schedmate.errors import MissingExtra, SettingsError, StoreError
from schedmate.history.centres import Floats, Ints

HNSW = {"space": "cosine", "ef_construction": 200, "max_neighbors": 32, "ef_search": 200}
START = "start it (chroma run --host 0.0.0.0 --path DIR), or unset SCHEDMATE_VECTORS"
LAST = "last_id"

ANSWER_S = 15.0
"""How long it may take to answer a question."""
ADDING_S = 300.0
"""How long it may take to add a batch."""
BATCH = 5_000

Result = TypeVar("Result")


class ServerVectors:
    """One collection; the highest number it holds stands in its metadata, written after the vectors."""

    most_on_the_way = 2_000
    """About a second's work; `reindex` does more."""

    def __init__(self, collection: Any, name: str, note: Callable[[str], None]) -> None:
        self.collection = collection
        self.name = name
        self.note = note
        self.last_id = int((collection.metadata or {}).get(LAST, 0))

    def __len__(self) -> int:
        return int(self.ask(self.collection.count))

    def ask(self, work: Callable[[], Result], limit_s: float | None = None) -> Result:
        """Do something with the server, or tell plainly why not."""
        return in_time(work, ANSWER_S if limit_s is None else limit_s, self.name)

    def nearest(self, vector: Floats, k: int) -> list[tuple[int, float]]:
        """Give up to k numbers with their cosine, most similar first."""
        query = partial(self.collection.query, query_embeddings=vector[None, :], n_results=k, include=["distances"])
        found = self.ask(query)
        return [(int(name), 1.0 - gap) for name, gap in zip(found["ids"][0], found["distances"][0], strict=True)]

    def add(self, ids: Ints, vectors: Floats) -> None:
        """Add vectors of higher numbers than are known; twice does no harm. Say so where a server came back empty."""
        if not self.last_id:
            self.note(f"{self.name} held no workload of this history: they are indexed anew")
        for start in range(0, len(ids), BATCH):
            piece = slice(start, start + BATCH)
            names = [str(number) for number in ids[piece]]
            self.ask(partial(self.collection.upsert, ids=names, embeddings=vectors[piece]), ADDING_S)
        self.mark(int(ids[-1]))

    def settle(self, most: int = 0) -> None:
        """Do nothing: Chroma keeps its graph in order."""

    def clear(self) -> None:
        """Forget all vectors."""
        while names := self.ask(partial(self.collection.get, limit=BATCH, include=[]))["ids"]:
            self.ask(partial(self.collection.delete, ids=names), ADDING_S)
        self.mark(0)

    def mark(self, last: int) -> None:
        """Write down how far the index has come."""
        self.ask(partial(self.collection.modify, metadata={LAST: last}))
        self.last_id = last


def in_time(work: Callable[[], Result], limit_s: float, name: str) -> Result:
    """Do something in a thread that is left behind where it takes too long."""
    done: SimpleQueue[tuple[bool, Any]] = SimpleQueue()

    def run() -> None:
        try:
            done.put((True, work()))
        except BaseException as error:  # Chroma, its Rust core, httpx and its server each raise their own kinds.
            done.put((False, error))

    threading.Thread(target=run, daemon=True).start()
    try:
        fine, result = done.get(timeout=limit_s)
    except Empty:
        raise StoreError(f"{name} does not answer within {limit_s:g} s", START) from None
    if not fine:
        raise StoreError(f"{name} cannot be used: {str(result) or type(result).__name__}", START) from result
    answer: Result = result
    return answer


@contextmanager
def open_server(where: str, kind: str, note: Callable[[str], None]) -> Iterator[ServerVectors]:
    """Open a collection on the server whose URL is given; stores that share it have kinds of their own."""
    told = f"the Chroma server at {where}"
    scheme, host, port = parts_of(where)
    client = connect(scheme, host, port, told)
    try:
        make = partial(client.get_or_create_collection, kind, embedding_function=None, configuration={"hnsw": HNSW})
        yield ServerVectors(in_time(make, ANSWER_S, told), told, note)
    finally:
        client.close()
        # Chroma leaves the connections themselves open.
        for holder in (client, getattr(client, "_admin_client", None)):
            if session := getattr(getattr(holder, "_server", None), "_session", None):
                session.close()


def connect(scheme: str, host: str, port: int, told: str) -> Any:
    """Open a client of a server that answers; nothing is sent home."""
    import httpx

    try:
        httpx.get(f"{scheme}://{host}:{port}/api/v2/heartbeat", timeout=ANSWER_S).raise_for_status()
    except httpx.TimeoutException as error:
        raise StoreError(f"{told} does not answer within {ANSWER_S:g} s", START) from error
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise StoreError(f"{told} cannot be used: {error}", START) from error
    try:
        import chromadb
        from chromadb.config import Settings
    except ImportError as error:
        raise MissingExtra(told, "chroma") from error
    logging.getLogger("chromadb").setLevel(logging.ERROR)
    settings = Settings(anonymized_telemetry=False)
    return in_time(partial(chromadb.HttpClient, host, port, scheme == "https", settings=settings), ANSWER_S, told)


def parts_of(where: str) -> tuple[str, str, int]:
    """Read a server's URL: scheme, host, port."""
    with suppress(ValueError):
        address = urlsplit(where)
        if address.scheme in {"http", "https"} and address.hostname:
            host = f"[{address.hostname}]" if ":" in address.hostname else address.hostname
            return address.scheme, host, address.port or (443 if address.scheme == "https" else 8000)
    raise SettingsError(f"vectors is {where!r}", "give the URL of a Chroma server, or nothing for an index of our own")
