"""Workload vectors on a Chroma server, which hosts may share; each store has a collection of its own there."""

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from schedmate.errors import SettingsError, StoreError
from schedmate.history import chroma_vectors
from schedmate.history.cells import Floats, Ints
from schedmate.history.chroma_directory import HNSW, load_chroma, quiet_settings
from schedmate.history.chroma_vectors import ChromaVectors, in_time
from schedmate.history.vectors import BATCH
from schedmate.schemas import Check

START = "start it (chroma run --host 0.0.0.0 --path DIR), or unset SCHEDMATE_VECTORS"


class ServerVectors(ChromaVectors):
    """The vectors of one store on a server."""

    def add(self, ids: Ints, vectors: Floats) -> None:
        """Add vectors of higher numbers than are known; say so where a server came back empty."""
        if not self.last:
            self.note(f"{self.name} held no workload of this history: they are indexed anew")
        super().add(ids, vectors)

    def clear(self) -> None:
        """Forget all vectors."""
        while names := self.ask(partial(self.collection.get, limit=BATCH, include=[]))["ids"]:
            self.ask(partial(self.collection.delete, ids=names), chroma_vectors.ADDING_S)
        self.mark(0)

    def alone(self, wait: bool = True) -> "nullcontext[bool]":
        """Need no lock: adding to a server twice does no harm."""
        return nullcontext(True)


@contextmanager
def open_server(data_dir: Path, where: str, name: str, note: Callable[[str], None]) -> Iterator[ServerVectors]:
    """Open a store's collection on the server whose URL is given."""
    told = f"the Chroma server at {where}"
    parts_of(where)
    # Stores that share a server number their workloads alike.
    name = f"{name}-{store_id(data_dir)}"
    client = connect(where, told)
    try:
        make = partial(client.get_or_create_collection, name, embedding_function=None, configuration={"hnsw": HNSW})
        yield ServerVectors(in_time(make, chroma_vectors.ANSWER_S, told, START), told, START, note)
    finally:
        client.close()
        # Chroma leaves the connections themselves open.
        for holder in (client, getattr(client, "_admin_client", None)):
            if session := getattr(getattr(holder, "_server", None), "_session", None):
                session.close()


def connect(where: str, told: str) -> Any:
    """Open a client of a server that answers."""
    scheme, host, port = parts_of(where)
    import httpx

    chromadb = load_chroma()

    limit_s = chroma_vectors.ANSWER_S
    try:
        httpx.get(f"{scheme}://{host}:{port}/api/v2/heartbeat", timeout=limit_s).raise_for_status()
    except httpx.TimeoutException as error:
        raise StoreError(f"{told} does not answer within {limit_s:g} s", START) from error
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise StoreError(f"{told} cannot be used: {error}", START) from error
    settings = quiet_settings(chromadb)
    return in_time(partial(chromadb.HttpClient, host, port, scheme == "https", settings=settings), limit_s, told, START)


def parts_of(where: str) -> tuple[str, str, int]:
    """Read a server's URL: scheme, host, port."""
    with suppress(ValueError):
        address = urlsplit(where)
        if address.scheme in {"http", "https"} and address.hostname:
            host = f"[{address.hostname}]" if ":" in address.hostname else address.hostname
            return address.scheme, host, address.port or (443 if address.scheme == "https" else 8000)
    raise SettingsError(f"vectors is {where!r}", "give auto, built-in, chroma, or the URL of a Chroma server")


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
    with open_server(data_dir, where, "selftest", lambda text: None) as chroma:
        count = len(chroma)
    return Check(
        name="vectors", status="ok", detail=f"Chroma server at {where} answers; {count} vectors of the selftest"
    )
