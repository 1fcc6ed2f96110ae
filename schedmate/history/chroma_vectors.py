"""Workload vectors in Chroma: in a directory that one process owns, or on a server that hosts share.

Chroma's client waits for ever, so each call has a time limit here. Whatever goes wrong is one kind of error, after
which the caller looks through the store itself.
"""

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from functools import partial
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, TypeVar
from urllib.parse import urlsplit

from schedmate.errors import SettingsError, StoreError
from schedmate.history.cells import Floats, Ints
from schedmate.history.vectors import BATCH, HNSW, VectorIndex, open_vectors
from schedmate.schemas import Check

LAST = "last_id"
ANSWER_S = 15.0
"""How long a server may take to answer a question."""
ADDING_S = 300.0
"""How long it may take to add a batch."""
OWNER_WAIT_S = 1.0
"""How long to wait for the process that owns the directory: looking through the store takes about as long."""
MOST_ON_THE_WAY = 5_000
"""So many workloads are indexed while somebody waits for advice, some seconds' work; `reindex` does more."""
START = "start it (chroma run --host 0.0.0.0 --path DIR), or unset SCHEDMATE_VECTORS"

Result = TypeVar("Result")


class ChromaVectors:
    """One collection; the highest number it holds stands in its metadata, written after the vectors."""

    most_on_the_way = MOST_ON_THE_WAY

    def __init__(self, collection: Any, name: str, note: Callable[[str], None]) -> None:
        self.collection = collection
        self.name = name
        self.note = note
        self.index = VectorIndex(collection)
        self.last = int((collection.metadata or {}).get(LAST, 0))

    def __len__(self) -> int:
        return self.ask(self.index.count)

    @property
    def last_id(self) -> int:
        """Give the highest number that is known."""
        return self.last

    def ask(self, work: Callable[[], Result], limit_s: float | None = None) -> Result:
        """Do something with Chroma, or tell plainly why not."""
        return in_time(work, ANSWER_S if limit_s is None else limit_s, self.name)

    def nearest(self, vector: Floats, k: int) -> list[tuple[int, float]]:
        """Give up to k numbers with their cosine, most similar first."""
        return [(int(name), cosine) for name, cosine in self.ask(partial(self.index.nearest, vector, k))]

    def add(self, ids: Ints, vectors: Floats) -> None:
        """Add vectors of higher numbers than are known."""
        if not self.last:
            self.note(f"{self.name} held no workload of this history: they are indexed anew")
        for start in range(0, len(ids), BATCH):
            piece = slice(start, start + BATCH)
            names = [str(number) for number in ids[piece]]
            self.ask(partial(self.index.add, names, vectors[piece]), ADDING_S)
        self.mark(int(ids[-1]))

    extend = add

    def mark(self, last: int) -> None:
        """Write down how far the index has come."""
        self.ask(partial(self.collection.modify, metadata={LAST: last}))
        self.last = last

    def settle(self) -> None:
        """Do nothing: Chroma keeps its graph in order."""

    def clear(self) -> None:
        """Forget all vectors."""
        while names := self.ask(partial(self.collection.get, limit=BATCH, include=[]))["ids"]:
            self.ask(partial(self.collection.delete, ids=names), ADDING_S)
        self.mark(0)

    def alone(self, wait: bool = True) -> "nullcontext[bool]":
        """Need no lock: the directory is owned already, and adding to a server twice does no harm."""
        return nullcontext(True)


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
def open_chroma(data_dir: Path, where: str, name: str, note: Callable[[str], None]) -> Iterator[ChromaVectors]:
    """Open the directory, or the server whose URL is given."""
    if where == "chroma":
        with open_vectors(data_dir, name, note, OWNER_WAIT_S) as index:
            yield ChromaVectors(index.collection, f"Chroma in {data_dir}", note)
        return
    told = f"the Chroma server at {where}"
    parts_of(where)
    # Stores that share a server number their workloads alike.
    name = f"{name}-{store_id(data_dir)}"
    client = connect(where, told)
    try:
        make = partial(client.get_or_create_collection, name, embedding_function=None, configuration={"hnsw": HNSW})
        yield ChromaVectors(in_time(make, ANSWER_S, told), told, note)
    finally:
        client.close()
        # Chroma leaves the connections themselves open.
        for holder in (client, getattr(client, "_admin_client", None)):
            if session := getattr(getattr(holder, "_server", None), "_session", None):
                session.close()


def connect(where: str, told: str) -> Any:
    """Open a client of a server that answers."""
    scheme, host, port = parts_of(where)
    import chromadb
    import httpx
    from chromadb.config import Settings

    try:
        httpx.get(f"{scheme}://{host}:{port}/api/v2/heartbeat", timeout=ANSWER_S).raise_for_status()
    except httpx.TimeoutException as error:
        raise StoreError(f"{told} does not answer within {ANSWER_S:g} s", START) from error
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise StoreError(f"{told} cannot be used: {error}", START) from error
    settings = Settings(anonymized_telemetry=False)
    return in_time(partial(chromadb.HttpClient, host, port, scheme == "https", settings=settings), ANSWER_S, told)


def parts_of(where: str) -> tuple[str, str, int]:
    """Read a server's URL: scheme, host, port."""
    with suppress(ValueError):
        address = urlsplit(where)
        if address.scheme in {"http", "https"} and address.hostname:
            host = f"[{address.hostname}]" if ":" in address.hostname else address.hostname
            return address.scheme, host, address.port or (443 if address.scheme == "https" else 8000)
    raise SettingsError(f"vectors is {where!r}", "give built-in, chroma, or the URL of a Chroma server")


def store_id(data_dir: Path) -> str:
    """Give the name of this store among those that use a server, drawn once and kept beside it."""
    path = data_dir / "store-id"
    try:
        data_dir.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            fresh = path.with_name(f"store-id.{os.getpid()}.{threading.get_ident()}")
            fresh.write_text(os.urandom(8).hex(), "ascii")
            try:
                # Of two processes that both found none, the first one's stays.
                os.link(fresh, path)
            except FileExistsError:
                pass
            finally:
                fresh.unlink()
        return path.read_text("ascii").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise StoreError(f"{path} cannot be used: {error}", "see SCHEDMATE_DATA_DIR") from error


def check_server(data_dir: Path, where: str) -> Check:
    """Open the server that the settings name, and count."""
    with open_chroma(data_dir, where, "selftest", lambda text: None) as chroma:
        count = len(chroma)
    return Check(
        name="vectors", status="ok", detail=f"Chroma server at {where} answers; {count} vectors of the selftest"
    )
