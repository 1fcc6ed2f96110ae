"""Rows on their way into one Parquet file: parts as they come, each whole or absent, joined at the end.

The parts lie in a folder beside the file. What is in a part was read, whatever killed the batch, and is not read again.
"""

import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from schedmate.errors import InputError, MissingExtra

PART_ROWS = 1000

PART_S = 10.0
"""A part is written after so many rows, or so long after the one before: what a kill costs is at most that."""
COLUMNS = ("source", "size", "verb", "error", "category", "subcategory", "failure_id", "confidence", "engine", "answer")

TAKEN = ("category", "subcategory", "failure_id", "confidence", "engine")
"""What of an answer has a column of its own; all of it is in `answer`, as JSON."""


class BatchRow(NamedTuple):
    """What came of one source: an answer, or an error."""

    source: str
    size: int
    verb: str
    error: str = ""
    answer: str = ""
    """As JSON, as its reader wrote it: whoever collects rows does not look into it."""
    told: Mapping[str, Any] = MappingProxyType({})
    """What of it has a column of its own, as far as there is such."""

    def values(self) -> dict[str, Any]:
        """Give the columns."""
        return self._asdict() | {name: self.told.get(name) for name in TAKEN}


class Results:
    """Holds the rows that are not written yet; one batch at a time has an output."""

    def __init__(self, output: Path) -> None:
        self.output = output
        self.parts = output.with_name(output.name + ".parts")
        self.lock_path = f"{output}.lock"
        self.whole, self.joined = output.with_name(output.name + ".whole"), output.with_name(output.name + ".joined")
        self.rows: list[BatchRow] = []
        check_parquet()  # where it is missing nothing is left behind
        try:
            output.parent.mkdir(parents=True, exist_ok=True)
            self.lock = self.take()
            self.mend()
            self.parts.mkdir(exist_ok=True)
        except OSError as error:
            raise InputError(f"{output} cannot be written: {error.strerror}", "name another --out") from error
        self.next = 1 + max((int(path.stem) for path in self.files()), default=0)

    def take(self) -> int:
        """Keep others from the same output; whoever had it before takes the lock's file away as he goes."""
        import fcntl

        while True:
            lock = os.open(self.lock_path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                if os.path.exists(self.lock_path) and os.path.samestat(os.fstat(lock), os.stat(self.lock_path)):
                    return lock
            except BlockingIOError:
                os.close(lock)
                raise InputError(f"another batch writes {self.output}", "wait for it, or name another --out") from None
            os.close(lock)

    def mend(self) -> None:
        """Take the last steps of one that was killed while it came to its end, and drop what is not whole."""
        if self.joined.exists():  # the whole was on the disk before the parts were put away
            with suppress(FileNotFoundError):
                self.whole.rename(self.output)
            shutil.rmtree(self.joined)
        self.whole.unlink(missing_ok=True)
        for left in self.parts.glob("*.tmp"):
            left.unlink()

    def files(self) -> list[Path]:
        """List the parts in their order."""
        return sorted(path for path in self.parts.glob("*.parquet") if path.stem.isdecimal())

    def done(self, verb: str) -> Iterator[str]:
        """Name what has been read before, by this batch or by one that came to its end."""
        for path in [*([self.output] if self.output.exists() else []), *self.files()]:
            parquet = load_parquet()
            try:
                batches = parquet.ParquetFile(path).iter_batches(columns=["source", "verb"])
                for batch in batches:
                    told = batch.to_pydict()
                    if told["verb"] and told["verb"][0] != verb:
                        hint = "name another --out"
                        raise InputError(f"{path} holds answers of {told['verb'][0]}, not of {verb}", hint)
                    yield from told["source"]
            except (OSError, KeyError, ValueError) as error:
                raise InputError(f"{path} is no result of a batch: {error}", "name another --out") from error

    def add(self, row: BatchRow) -> None:
        """Take a row."""
        self.rows.append(row)
        if len(self.rows) >= PART_ROWS:
            self.flush()

    def flush(self) -> None:
        """Write what is held as a part; its name appears when it is whole and on the disk."""
        if not self.rows:
            return
        parquet = load_parquet()
        path = self.parts / f"{self.next:08d}.parquet"
        part = path.with_suffix(".tmp")
        parquet.write_table(table(self.rows), part, compression="zstd")
        with part.open("rb") as file:
            os.fsync(file.fileno())
        part.rename(path)
        self.next, self.rows = self.next + 1, []

    def finish(self) -> int:
        """Join the parts with what there was before, and give the number of rows; a kill loses and doubles none."""
        self.flush()
        parquet = load_parquet()
        count = 0
        kept = [*([self.output] if self.output.exists() else []), *self.files()]
        with parquet.ParquetWriter(self.whole, schema(), compression="zstd") as writer:
            for path in kept:
                for batch in parquet.ParquetFile(path).iter_batches(batch_size=PART_ROWS):
                    writer.write_batch(batch)
                    count += batch.num_rows
        with self.whole.open("rb") as file:
            os.fsync(file.fileno())
        self.parts.rename(self.joined)
        self.mend()
        return count

    def close(self) -> None:
        """Let go of the output; what is held is written."""
        try:
            if self.parts.exists():
                self.flush()
                with suppress(OSError):
                    self.parts.rmdir()  # nothing was read
        finally:
            os.unlink(self.lock_path)
            os.close(self.lock)


def schema() -> Any:
    """Give the columns with their types."""
    import pyarrow

    kinds = {"size": pyarrow.int64(), "confidence": pyarrow.float64()}
    return pyarrow.schema([(name, kinds.get(name, pyarrow.string())) for name in COLUMNS])


def table(rows: list[BatchRow]) -> Any:
    """Put rows into columns; a name that is not text stays one that can be told from others."""
    import pyarrow

    values = [row.values() for row in rows]
    columns = {name: [clean(value[name]) for value in values] for name in COLUMNS}
    return pyarrow.table(columns, schema=schema())


def clean(value: Any) -> Any:
    """Make text of what may stand in a file's name."""
    if not isinstance(value, str) or value.isascii():
        return value
    return value.encode("utf-8", "backslashreplace").decode()


def check_parquet() -> None:
    """See that there is what writes Parquet; it is imported when the first rows are written, while others are read."""
    if find_spec("pyarrow") is None:
        raise MissingExtra("schedmate batch", "batch")


def load_parquet() -> Any:
    """Import what writes Parquet; it takes a while."""
    from pyarrow import parquet

    return parquet
