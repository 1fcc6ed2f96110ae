"""The vectors of past workloads in files: a large part in cells, and a tail of what came since.

Any number of processes may read and add. A part in cells is never changed, only replaced by a newer generation; the
tail is only appended to, under a lock. All of it is a cache of what SQLite holds: what is broken is moved aside.
"""

import errno
import fcntl
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from schedmate.errors import StoreError
from schedmate.history.cell_files import load_cells, save_cells
from schedmate.history.cells import Cells, Floats, Ints, make_cells, no_cells, products, top

MOST_ON_THE_WAY = 20_000
"""So many workloads are indexed while somebody waits for advice, some two seconds' work; `reindex` does more."""
TAIL = 5_000
PART = 50
"""From so many vectors in the tail on, and so small a part of those in cells, all are put in cells anew."""


class VectorFiles:
    """Vectors of one kind, by the number of their workload, in one directory."""

    most_on_the_way = MOST_ON_THE_WAY

    def __init__(self, folder: Path, dimensions: int, note: Callable[[str], None] = lambda text: None) -> None:
        self.folder = folder
        self.dimensions = dimensions
        self.note = note
        self.record = np.dtype([("id", "<i8"), ("vector", "<f4", (dimensions,))])
        self.generation = -1
        self.cells = no_cells(dimensions)
        self.tail_ids: Ints = np.zeros(0, np.int64)
        self.tail: Floats = np.zeros((0, dimensions), np.float32)
        folder.mkdir(parents=True, exist_ok=True)
        self.refresh()

    def __len__(self) -> int:
        return len(self.cells) + len(self.tail_ids)

    @property
    def last_id(self) -> int:
        """Give the highest number that is known; all lower ones are known too, as they come in order."""
        return max((int(ids.max()) for ids in (self.cells.ids, self.tail_ids) if len(ids)), default=0)

    def nearest(self, vector: Floats, k: int) -> list[tuple[int, float]]:
        """Give up to k numbers with their cosine, most similar first."""
        found = self.cells.nearest(vector, k)
        if len(self.tail_ids):
            found = sorted(
                found + top(self.tail_ids, products(self.tail, vector), k), key=lambda pair: (-pair[1], pair[0])
            )[:k]
        return found

    def refresh(self) -> None:
        """Take in what other processes have added."""
        newest = max((int(entry.name) for entry in self.folder.iterdir() if entry.name.isdigit()), default=0)
        if newest != self.generation:
            self.generation = newest
            self.cells = no_cells(self.dimensions)
            self.tail_ids = self.tail_ids[:0]
            self.tail = self.tail[:0]
            if newest:
                try:
                    self.cells = load_cells(self.folder / str(newest), self.dimensions)
                except StoreError as error:
                    # A newer generation may just have replaced it.
                    if (self.folder / str(newest)).exists():
                        self.set_aside(newest, error)
                    self.refresh()
                    return
        known, written = len(self.tail_ids), self.written()
        if written > known:
            new = np.fromfile(self.tail_path(), self.record, written - known, offset=known * self.record.itemsize)
            self.extend(new["id"].astype(np.int64), new["vector"])

    def written(self) -> int:
        """Count the whole records of the tail's file."""
        path = self.tail_path()
        return path.stat().st_size // self.record.itemsize if path.exists() else 0

    def extend(self, ids: Ints, vectors: Floats) -> None:
        """Hold more vectors."""
        sound = np.isfinite(vectors).all(axis=1, keepdims=True)
        self.tail_ids = np.concatenate([self.tail_ids, ids])
        self.tail = np.concatenate([self.tail, np.where(sound, vectors, np.float32(0))])

    def set_aside(self, generation: int, error: StoreError) -> None:
        """Move a broken part out of the way; its vectors are made anew from SQLite."""
        self.note(f"the vector index was unreadable ({error.message}); it is set aside and built anew")
        for path in (self.folder / str(generation), self.folder / f"{generation}.tail"):
            if path.exists():
                shutil.rmtree(path.with_name(f"broken-{path.name}"), ignore_errors=True)
                path.with_name(f"broken-{path.name}").unlink(missing_ok=True)
                path.rename(path.with_name(f"broken-{path.name}"))

    def tail_path(self) -> Path:
        """Name the tail that belongs to the cells in use."""
        return self.folder / f"{max(self.generation, 0)}.tail"

    def add(self, ids: Ints, vectors: Floats) -> None:
        """Add vectors of higher numbers than are known; only under `alone`."""
        records = np.zeros(len(ids), self.record)
        records["id"], records["vector"] = ids, vectors
        with self.tail_path().open("ab") as stream:
            # A kill may have left part of a record; what follows has to stand where a record begins.
            stream.truncate(len(self.tail_ids) * self.record.itemsize)
            stream.write(records.tobytes())
        self.extend(np.asarray(ids, np.int64), np.asarray(vectors, np.float32))
        if len(self.tail_ids) >= max(TAIL, len(self.cells)):
            self.gather()

    def settle(self) -> None:
        """Keep the tail short, as each question looks through all of it; only under `alone`."""
        if len(self.tail_ids) >= max(TAIL, len(self.cells) // PART):
            self.gather()

    def gather(self) -> None:
        """Put all vectors in cells, as the next generation."""
        ids = np.concatenate([self.cells.ids, self.tail_ids])
        vectors = np.concatenate([self.cells.vectors, self.tail])
        self.replace(make_cells(ids, vectors))

    def clear(self) -> None:
        """Forget all vectors; only under `alone`."""
        self.replace(no_cells(self.dimensions))

    def replace(self, cells: Cells) -> None:
        """Put cells in use as a generation of a number never used before, by which other processes know them."""
        building = self.folder / "building"
        shutil.rmtree(building, ignore_errors=True)
        save_cells(cells, building)
        before = [entry for entry in self.folder.iterdir() if entry.name.removeprefix("broken-")[:1].isdigit()]
        numbers = [int(entry.name.removeprefix("broken-").removesuffix(".tail")) for entry in before]
        building.rename(self.folder / str(max(numbers, default=0) + 1))
        self.refresh()
        for entry in before:
            if entry.is_dir():
                shutil.rmtree(entry, ignore_errors=True)
            else:
                entry.unlink(missing_ok=True)

    @contextmanager
    def alone(self, wait: bool = True) -> Iterator[bool]:
        """Hold the writers' lock; without waiting, tell whether it was had. The kernel drops it when its owner dies."""
        try:
            lock = os.open(self.folder / "lock", os.O_RDWR | os.O_CREAT, 0o644)
        except OSError as error:
            if wait or error.errno not in {errno.EACCES, errno.EPERM, errno.EROFS}:
                raise
            yield False
            return
        try:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
            except BlockingIOError:
                yield False
                return
            self.refresh()
            # What this process made for itself while another was writing is not in the file.
            self.tail_ids, self.tail = self.tail_ids[: self.written()], self.tail[: self.written()]
            yield True
        finally:
            os.close(lock)
