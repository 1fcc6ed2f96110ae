"""The project's own format; columns beyond the first needed ones may be missing."""

from collections.abc import Iterator
from typing import TextIO

from schedmate.knowledge.mig_slices import share_of
from schedmate.traces.formats.table import Fields, number, optional, read_rows
from schedmate.traces.rows import BadRow, Row
from schedmate.traces.writing import uncell

NEEDS = ("job_id", "submit_s", "duration_s", "gpus")


def read(stream: TextIO) -> Iterator[Row | BadRow]:
    """Read one row a job."""
    return read_rows(stream, NEEDS, job)


def gpus(text: str) -> float:
    """Read how many GPUs, a part of one (`0.25`), or the profile of an instance (`3g.40gb`)."""
    share = share_of(text)
    return number(text, "gpus") if share is None else share


def job(row: Fields) -> Row:
    """Take a row as a job."""
    return Row(
        row.line,
        uncell(row["job_id"]),
        number(row["submit_s"], "submit_s"),
        optional(row["duration_s"], "duration_s"),
        gpus(row["gpus"]),
        uncell(row["user"]),
        uncell(row["vc"]),
        uncell(row["name"]),
        uncell(row["status"]),
        uncell(row["kind"]),
        uncell(row["extra"]),
        start_s=optional(row["start_s"], "start_s"),
        end_s=optional(row["end_s"], "end_s"),
        command=uncell(row["command"]),
        workdir=uncell(row["workdir"]),
        limit_s=optional(row["limit_s"], "limit_s"),
        account=uncell(row["account"]),
        qos=uncell(row["qos"]),
    )
