"""Helios, as published: time stamps, `gpu_num`, `duration`; jobs without GPUs are in it too."""

from collections.abc import Iterator
from typing import TextIO

from schedmate.traces.formats.table import (
    Fields,
    optional,
    published_job,
    read_rows,
)
from schedmate.traces.rows import BadRow, Row

NEEDS = ("job_id", "gpu_num", "submit_time", "duration")


def read(stream: TextIO) -> Iterator[Row | BadRow]:
    """Read one row a job."""
    return read_rows(stream, NEEDS, job)


def job(row: Fields) -> Row:
    """Take a row as a job."""
    return published_job(row, optional(row["duration"], "duration"), row["vc"], row["jobname"])
