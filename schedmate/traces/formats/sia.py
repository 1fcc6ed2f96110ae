"""Workloads of Pollux and Sia: arrivals and sizes; how long a job runs follows from a model of its training."""

from collections.abc import Iterator
from typing import TextIO

from schedmate.traces.formats.table import Fields, number, read_rows
from schedmate.traces.rows import BadRow, Row


def read(stream: TextIO) -> Iterator[Row | BadRow]:
    """Read one row a job; no row has a duration."""
    return read_rows(stream, ("name", "time", "application", "num_replicas", "batch_size"), job)


def job(row: Fields) -> Row:
    """Take a row as a job; its batch and category go into `extra`."""
    return Row(
        row.line,
        row["name"],
        number(row["time"], "time"),
        None,
        number(row["num_replicas"], "num_replicas"),
        name=row["application"],
        extra=f"batch_size={row['batch_size']}" + (f";category={row['category']}" if row["category"] else ""),
    )
