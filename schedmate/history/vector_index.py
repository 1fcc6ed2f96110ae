"""Nearest vectors among a million, in a SQLite file of their own, which is a cache of what the history holds.

Each vector lies there as it is, by its number, and once more as a byte a number in the cell of the nearest of some
centres: what is left when the centre is taken off is small, so that a byte says it well. A question goes through the
bytes of the cells that may hold the nearest, the most promising first, until what it found is better than what the next
promises, and compares the best as they are. Any number of processes may read and add, as SQLite lets them. Measured
beside others in docs/history.md.
"""

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import numpy as np

from schedmate.errors import StoreError
from schedmate.history.centres import (
    BLOCK,
    Bytes,
    Floats,
    Ints,
    encoded,
    find_centres,
    nearest_centre,
    products,
    room_for,
)
from schedmate.history.database import transaction, use_log
from schedmate.history.read_only import open_as_it_lies

FOLDER = "indexes"
FORMAT = 2

LOOKED_AT = 15_000
"""Vectors whose bytes one question may look at."""
COMPARED = 32
"""Of these, so many are compared as they are; more where more are asked for."""
AT_BEST = 0.4
"""A vector may be nearer to the question than its cell's centre: by so much of the way from there at the best.

All of the way is what geometry allows. Among over 100 dimensions hardly any vector lies so much in the question's
direction: of 900 third nearest none was missed, and `python -m benchmarks vectors` looks for more.
"""
CELL = 200
MOST_CELLS = 4_096

GROWTH = 1.25
"""Centres are sought anew after so many times the vectors that there were."""
PARTS = 16

MOST_PUT_TOGETHER = 4 * CELL
"""Additions to a cell lie by themselves until they are so many; cells of more vectors wait for new centres."""
WAIT_MS = 2_000
"""Time to wait for another process that writes; who only asks does without what is new."""
PAGE_BYTES = 1 << 15
"""Read at once: a cell is a page or two, a vector one; smaller pages are read more often, larger ones in vain."""
SCHEMA = """
CREATE TABLE state (format INTEGER, dimensions INTEGER, count INTEGER, gathered INTEGER, centres BLOB);
CREATE TABLE vectors (id INTEGER PRIMARY KEY, vector BLOB NOT NULL);
CREATE TABLE parts (part INTEGER PRIMARY KEY, cell INTEGER NOT NULL, reach REAL NOT NULL,
    ids BLOB, steps BLOB, codes BLOB);
CREATE INDEX parts_by_cell ON parts (cell, reach);
"""


class VectorIndex:
    """Vectors of length 1 by ascending numbers: added at the end, found by nearness."""

    most_on_the_way = 20_000
    """So many may be added while somebody waits for an answer, about two seconds' work."""

    def __init__(self, connection: sqlite3.Connection, dimensions: int) -> None:
        self.connection = connection
        self.dimensions = dimensions
        self.version = -1
        self.centres: Floats = np.zeros((0, dimensions), np.float32)
        self.reaches: Floats = np.zeros(0, np.float32)
        self.refresh()

    def refresh(self) -> None:
        """Read the centres, and how far their cells reach, anew if another process may have changed them."""
        version = int(self.connection.execute("PRAGMA data_version").fetchone()[0])
        if version == self.version:
            return
        row = self.connection.execute("SELECT format, dimensions, centres FROM state").fetchone()
        if row is None or tuple(row)[:2] != (FORMAT, self.dimensions):
            raise sqlite3.DatabaseError("it is of another version or width")
        self.centres = np.frombuffer(row[2], np.float32).reshape(-1, self.dimensions)
        self.reaches = np.zeros(len(self.centres), np.float32)
        for cell, reach in self.connection.execute("SELECT cell, max(reach) FROM parts GROUP BY cell"):
            self.reaches[cell] = reach
        self.version = version

    def __len__(self) -> int:
        return int(self.connection.execute("SELECT count FROM state").fetchone()[0])

    @property
    def last_id(self) -> int:
        """Give the highest number that is known; all lower ones are known too, as they come in order."""
        return int(self.connection.execute("SELECT coalesce(max(id), 0) FROM vectors").fetchone()[0])

    def nearest(self, vector: Floats, k: int) -> list[tuple[int, float]]:
        """Give up to k numbers with their cosine, most similar first, the smaller number among equals."""
        self.refresh()
        try:
            return self.compared(self.promising(vector, k), vector)[:k]
        except (ValueError, IndexError) as error:
            raise sqlite3.DatabaseError(f"its parts are of wrong sizes: {error}") from error

    def compared(self, ids: list[int], vector: Floats) -> list[tuple[int, float]]:
        """Give these with their cosine, most similar first."""
        question = f"SELECT id, vector FROM vectors WHERE id IN ({', '.join('?' * len(ids))}) ORDER BY id"
        rows = self.connection.execute(question, ids).fetchall()
        exact = np.frombuffer(b"".join(row[1] for row in rows), np.float32).reshape(-1, self.dimensions)
        lengths = np.linalg.norm(exact, axis=1)
        if len(rows) != len(ids) or not (np.isclose(lengths, 1, atol=1e-3) | (lengths == 0)).all():
            raise sqlite3.DatabaseError("its parts do not agree")
        cosines = exact @ vector
        return [(int(rows[place][0]), float(cosines[place])) for place in np.argsort(-cosines, kind="stable")]

    def promising(self, vector: Floats, k: int) -> list[int]:
        """Give the numbers that are best by their bytes, more than k, out of the cells that may hold the k nearest."""
        room = room_for(self.dimensions)
        to_centre = products(self.centres, vector, room)
        promises = to_centre + AT_BEST * self.reaches
        near, found, looked = list[Floats](), list[Ints](), 0
        best = np.full(k, -np.inf, np.float32)
        for cell in np.argsort(-promises).tolist():
            if looked >= LOOKED_AT or promises[cell] < best[0]:
                break
            sql = "SELECT ids, steps, codes FROM parts WHERE cell = ?"
            for ids, steps, codes in self.connection.execute(sql, (cell,)):
                bytes_of = np.frombuffer(codes, np.int8).reshape(-1, self.dimensions)
                near.append(products(bytes_of, vector, room) * np.frombuffer(steps, np.float32) + to_centre[cell])
                found.append(np.frombuffer(ids, np.int64))
                looked += len(bytes_of)
                best = np.partition(np.concatenate([best, near[-1]]), -k)[-k:]
        if not found:
            return []
        cosines, numbers, count = np.concatenate(near), np.concatenate(found), max(COMPARED, 2 * k)
        first: Ints = np.argpartition(-cosines, count)[:count] if count < len(numbers) else np.arange(len(numbers))
        wanted: list[int] = numbers[first].tolist()
        return wanted

    def add(self, ids: Ints, vectors: Floats) -> None:
        """Add vectors of ascending numbers; those that another process has added meanwhile are there once."""
        vectors = np.where(np.isfinite(vectors).all(axis=1, keepdims=True), vectors, np.float32(0))
        with self.writing():
            fresh = ids > self.last_id
            ids, vectors = ids[fresh].astype(np.int64), vectors[fresh].astype(np.float32)
            if not len(ids):
                return
            if not len(self.centres):
                self.set_centres(vectors[:1])
            rows = zip(ids.tolist(), map(bytes, vectors), strict=True)
            self.connection.executemany("INSERT INTO vectors VALUES (?, ?)", rows)
            self.connection.execute("UPDATE state SET count = count + ?", (len(ids),))
            self.put(*self.coded(ids, vectors))

    def coded(self, ids: Ints, vectors: Floats) -> tuple[Ints, Ints, Floats, Bytes]:
        """Give vectors' numbers, cells, steps and bytes."""
        cell = nearest_centre(vectors, self.centres)
        return ids, cell, *encoded(vectors - self.centres[cell])

    def put(self, ids: Ints, cell: Ints, steps: Floats, codes: Bytes) -> None:
        """Write bytes into their cells; small parts of a cell become one when they are many."""
        order = np.argsort(cell, kind="stable")
        names, begins = np.unique(cell[order], return_index=True)
        for name, rows in zip(names.tolist(), np.split(order, begins[1:]), strict=True):
            part: tuple[bytes, ...] = ids[rows].tobytes(), steps[rows].tobytes(), codes[rows].tobytes()
            reach = float((np.linalg.norm(codes[rows].astype(np.float32), axis=1) * steps[rows]).max())
            self.reaches[name] = max(self.reaches[name], reach)
            old = self.connection.execute("SELECT ids, steps, codes FROM parts WHERE cell = ?", (name,)).fetchall()
            if len(old) >= PARTS and sum(len(one[0]) for one in old) < MOST_PUT_TOGETHER * ids.itemsize:
                self.connection.execute("DELETE FROM parts WHERE cell = ?", (name,))
                part = tuple(b"".join(column) for column in zip(*old, part, strict=True))
            values = (name, float(self.reaches[name]), *part)
            self.connection.execute("INSERT INTO parts (cell, reach, ids, steps, codes) VALUES (?, ?, ?, ?, ?)", values)

    def settle(self, most: int = 1 << 62) -> None:
        """Seek centres anew if the index has outgrown them, and is not too large for that."""
        count, gathered = self.connection.execute("SELECT count, gathered FROM state").fetchone()
        if 2 * CELL <= count <= most and count >= GROWTH * gathered:
            with self.writing():
                self.gather(len(self))

    def gather(self, count: int) -> None:
        """Put all vectors with their like."""
        centres = find_centres(self.every, count, max(1, min(MOST_CELLS, count // CELL)))
        self.set_centres(centres, count)
        self.connection.execute("DELETE FROM parts")
        blocks = [self.coded(ids, vectors) for ids, vectors in self.every()]
        ids, cell, steps, codes = zip(*blocks, strict=True)
        self.put(np.concatenate(ids), np.concatenate(cell), np.concatenate(steps), np.concatenate(codes))

    def every(self) -> Iterator[tuple[Ints, Floats]]:
        """Read all vectors, block by block."""
        cursor = self.connection.execute("SELECT id, vector FROM vectors ORDER BY id")
        while rows := cursor.fetchmany(BLOCK):
            vectors = np.frombuffer(b"".join(row[1] for row in rows), np.float32).reshape(-1, self.dimensions)
            yield np.array([row[0] for row in rows], np.int64), vectors

    def set_centres(self, centres: Floats, gathered: int = 0) -> None:
        """Let cells lie around these centres from now on."""
        self.centres, self.reaches = centres, np.zeros(len(centres), np.float32)
        self.connection.execute("UPDATE state SET centres = ?, gathered = ?", (centres.tobytes(), gathered))

    def clear(self) -> None:
        """Forget all vectors."""
        with self.writing():
            make(self.connection, self.dimensions)
            self.set_centres(self.centres[:0])

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Write all or nothing, after whoever else is writing; a failure leaves the centres that are in the file."""
        try:
            with transaction(self.connection):
                self.version = -1
                self.refresh()
                yield
        except BaseException:
            self.version = -1
            raise


def make(connection: sqlite3.Connection, dimensions: int) -> None:
    """Make the tables, without what they held."""
    for table in ("state", "vectors", "parts"):
        connection.execute(f"DROP TABLE IF EXISTS {table}")
    for statement in SCHEMA.strip().removesuffix(";").split(";"):
        connection.execute(statement)
    connection.execute("INSERT INTO state VALUES (?, ?, 0, 0, x'')", (FORMAT, dimensions))


@contextmanager
def open_vectors(
    data_dir: Path, kind: str, dimensions: int, note: Callable[[str], None] = lambda text: None
) -> Iterator[VectorIndex]:
    """Open an index while a question lasts; what turns out to be broken is deleted, said through `note`, and told."""
    path = data_dir / FOLDER / f"{kind}.sqlite3"
    for last in (False, True):
        try:
            index = open_index(path, dimensions)
            break
        except sqlite3.DatabaseError as error:
            if last or not is_broken(error):
                raise told(path, error) from error
            discard(path, error, note)
        except OSError as error:
            raise told(path, error) from error
    try:
        yield index
    except sqlite3.DatabaseError as error:
        if is_broken(error):
            discard(path, error, note)
        raise told(path, error) from error
    finally:
        index.connection.close()


def open_index(path: Path, dimensions: int) -> VectorIndex:
    """Open the file, made if there is none; only to read where nothing may be written."""
    if path.exists() and not all(os.access(place, os.W_OK) for place in (path, path.parent)):
        return VectorIndex(open_as_it_lies(path), dimensions)
    path.parent.mkdir(parents=True, exist_ok=True)
    connection = sqlite3.connect(path, timeout=WAIT_MS / 1000, isolation_level=None)
    try:
        connection.execute(f"PRAGMA page_size={PAGE_BYTES}")
        use_log(connection)
        connection.execute("PRAGMA synchronous=NORMAL")
        with transaction(connection):
            if connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'state'").fetchone() is None:
                make(connection, dimensions)
        return VectorIndex(connection, dimensions)
    except BaseException:
        connection.close()
        raise


def is_broken(error: sqlite3.DatabaseError) -> bool:
    """Tell a file that is damaged, or is none of ours, from one that is locked, full or not ours to write."""
    return type(error) is sqlite3.DatabaseError or getattr(error, "sqlite_errorname", "").startswith("SQLITE_CORRUPT")


def discard(path: Path, error: Exception, note: Callable[[str], None]) -> None:
    """Delete an index; who has it open goes on with what is then nobody else's."""
    with suppress(OSError):
        for ending in ("", "-wal", "-shm"):
            path.with_name(path.name + ending).unlink(missing_ok=True)
        note(f"the vector index was unreadable ({error}); it is built anew")


def told(path: Path, error: Exception) -> StoreError:
    """Tell plainly what is wrong."""
    hint = (
        "free space, or wait until the other writer is done"
        if isinstance(error, sqlite3.OperationalError)
        else "ask again"
    )
    return StoreError(f"the vector index {path} cannot be used: {error}", hint)
