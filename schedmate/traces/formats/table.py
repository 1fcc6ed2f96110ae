"""What the readers of tables share: rows with names, and numbers and times that may be missing."""

import csv
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime

from schedmate.counts import how_many
from schedmate.errors import InputError
from schedmate.traces.rows import BadRow, Row

csv.field_size_limit(1 << 20)


class Fields(dict[str, str]):
    """One row by column name; what it lacks reads as empty."""

    line: int = 0

    def __missing__(self, key: str) -> str:
        return ""


def named_rows(
    stream: Iterable[str], needs: tuple[str, ...], delimiter: str = ",", free: str = ""
) -> Iterator[Fields | BadRow]:
    """Read rows under a header line; a row of another length is bad.

    `free` names a column of free text that the writer does not quote: what is too much in a row belongs to it.
    """
    clean = (line.replace("\0", "") for line in stream)
    if delimiter == "|":
        lines = csv.reader(clean, delimiter=delimiter, quoting=csv.QUOTE_NONE)
    else:
        lines = csv.reader(clean, delimiter=delimiter)
    try:
        header = [name.strip().lstrip("\ufeff") for name in next(lines)]
    except StopIteration as error:
        raise InputError("the file is empty", "give a file with a header line and one job a line") from error
    except csv.Error as error:
        raise InputError(f"its header line cannot be read: {error}", "give one job a line under it") from error
    if missing := [name for name in needs if name not in header]:
        raise InputError(f"the trace has no column {', '.join(missing)}", f"its header reads: {','.join(header)[:300]}")
    while True:
        try:
            cells = next(lines, None)
        except csv.Error as error:
            yield BadRow(lines.line_num, str(error))
            continue
        if cells is None:
            return
        if not cells:
            continue
        if len(cells) > len(header) and free in header:
            place, surplus = header.index(free), len(cells) - len(header)
            cells[place : place + surplus + 1] = [delimiter.join(cells[place : place + surplus + 1])]
        if len(cells) != len(header):
            yield BadRow(lines.line_num, f"{how_many(len(cells), 'field')} under {how_many(len(header), 'column')}")
            continue
        row = Fields(zip(header, cells, strict=True))
        row.line = lines.line_num
        yield row


def read_rows(
    stream: Iterable[str], needs: tuple[str, ...], make: Callable[[Fields], Row | None], delimiter: str = ","
) -> Iterator[Row | BadRow]:
    """Make a job of each row; one that holds what it cannot is bad, one of which nothing is made is passed over."""
    for row in named_rows(stream, needs, delimiter):
        if isinstance(row, BadRow):
            yield row
            continue
        try:
            made = make(row)
        except ValueError as error:
            yield BadRow(row.line, str(error))
            continue
        if made is not None:
            yield made


def published_job(row: Fields, duration_s: float | None, vc: str, name: str) -> Row:
    """Take a row as a job, where its columns bear the names that Helios gave them and Acme took over."""
    return Row(
        row.line,
        row["job_id"],
        moment_s(row["submit_time"], "submit_time"),
        duration_s,
        number(row["gpu_num"], "gpu_num"),
        row["user"],
        vc,
        name,
        row["state"],
        start_s=optional_moment_s(row["start_time"], "start_time"),
        end_s=optional_moment_s(row["end_time"], "end_time"),
        nodes=int(optional(row["node_num"], "node_num") or 0) or None,
    )


def number(text: str, what: str) -> float:
    """Read a number; the error names the column."""
    try:
        return float(text)
    except ValueError:
        raise ValueError(f"{what} is {text!r}, not a number" if text else f"{what} is empty") from None


def optional(text: str, what: str) -> float | None:
    """Read a number that may be missing."""
    return None if text.strip() in {"", "None", "null", "nan", "NaN", "NULL", "Unknown"} else number(text, what)


def moment_s(text: str, what: str) -> float:
    """Read a time stamp, or seconds, as seconds since the epoch; without a zone it is taken as UTC."""
    stamp = text.strip()
    try:
        return float(stamp)
    except ValueError:
        pass
    try:
        moment = datetime.fromisoformat(stamp)
    except ValueError:
        raise ValueError(f"{what} is {text!r}, not a time" if stamp else f"{what} is empty") from None
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()


def optional_moment_s(text: str, what: str) -> float | None:
    """Read a time stamp that may be missing."""
    return None if text.strip() in {"", "None", "null", "nan", "NaN", "NaT", "Unknown", "N/A"} else moment_s(text, what)
