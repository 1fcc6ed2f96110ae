"""Workloads of Pollux and Sia: arrivals and sizes; how long a job runs follows from a model of its training."""

from collections.abc import Iterator
from typing import TextIO

from schedmate.traces.formats.table import named_rows, number
from schedmate.traces.rows import BadRow, Row


def read(stream: TextIO) -> Iterator[Row | BadRow]:
    """Read one row a job; no row has a duration."""
    for row in named_rows(stream, ("name", "time", "application", "num_replicas", "batch_size")):
        if isinstance(row, BadRow):
            yield row
            continue
        try:
            yield Row(
                row.line,
                row["name"],
                number(row["time"], "time"),
                None,
                number(row["num_replicas"], "num_replicas"),
                name=row["application"],
                extra=f"batch_size={row['batch_size']}" + (f";category={row['category']}" if row["category"] else ""),
            )
        except ValueError as error:
            yield BadRow(row.line, str(error))
