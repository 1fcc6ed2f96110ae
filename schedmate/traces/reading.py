"""Open a trace: packed or not, in the format that is named or that its first lines show."""

import gzip
import io
import zlib
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path
from typing import TextIO

from schedmate.errors import InputError
from schedmate.traces import OnBad
from schedmate.traces.columns import Trace
from schedmate.traces.formats import FORMATS, reader
from schedmate.traces.rows import BadRows, gather
from schedmate.traces.unfinished import Unfinished

HEAD = 65_536
LONGEST_LINE = 1 << 24
ENDS = ("\n", "\r")
WHERE = (
    "published traces: github.com/S-Lab-System-Group/HeliosData, github.com/InternLM/AcmeTrace, "
    "github.com/msr-fiddle/philly-traces, github.com/alibaba/clusterdata"
)


def read_trace(spec: str, data: Path | None = None, on_bad: OnBad = "skip") -> Trace:
    """Read `FILE` or `FILE:format`; a file that is not here is looked for in the data directory."""
    path, form = locate(spec, data)
    try:
        with open_text(path) as stream:
            return read_stream(stream, path, form, on_bad)
    except (OSError, EOFError, zlib.error) as error:
        raise InputError(f"{path} cannot be read: {error}", "give a CSV or JSON file, plain or gzip") from error


def read_stream(stream: TextIO, path: Path, form: str, on_bad: OnBad) -> Trace:
    """Read an open trace."""
    head = stream.read(HEAD)
    stream.seek(0)
    form = form or detect(head, path)
    bad = BadRows(str(path), on_bad, unit="job" if head.lstrip()[:1] in {"[", "{"} else "line")
    name = path.name.removesuffix(".gz").rsplit(".", 1)[0]
    try:
        rows, unfinished = reader(form)(stream), Unfinished()
        sifted = unfinished.sift(rows) if form == "sacct" else rows
        trace = gather(sifted, name, bad, needs_duration=form != "sia" and not untimed(head))
        return replace(trace, notes=(*trace.notes, *unfinished.notes()))
    except InputError as error:
        # Of a row it is told with the file's name, of the file as a whole without.
        named = error.message if error.message.startswith(bad.source) else f"{path}: {error.message}"
        raise InputError(named, error.hint) from error


def file_and_format(spec: str, formats: Collection[str]) -> tuple[str, str]:
    """Tell the two of `FILE` or `FILE:format` apart; a colon may be part of a name, `-` is standard input."""
    name, _, form = spec.rpartition(":")
    if not name or Path(spec).exists():
        return spec, ""
    if form in formats:
        return name, form
    if name == "-" or Path(name).exists():
        raise InputError(f"there is no format '{form}'", f"formats: {', '.join(formats)}")
    return spec, ""


def locate(spec: str, data: Path | None) -> tuple[Path, str]:
    """Find a trace's file, here or in the data directory; with it comes the format that was named."""
    name, form = file_and_format(spec, FORMATS)
    candidates = [Path(name)] + ([data / name] if data is not None else [])
    for path in candidates:
        if path.is_file():
            return path, form
    raise InputError(f"there is no trace file {name}", WHERE if data is None else f"looked in {data} too; {WHERE}")


class BoundedLines(io.TextIOWrapper):
    """A text whose lines are cut where they are longer than any record: a packed file may hold one without end."""

    def readline(self, size: int = -1, /) -> str:  # type: ignore[override]  # as of its own base, not of bytes
        """Give the next line, or so much of it; what is cut off is passed over."""
        if size >= 0:
            return super().readline(size)
        line = super().readline(LONGEST_LINE)
        if len(line) < LONGEST_LINE or line.endswith(ENDS):
            return line
        more = line
        while more and not more.endswith(ENDS):
            more = super().readline(LONGEST_LINE)
        return f"{line}\n"

    def __next__(self) -> str:  # type: ignore[override]  # the same
        """Give the next line."""
        line = self.readline()
        if not line:
            raise StopIteration
        return line


def open_text(path: Path) -> TextIO:
    """Open a plain or gzip file as text."""
    try:
        with path.open("rb") as stream:
            packed = stream.read(2) == b"\x1f\x8b"
        if packed:
            return BoundedLines(gzip.GzipFile(path), "utf-8-sig", errors="replace", newline="")
        return BoundedLines(path.open("rb"), "utf-8-sig", errors="replace", newline="")
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}", "check its name and its permissions") from error


def detect(head: str, path: Path) -> str:
    """Know a format by its header line or its first keys."""
    if not head.strip():
        raise InputError(f"{path} is empty", "give a file with jobs")
    first = head.lstrip().partition("\n")[0]
    if head.lstrip()[:1] == "[":
        return "philly"
    if head.lstrip()[:1] == "{" or "JobID|" in first:
        return "sacct"
    names = {name.strip() for name in first.split(",")}
    if {"submit_s", "duration_s"} <= names:
        return "csv"
    if {"application", "num_replicas"} <= names:
        return "sia"
    if {"gpu_milli", "creation_time"} <= names or {"plan_gpu", "inst_num"} <= names:
        return "pai"
    if "gpu_num" in names and {"type", "fail_time"} & names:
        return "acme"
    if "gpu_num" in names and "submit_time" in names:
        return "helios"
    raise InputError(f"{path}: its format is not known from its first line", f"name it: FILE:{'|'.join(FORMATS)}")


def untimed(head: str) -> bool:
    """Tell whether the project's CSV holds a Sia workload, whose jobs have no duration at all."""
    lines = head.splitlines()
    if len(lines) < 2 or "duration_s" not in lines[0]:
        return False
    place = lines[0].split(",").index("duration_s")
    cells = [line.split(",") for line in lines[1:20]]
    return all(len(row) > place and not row[place] and "batch_size=" in row[-1] for row in cells)
