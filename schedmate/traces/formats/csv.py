"""The project's own format; columns beyond the first needed ones may be missing."""

from collections.abc import Iterator
from typing import TextIO

from schedmate.traces.formats.table import Fields, number, optional, read_rows
from schedmate.traces.rows import BadRow, Row

NEEDS = ("job_id", "submit_s", "duration_s", "gpus")


def read(stream: TextIO) -> Iterator[Row | BadRow]:
    """Read one row a job."""
    return read_rows(stream, NEEDS, job)


def job(row: Fields) -> Row:
    """Take a row as a job."""
    return Row(
        row.line,
        row["job_id"],
        number(row["submit_s"], "submit_s"),
        optional(row["duration_s"], "duration_s"),
        number(row["gpus"], "gpus"),
        row["user"],
        row["vc"],
        row["name"],
        row["status"],
        row["kind"],
        row["extra"],
        start_s=optional(row["start_s"], "start_s"),
        end_s=optional(row["end_s"], "end_s"),
        command=row["command"],
        workdir=row["workdir"],
    )
