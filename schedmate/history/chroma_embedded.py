"""Workload vectors in a Chroma directory of one owner: the process that takes it first keeps it until it ends.

A scheduler so opens it once and not for every question; nobody waits for it, as our own files need no owner.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import RLock

from schedmate.errors import StoreError
from schedmate.history.cells import Floats, Ints
from schedmate.history.chroma_directory import ChromaDirectory, generations, own, remove
from schedmate.history.chroma_vectors import ChromaVectors, Late

COLLECTION = "workloads"
HINT = "run: schedmate history reindex"
HELD: dict[Path, ChromaDirectory] = {}
"""What this process owns."""
INHERITED: list[ChromaDirectory] = []
"""What the process that forked us owns; to end its clients would wait for threads that are not here."""
GUARD = RLock()


class EmbeddedVectors(ChromaVectors):
    """The vectors in a directory that this process owns."""

    def __init__(self, directory: ChromaDirectory, note: Callable[[str], None]) -> None:
        super().__init__(directory.collection, f"Chroma in {directory.parent}", HINT, note)
        self.directory = directory

    def nearest(self, vector: Floats, k: int) -> list[tuple[int, float]]:
        """Give up to k numbers with their cosine; what cannot be asked is begun anew for those who ask next."""
        try:
            found = super().nearest(vector, k)
            self.directory.keep()
            return found
        except Late:
            raise
        except StoreError as error:
            self.begin_anew(error)
            raise

    def begin_anew(self, error: StoreError) -> None:
        """Leave aside what could not be asked, unless another thread has done so or has let go of it."""
        parent = self.directory.parent
        with GUARD:
            if HELD.get(parent) is not self.directory or self.collection is not self.directory.collection:
                return
            try:
                self.directory.spoiled(error, self.note)
            except StoreError:
                release(parent)

    def add(self, ids: Ints, vectors: Floats) -> None:
        """Add vectors of higher numbers than are known."""
        super().add(ids, vectors)
        self.directory.keep()

    extend = add

    def clear(self) -> None:
        """Begin anew, whatever state the files are in."""
        self.directory.clear()
        self.use(self.directory.collection)

    @contextmanager
    def alone(self, wait: bool = True) -> Iterator[bool]:
        """Let one thread add at a time; other processes are kept out already."""
        with self.directory.adding:
            # Another thread may have come further meanwhile, or have begun anew.
            self.use(self.directory.collection)
            yield True


def open_embedded(parent: Path, note: Callable[[str], None]) -> EmbeddedVectors:
    """Own the directory from now on, unless another process does."""
    with GUARD:
        held = HELD.get(parent)
        if held is not None and not held.folder.exists():
            release(parent)
            held = None
        if held is None:
            held = HELD[parent] = ChromaDirectory(parent, COLLECTION, note, wait_s=0)
        return EmbeddedVectors(held, note)


def release(parent: Path) -> None:
    """Let others own the directory."""
    with GUARD:
        if held := HELD.pop(parent, None):
            held.close()


def retire(parent: Path) -> bool:
    """Delete what Chroma holds, unless another owns it or it may not be written; tell whether there was anything."""
    with GUARD, suppress(OSError, StoreError):
        if not generations(parent):
            return False
        release(parent)
        lock = own(parent, wait_s=0)
        try:
            found = generations(parent)
            for folder in found:
                remove(folder)
            return bool(found) and not generations(parent)
        finally:
            os.close(lock)
    return False


def forget() -> None:
    """Leave what a process owned to it: in its child the locks are closed, which does not open them."""
    for directory in HELD.values():
        INHERITED.append(directory)
        os.close(directory.lock)
    HELD.clear()
    GUARD.release()


os.register_at_fork(before=GUARD.acquire, after_in_parent=GUARD.release, after_in_child=forget)
