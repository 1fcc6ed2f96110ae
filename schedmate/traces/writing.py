"""Write traces in the project's own format."""

import csv
import gzip
import io
import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from schedmate.tools.output import writing
from schedmate.traces.columns import Trace

FORMULA = ("=", "+", "-", "@", "\t", "\r", "'")
HEADER = ("job_id", "user", "vc", "name", "submit_s", "duration_s", "gpus", "status", "kind")

Written = Callable[[int], object]
"""What stands in a column, by the row's number."""


def write_trace(trace: Trace, stream: TextIO) -> None:
    """Write one row a job, whole numbers without a point."""
    writer = csv.writer(stream, lineterminator="\n")
    more = columns_beyond(trace)
    writer.writerow((*HEADER, *more, "extra"))
    submit_s, duration_s, gpus = trace.submit_s.tolist(), trace.duration_s.tolist(), trace.sizes()
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
                *(written(i) for written in more.values()),
                cell(trace.extra[i]) if trace.extra else "",
            )
        )


def columns_beyond(trace: Trace) -> dict[str, Written]:
    """Name the columns that not every trace has, and what stands in them."""
    more: dict[str, Written] = {}
    if len(trace.account.codes):
        more["account"] = lambda i: cell(trace.account[i])
    if len(trace.qos.codes):
        more["qos"] = lambda i: cell(trace.qos[i])
    if len(trace.limit_s):
        more["limit_s"] = lambda i: plain(float(trace.limit_s[i]))
    if len(trace.waited_s):
        more["start_s"] = lambda i: plain(float(trace.submit_s[i] + trace.waited_s[i]))
    return more


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
