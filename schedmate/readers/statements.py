"""Gather the different statements that a log makes, with bounded memory however long the log is."""

from collections.abc import Callable
from dataclasses import dataclass

from schedmate.readers.failures.lines.tracebacks import FRAME
from schedmate.readers.lines import clean, visible
from schedmate.readers.templates import mask_line
from schedmate.tools.logfile import LogFile

MAX_STATEMENTS = 50_000
MAX_QUOTE_CHARS = 300
ADVANCE_LINES = 20_000

CALL, CODE_INDENT = b'File "', 4
"""What the line of a call in a stack holds, and how far Python moves the source under it in."""


@dataclass(slots=True)
class CountedStatement:
    """A template, how often it stands in the log, and its first line."""

    template: str
    line: int
    quote: str
    count: int = 1
    in_stack: bool = False
    """a call of a stack, or the source that is printed under one"""


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
    found: dict[tuple[str, bool], CountedStatement] = {}
    lines, crowded_out, in_stack = 0, 0, False
    for line in log.lines():
        lines += 1
        if lines % ADVANCE_LINES == 0:
            advance(line.start, log.size)
        text = line.raw.decode("utf-8", "replace")
        template = mask_line(text)
        in_stack = is_call(line.raw) or (in_stack and clean(line.raw).indent >= CODE_INDENT)
        known = found.get((template, in_stack))
        if known:
            known.count += 1
        elif len(found) < most:
            quote = visible(text).strip()[:MAX_QUOTE_CHARS]
            found[template, in_stack] = CountedStatement(template, line.number, quote, in_stack=in_stack)
        else:
            crowded_out += 1
    advance(log.size, log.size)
    return Statements(tuple(found.values()), lines, crowded_out)


def is_call(raw: bytes) -> bool:
    """Tell the line of one call in a stack, whoever printed it."""
    return CALL in raw and FRAME.match(clean(raw).text) is not None
