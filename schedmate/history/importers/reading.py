"""Read jobs of the past from a file of any known format, one by one, with what could not be read counted by line."""

import gzip
import shutil
import sys
import tempfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import BinaryIO, TextIO, TypeVar, cast

from schedmate.counts import how_many
from schedmate.errors import InputError
from schedmate.history.importers import FORMATS
from schedmate.history.importers.from_rows import past_jobs
from schedmate.schemas import PastJob
from schedmate.traces.formats import reader as trace_reader
from schedmate.traces.reading import HEAD, BoundedLines, file_and_format
from schedmate.traces.reading import detect as detect_trace
from schedmate.traces.rows import SHOWN, BadRow, BadRows

OWN_READERS = {"schedmate": "exported", "ray": "ray", "kubernetes": "kubernetes"}

EVERY_ROWS = 500
"""Rows between two words about progress."""

T = TypeVar("T")
Advance = Callable[[int, int], None]


@dataclass
class OpenedHistory:
    """A file being read: its format, what was bad in it, what was odd."""

    path: str
    form: str
    source: str
    bad: BadRows
    odd: int = 0
    odd_shown: list[str] = field(default_factory=list)
    rows: int = 0


@contextmanager
def open_history_file(
    path: str, source: str = "", origin_s: float = 0.0, advance: Advance = lambda done, total: None
) -> Iterator[tuple[OpenedHistory, Iterator[PastJob]]]:
    """Open `FILE` or `FILE:format` and give its jobs; `advance` hears of bytes read and bytes to read."""
    path, form = file_and_format(path, FORMATS)
    with opened(path) as raw:
        stream = as_text(raw)
        form = form or detect(stream, path)
        reading = OpenedHistory(
            path, form, source or source_of(form, path), BadRows(path, "skip", unit_of(stream, form))
        )
        total = size_of(raw)

        def told() -> Iterator[PastJob]:
            for past in jobs_of(stream, reading, origin_s):
                if reading.rows % EVERY_ROWS == 0:
                    advance(raw.tell(), total)
                yield past
            advance(total, total)

        yield reading, told()


def source_of(form: str, path: str) -> str:
    """Name where jobs come from: by the system; by the file where it is a plain table, so that two stay apart."""
    if form == "schedmate":
        return ""  # each job of an export names its own
    return (Path(path).name.partition(".")[0] or form) if form == "csv" and path != "-" else form


def jobs_of(stream: TextIO, reading: OpenedHistory, origin_s: float) -> Iterator[PastJob]:
    """Give the jobs that can be used, and tell of those that are odd."""
    if reading.form in OWN_READERS:
        entries = import_module(f"schedmate.history.importers.{OWN_READERS[reading.form]}").read(stream, reading.source)
    else:
        entries = past_jobs(trace_reader(reading.form)(stream), reading.source, origin_s)
    for past in sifted(entries, reading):
        if past.notes:
            reading.odd += 1
            if len(reading.odd_shown) < SHOWN:
                reading.odd_shown.append(f"job {past.job.job_id}: {'; '.join(past.notes)}")
        yield past


def sifted(entries: Iterator[T | BadRow], reading: OpenedHistory) -> Iterator[T]:
    """Give what can be used of a file, count what cannot; one that breaks off has been read up to there."""
    while True:
        try:
            entry = next(entries, None)
        except (InputError, OSError, EOFError, zlib.error) as error:
            why = error.message if isinstance(error, InputError) else str(error)
            if not reading.rows:
                raise InputError(f"{reading.path}: {why}", getattr(error, "hint", "")) from error
            reading.bad.add(BadRow(0, f"after {how_many(reading.rows, 'job')}: {why}"))
            return
        if entry is None:
            return
        if isinstance(entry, BadRow):
            reading.bad.add(entry)
            continue
        reading.rows += 1
        yield entry


@contextmanager
def opened(path: str) -> Iterator[BinaryIO]:
    """Open a file, or keep standard input on disk, because a format is known by looking at its beginning twice."""
    if path == "-":
        with tempfile.TemporaryFile() as kept:
            shutil.copyfileobj(sys.stdin.buffer, kept)
            kept.seek(0)
            yield kept
        return
    with ExitStack() as stack:
        try:
            raw = stack.enter_context(Path(path).open("rb"))
        except OSError as error:
            raise InputError(f"{path} cannot be read: {error.strerror}", "check its name and permissions") from error
        yield raw


def as_text(raw: BinaryIO) -> TextIO:
    """Read bytes as text, unpacked where they are gzip."""
    packed = raw.read(2) == b"\x1f\x8b"
    raw.seek(0)
    stream = cast(BinaryIO, gzip.GzipFile(fileobj=raw)) if packed else raw
    return BoundedLines(stream, "utf-8-sig", errors="replace", newline="")


def size_of(raw: BinaryIO) -> int:
    """Tell how many bytes there are."""
    here = raw.tell()
    raw.seek(0, 2)
    size = raw.tell()
    raw.seek(here)
    return size


def unit_of(stream: TextIO, form: str) -> str:
    """Name what a bad row is counted in: JSON files have entries, not lines."""
    first = stream.read(1)
    stream.seek(0)
    return "entry" if form in {"philly", "ray", "kubernetes"} or (form == "sacct" and first == "{") else "line"


def detect(stream: TextIO, path: str) -> str:
    """Know a format by its first lines."""
    head = ""
    try:
        # Piece by piece, so that the beginning of a file that breaks off is had.
        while len(head) < HEAD and (piece := stream.read(HEAD // 16)):
            head += piece
    except (OSError, EOFError, zlib.error) as error:
        if not head:
            raise InputError(f"{path} cannot be read: {error}", "give a plain or gzip file") from error
    stream.seek(0)
    start = head.lstrip()
    if not start:
        raise InputError(f"{path} is empty", "give a file with jobs")
    if "JobDetails(" in start or "JobInfo(" in start or (start[0] in "[{" and '"entrypoint"' in start):
        return "ray"
    if start[0] in "[{" and '"apiVersion"' in start:
        return "kubernetes"
    if start[0] == "{" and '"job_id"' in start.partition("\n")[0] and '"job"' in start.partition("\n")[0]:
        return "schedmate"
    try:
        form = detect_trace(head, Path(path))
    except InputError as error:
        raise InputError(error.message, f"name it: FILE:{'|'.join(FORMATS)}") from error
    if form not in FORMATS:
        raise InputError(f"{path}: jobs of the format {form} have no past", f"formats: {', '.join(FORMATS)}")
    return form
