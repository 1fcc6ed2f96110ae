"""Gather the different statements that a log makes, with bounded memory however long the log is."""

from collections.abc import Callable
from dataclasses import dataclass

from schedmate.readers.lines import visible
from schedmate.readers.templates import mask_line
from schedmate.tools.logfile import LogFile

MAX_STATEMENTS = 50_000
MAX_QUOTE_CHARS = 300
ADVANCE_LINES = 20_000


@dataclass(slots=True)
class CountedStatement:
    """A template, how often it stands in the log, and its first line."""

    template: str
    line: int
    quote: str
    count: int = 1


@dataclass(frozen=True)
class Statements:
    """All statements in the order in which they first stand; `crowded_out` lines came after the memory was full."""

    found: tuple[CountedStatement, ...]
    lines: int
    crowded_out: int


def gather_statements(
    log: LogFile, advance: Callable[[int, int], None] = lambda done, total: None, most: int = MAX_STATEMENTS
) -> Statements:
    """Read a log once from start to end; `advance` hears of bytes read and to read."""
    found: dict[str, CountedStatement] = {}
    lines = crowded_out = 0
    for line in log.lines():
        lines += 1
        if lines % ADVANCE_LINES == 0:
            advance(line.start, log.size)
        text = line.raw.decode("utf-8", "replace")
        template = mask_line(text)
        known = found.get(template)
        if known:
            known.count += 1
        elif len(found) < most:
            found[template] = CountedStatement(template, line.number, visible(text).strip()[:MAX_QUOTE_CHARS])
        else:
            crowded_out += 1
    advance(log.size, log.size)
    return Statements(tuple(found.values()), lines, crowded_out)
