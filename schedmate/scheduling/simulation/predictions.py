"""Durations that were predicted elsewhere, as published beside a trace."""

from collections.abc import Collection, Iterable
from pathlib import Path

import numpy as np
import numpy.typing as npt

from schedmate.counts import how_many
from schedmate.errors import InputError
from schedmate.scheduling.policy_table import POLICIES
from schedmate.traces.columns import Trace
from schedmate.traces.formats.table import Fields, named_rows, number
from schedmate.traces.reading import open_text
from schedmate.traces.rows import BadRow

Floats = npt.NDArray[np.float64]


def read_predictions(spec: str | None, trace: Trace) -> dict[str, Floats]:
    """Read durations that were predicted elsewhere: a CSV of job_id and one column a policy, or the column named."""
    if spec is None:
        return {}
    name, _, column = spec.rpartition(":")
    if not name or Path(spec).exists():
        return read_columns(Path(spec), trace, POLICIES)
    values = read_columns(Path(name), trace, (column,))[column]
    return {name: values for name, one in POLICIES.items() if one.predicts}


def read_columns(path: Path, trace: Trace, names: Collection[str]) -> dict[str, Floats]:
    """Read those of the named columns that a CSV has, in the order of the trace's jobs."""
    with open_text(path) as stream:
        try:
            return columns_of(named_rows(stream, ("job_id",)), trace, names)
        except InputError as error:
            raise InputError(f"{path}: {error.message}", error.hint) from error


def columns_of(rows: Iterable[Fields | BadRow], trace: Trace, names: Collection[str]) -> dict[str, Floats]:
    """Put the numbers of the rows in the order of the trace's jobs."""
    numbers: dict[str, int] = {str(job_id): index for index, job_id in enumerate(trace.job_id)}
    columns: dict[str, Floats] = {}
    for row in rows:
        if isinstance(row, BadRow):
            raise InputError(f"line {row.line}: {row.reason}", "mend the row")
        index = numbers.get(row["job_id"])
        for name in row.keys() & names if index is not None else ():
            try:
                columns.setdefault(name, np.full(len(trace), np.nan))[index] = number(row[name], name)
            except ValueError as error:
                raise InputError(f"line {row.line}: {error}", "give a number of seconds") from error
    if not columns:
        raise InputError("it predicts nothing for this trace", f"columns: job_id and any of {', '.join(names)}")
    for name, values in columns.items():
        if missing := int(np.isnan(values).sum()):
            raise InputError(f"it has no '{name}' for {missing} of {how_many(len(trace), 'job')}", "add them")
    return columns
