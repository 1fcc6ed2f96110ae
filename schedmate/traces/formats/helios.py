"""Helios, as published: time stamps, `gpu_num`, `duration`; jobs without GPUs are in it too."""

from collections.abc import Iterator
from typing import TextIO

from schedmate.traces.formats.table import Fields, moment_s, number, optional, optional_moment_s, read_rows
from schedmate.traces.rows import BadRow, Row

NEEDS = ("job_id", "gpu_num", "submit_time", "duration")


def read(stream: TextIO) -> Iterator[Row | BadRow]:
    """Read one row a job."""
    return read_rows(stream, NEEDS, job)


def job(row: Fields) -> Row:
    """Take a row as a job."""
    return Row(
        row.line,
        row["job_id"],
        moment_s(row["submit_time"], "submit_time"),
        optional(row["duration"], "duration"),
        number(row["gpu_num"], "gpu_num"),
        row["user"],
        row["vc"],
        row["jobname"],
        row["state"],
        start_s=optional_moment_s(row["start_time"], "start_time"),
        end_s=optional_moment_s(row["end_time"], "end_time"),
        nodes=int(optional(row["node_num"], "node_num") or 0) or None,
    )
