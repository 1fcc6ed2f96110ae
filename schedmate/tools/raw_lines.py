"""Lines for the eye: a line feed or a carriage return ends them; numbers count line feeds, as an editor does."""

import re
import sys
from collections.abc import Iterator
from typing import NamedTuple

MAX_LINE_BYTES = 1 << 16
"""How much of one line is handed out; a line of a gigabyte is not a line that anyone reads."""

SAMPLE_BYTES, LONG_LINE = 1 << 11, 32
"""How much of a piece tells how long its lines are, and how long they are where one jumps from one to the next."""

FEED = 10

MANY_FEEDS = b"\n" * 32

BLANKS = re.compile(rb"\n{32,}")
"""So many line feeds in a row are skipped at once."""


class RawLine(NamedTuple):
    """One line as it stands in the file: its number counted by line feeds, where it starts, its bytes."""

    number: int
    start: int
    raw: bytes


def count_feeds(data: bytes) -> int:
    """Count line feeds; numpy is worth its import only for what is large.

    Of what Python has itself `replace` jumps from one to the next, and `count` looks at each byte: quicker where many
    lines are short.
    """
    if "numpy" in sys.modules:
        import numpy as np

        return int(np.count_nonzero(np.frombuffer(data, np.uint8) == FEED))
    if data.count(b"\n", 0, SAMPLE_BYTES) * LONG_LINE > min(len(data), SAMPLE_BYTES):
        return data.count(b"\n")
    return len(data) - len(data.replace(b"\n", b""))


def split_lines(data: bytes, number: int, start: int) -> Iterator[RawLine]:
    """Split a piece of a log into lines for the eye; carriage returns end a line but do not count."""
    for low, high, before in between_blanks(data):
        yield from split_rows(data[low:high], number + before, start + low)


def split_backward(data: bytes, number: int, start: int) -> Iterator[RawLine]:
    """Give the lines that `split_lines` gives from the last to the first, each made when it is asked for."""
    for low, high, before in reversed(between_blanks(data)):
        yield from split_rows_backward(data[low:high], number + before, start + low)


def between_blanks(data: bytes) -> list[tuple[int, int, int]]:
    """Give the parts between runs of blank lines, and how many line feeds stand before each: a flood of them is nothing
    to look at.
    """
    parts, at, feeds = [], 0, 0
    for run in BLANKS.finditer(data) if MANY_FEEDS in data else ():
        parts.append((at, run.start(), feeds))
        feeds += data.count(b"\n", at, run.end())
        at = run.end()
    return [*parts, (at, len(data), feeds)]


def split_rows(data: bytes, number: int, start: int) -> Iterator[RawLine]:
    """Split a piece without floods of blank lines."""
    offset = 0
    for row in data.split(b"\n"):
        place = offset
        for part in row.split(b"\r") if b"\r" in row else (row,):
            if part and not part.isspace():
                yield RawLine(number, start + place, part[:MAX_LINE_BYTES])
            place += len(part) + 1
        number += 1
        offset += len(row) + 1


def split_rows_backward(data: bytes, number: int, start: int) -> Iterator[RawLine]:
    """Split such a piece from its end."""
    rows = data.split(b"\n")
    number += len(rows)
    place = start + len(data) + 1
    for row in reversed(rows):
        number -= 1
        place -= len(row) + 1
        if b"\r" in row:
            yield from reversed(list(split_rows(row, number, place)))
        elif row and not row.isspace():
            yield RawLine(number, place, row[:MAX_LINE_BYTES])
