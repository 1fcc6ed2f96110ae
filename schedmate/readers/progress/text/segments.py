"""Part what a terminal shows on one line into its records: bars that follow each other, and prints glued to a bar."""

import json
from collections.abc import Sequence
from itertools import pairwise

from schedmate.readers.progress.text.dress import PACKED
from schedmate.tools.late_patterns import late
from schedmate.tools.plain_text import encodable

MAX_SEGMENTS = 16

MOVED = late(rb"\r|\x1b\[\d{0,3}[ABEF]")
"""Back to the line's start, or to another line."""
KERAS_DRAWN = "━━━".encode()
KERAS_BAR = late(rb"(\d{1,9})/(\d{1,7}) (?:\[[=>.]{3,40}\]|" + KERAS_DRAWN + b")")

RETURNED = b"\\r"
"""A return as JSON writes it."""
PACKED_ROWS = tuple(one.encode() for one in PACKED)


def parts_of(row: bytes) -> Sequence[bytes]:
    """Part what a terminal shows on several lines, though no line's end parts it: bars go back, and up and down."""
    if RETURNED in row and row.startswith(PACKED_ROWS):
        return unpacked_bars(row)
    if b"\r" not in row and b"\x1b[" not in row:
        return drawn_behind(row)
    return [part for moved in MOVED.split(row) for part in drawn_behind(moved)]


def drawn_behind(row: bytes) -> Sequence[bytes]:
    """Cut before each of Keras's bars that were drawn one over another, where what moved the cursor back was lost."""
    if b"] - ETA" not in row and KERAS_DRAWN not in row:
        return (row,)
    starts = []
    for bar in KERAS_BAR.finditer(row):
        told, total = bar.group(1).decode(), int(bar.group(2))
        if row.endswith(b".", 0, bar.start()):  # a loss was drawn before it: `0.228910/19 [`
            told = next((told[at:] for at in range(1, len(told)) if told[at] != "0" and int(told[at:]) <= total), "")
        if told:
            starts.append(bar.end(1) - len(told))
    return [row[start:end] for start, end in pairwise([0, *starts[1:], len(row)])]


def unpacked_bars(row: bytes) -> Sequence[bytes]:
    """Give each state of the bars that a container's runtime has packed into one record, behind the record's time."""
    try:
        record = json.loads(row)
    except (ValueError, RecursionError):
        return (row,)
    inner, when = record.get("log"), record.get("time", "")
    if not isinstance(inner, str) or not isinstance(when, str):
        return (row,)
    states = MOVED.split(encodable(inner).encode())
    return [encodable(when).encode() + b" " + state for state in states if state.strip()]


def segments(text: str) -> list[str]:
    """Cut behind the closing bracket of each bar, where something else begins."""
    if "%|" not in text:
        return [text]
    found: list[str] = []
    start = 0
    while len(found) < MAX_SEGMENTS:
        end = bar_end(text, start)
        rest = text[end:].lstrip() if end else ""
        if not rest or not (rest[0].isalnum() or rest[0] in "{[("):
            break
        found.append(text[start:end])
        start = end
    return [*found, text[start:]]


def bar_end(text: str, start: int) -> int:
    """Find where the bar that begins after `start` is closed; nought when it is not."""
    bar = text.find("%|", start)
    opening = text.find("[", text.find("|", bar + 2)) if bar >= 0 else -1
    return text.find("]", opening) + 1 if opening >= 0 else 0
