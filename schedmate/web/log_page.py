"""A piece of a log of any size, as people read it: lines with their numbers, and the ways on and back."""

from dataclasses import dataclass
from pathlib import Path

from schedmate.tools.logfile import LogFile, open_log
from schedmate.tools.masking import Masker
from schedmate.tools.plain_text import plain_log

LINES = 200
WINDOW = 256 << 10

BEFORE = 12
"""Lines shown before the one that was asked for."""
LONGEST = 2000

COUNTED = 4 << 30
"""Bytes up to which lines are numbered; counting further would take too long."""


@dataclass(frozen=True)
class LogLine:
    """One line."""

    number: int | None
    text: str


@dataclass(frozen=True)
class LogPage:
    """Some lines, where they begin and end, and where to go from here; None: nowhere."""

    lines: list[LogLine]
    at: int
    end: int
    size: int
    back: int | None
    on: int | None
    marked: int
    """The line that was asked for; 0: none."""


def log_page(path: Path, at: int | None = None, line: int = 0, lines: int = LINES) -> LogPage:
    """Give the lines from a byte on, or around a line; without either the last ones."""
    with open_log(path) as log:
        if line and log.size <= COUNTED:
            at = log.line_offset(max(1, line - BEFORE))
        if at is None or at >= log.size:
            at = start_before(log, log.size, lines)
        shown, end = lines_from(log, at, lines)
        back = start_before(log, at, lines) if at > 0 else None
        return LogPage(shown, at, end, log.size, back, end if end < log.size else None, line)


def start_before(log: LogFile, at: int, lines: int) -> int:
    """Find where so many lines before an offset begin; in a line without end, no further than one window."""
    low = max(0, at - WINDOW)
    data = log.window(low, at)
    place = len(data) - 1 if data.endswith(b"\n") else len(data)
    for _ in range(lines):
        place = data.rfind(b"\n", 0, place)
        if place < 0:
            return low
    return low + place + 1


def lines_from(log: LogFile, at: int, lines: int) -> tuple[list[LogLine], int]:
    """Read so many lines, and say where the next one begins."""
    data = log.window(at, at + WINDOW)
    number = log.line_number(at) if log.size <= COUNTED else None
    masker, shown, place = Masker(), list[LogLine](), 0
    while place < len(data) and len(shown) < lines:
        feed = data.find(b"\n", place)
        is_cut = feed < 0 and at + len(data) < log.size
        if is_cut and shown:
            break  # it is shown whole on the next page
        end = len(data) if feed < 0 else feed + 1
        shown.append(LogLine(number, readable(data[place:end], masker)))
        number = None if number is None else number + 1
        place = end
    return shown, at + place


def readable(raw: bytes, masker: Masker) -> str:
    """Make a line readable: of what was written over itself the last, without colours, secrets masked, cut."""
    pieces = [piece for piece in raw.rstrip(b"\r\n").split(b"\r") if piece.strip()]
    text = pieces[-1][: 4 * LONGEST].decode("utf-8", "replace") if pieces else ""
    text = masker.line(plain_log(text))
    return text if len(text) <= LONGEST else text[:LONGEST] + " …"
