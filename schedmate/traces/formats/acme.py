"""Acme's two clusters, as published. Kalos's `duration` holds the queueing too, so start and end times go first."""

from collections.abc import Iterator
from typing import TextIO

from schedmate.traces.formats.table import (
    Fields,
    optional,
    optional_moment_s,
    published_job,
    read_rows,
)
from schedmate.traces.rows import BadRow, Row

NEEDS = ("job_id", "gpu_num", "submit_time")


def run_time_s(row: Fields) -> float | None:
    """Give end minus start; without them the `duration` column less the `queue` column."""
    start_s = optional_moment_s(row["start_time"], "start_time")
    end_s = optional_moment_s(row["end_time"], "end_time")
    if start_s is not None and end_s is not None:
        return end_s - start_s
    duration_s = optional(row["duration"], "duration")
    if duration_s is None or start_s is not None:
        return duration_s
    return duration_s - (optional(row["queue"], "queue") or 0.0)


def read(stream: TextIO) -> Iterator[Row | BadRow]:
    """Read one row a job."""
    return read_rows(stream, NEEDS, job)


def job(row: Fields) -> Row:
    """Take a row as a job; its type (Pretrain, SFT, Eval ...) becomes its name."""
    return published_job(row, run_time_s(row), "", row["type"])
