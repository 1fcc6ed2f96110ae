"""Write traces in the project's own format."""

import csv
import gzip
import io
import math
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from schedmate.tools.output import writing
from schedmate.traces.columns import Trace

FORMULA = ("=", "+", "-", "@", "\t", "\r", "'")
HEADER = ("job_id", "user", "vc", "name", "submit_s", "duration_s", "gpus", "status", "kind", "extra")


def write_trace(trace: Trace, stream: TextIO) -> None:
    """Write one row a job, whole numbers without a point."""
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(HEADER)
    submit_s, duration_s, gpus = trace.submit_s.tolist(), trace.duration_s.tolist(), trace.gpus.tolist()
    for i in range(len(trace)):
        writer.writerow(
            (
                cell(trace.job_id[i]),
                cell(trace.user[i]),
                cell(trace.vc[i]),
                cell(trace.job_name[i]),
                plain(submit_s[i]),
                plain(duration_s[i]),
                gpus[i],
                cell(trace.status[i]),
                cell(trace.kind[i]),
                cell(trace.extra[i]) if trace.extra else "",
            )
        )


def cell(value: object) -> str:
    """Keep a spreadsheet from taking a name for a formula, as they do what begins so; `uncell` takes it back."""
    text = str(value)
    return f"'{text}" if text.startswith(FORMULA) else text


def uncell(text: str) -> str:
    """Give the text that `cell` was given."""
    return text[1:] if text.startswith("'") and text[1:].startswith(FORMULA) else text


def plain(value: float) -> str:
    """Write a number shortly; empty when it is not known."""
    if math.isnan(value):
        return ""
    return str(int(value)) if value == int(value) else repr(round(value, 3))


@contextmanager
def open_output(path: Path) -> Iterator[TextIO]:
    """Open a file to write, packed when its name ends in .gz; packing is the same at every run."""
    with writing(path):
        if path.suffix != ".gz":
            with path.open("w", encoding="utf-8", newline="") as stream:
                yield stream
            return
        with (
            path.open("wb") as raw,
            gzip.GzipFile("", "wb", 6, raw, mtime=0) as packed,
            io.TextIOWrapper(packed, "utf-8", newline="") as stream,
        ):
            yield stream
