"""Answers kept on disk by exact prompt, model and schema; to lose them costs time only, so nothing here is fatal."""

import asyncio
import functools
import hashlib
import json
import logging
import os
import threading
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from pydantic import BaseModel, ValidationError

from schedmate.models.backend import ModelRequest

if TYPE_CHECKING:
    from langchain_community.cache import SQLiteCache

log = logging.getLogger(__name__)

FORMAT = "1"
"""Part of every key: raise it when the meaning of what is kept changes."""

MAX_BYTES = 512 * 2**20
"""A larger file is begun anew: simpler than aging, and the answers in it can be had again."""

Kept = TypeVar("Kept", bound=BaseModel)
Result = TypeVar("Result")


class AnswerCache:
    """One SQLite file that any number of processes share.

    The prompt is kept as a digest: source code and logs of the users do not lie around in a cache.
    """

    def __init__(self, directory: Path, busy_timeout_s: float = 2.0) -> None:
        self.path = directory / "answers.sqlite"
        self.busy_timeout_s = busy_timeout_s
        self.lock = threading.Lock()
        self.usable = True

    async def find(self, identity: str, request: ModelRequest, kind: type[Kept]) -> Kept | None:
        """Give what the same model said to the same request, if it still has the form that is wanted."""
        library()
        prompt, model = keys(identity, request)
        found = await asyncio.to_thread(self.guarded, lambda store: store.lookup(prompt, model))
        try:
            return kind.model_validate_json(found[0].text) if found else None
        except ValidationError:
            return None

    async def keep(self, identity: str, request: ModelRequest, answer: BaseModel) -> None:
        """Keep an answer that was checked."""
        from langchain_core.outputs import Generation

        prompt, model = keys(identity, request)
        kept = [Generation(text=answer.model_dump_json())]
        await asyncio.to_thread(self.guarded, lambda store: store.update(prompt, model, kept))

    def guarded(self, use: Callable[["SQLiteCache"], Result]) -> Result | None:
        """Use the file; move it aside where it is corrupt, go without where it cannot be used at all."""
        from sqlalchemy.exc import DatabaseError, OperationalError, SQLAlchemyError

        if not self.usable:
            return None
        with self.lock:
            try:
                return self.using(use)
            except OperationalError as error:
                # Busy, full or read-only: others may be at work in it, so it stays where it is.
                log.debug("answer cache %s: %s", self.path, error)
            except DatabaseError as error:
                log.warning("answer cache %s is corrupt and was moved aside: %s", self.path, error.orig)
                self.move_aside()
            except (SQLAlchemyError, OSError) as error:
                log.warning("answer cache %s cannot be used: %s", self.path, error)
                self.usable = False
        return None

    def using(self, use: Callable[["SQLiteCache"], Result]) -> Result:
        """Open, use and close: the file may be moved aside by another process at any time."""
        from langchain_core._api import LangChainBetaWarning
        from langchain_core._api.deprecation import LangChainPendingDeprecationWarning

        self.path.parent.mkdir(parents=True, exist_ok=True)
        os.close(os.open(self.path, os.O_CREAT | os.O_RDWR, 0o600))
        if self.path.stat().st_size > MAX_BYTES:
            self.path.unlink(missing_ok=True)
        store = self.opened()
        try:
            with warnings.catch_warnings():
                # Every read of theirs warns that reading is in beta, and of a default that is to change.
                warnings.filterwarnings("ignore", category=LangChainBetaWarning)
                warnings.filterwarnings("ignore", category=LangChainPendingDeprecationWarning)
                return use(store)
        finally:
            store.engine.dispose()

    def opened(self) -> "SQLiteCache":
        """Open the file and create its tables; two processes that do so at once both see none, and one comes second."""
        from sqlalchemy.exc import OperationalError

        address = f"{self.path}?timeout={self.busy_timeout_s}"
        try:
            return library()(address)
        except OperationalError as error:
            if "already exists" not in str(error):
                raise
            return library()(address)

    def move_aside(self) -> None:
        """Keep one corrupt file for whoever wants to know."""
        try:
            os.replace(self.path, self.path.with_suffix(".corrupt"))
        except OSError:
            self.usable = False


@functools.cache
def library() -> type["SQLiteCache"]:
    """Import langchain-community's cache, the one use that this project makes of that archived library."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        from langchain_community.cache import SQLiteCache
    return SQLiteCache  # type: ignore[no-any-return]


def keys(identity: str, request: ModelRequest) -> tuple[str, str]:
    """Write prompt and model down exactly; equal keys mean equal requests to equal models."""
    prompt = json.dumps([message.model_dump() for message in request.messages], sort_keys=True)
    sample = [request.sample] if request.sample else []
    form = json.dumps([FORMAT, identity, request.schema, request.tools, *sample], sort_keys=True)
    return digest(prompt), digest(form)


def digest(text: str) -> str:
    """Name a text by its content."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
