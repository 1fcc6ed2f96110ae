"""Walk back over the lines of a log that hold one of some literals, the nearest first, whatever floods it."""

from collections.abc import Iterator, Sequence
from functools import cache

from schedmate.knowledge.consequences import consequences
from schedmate.readers.failures.case import JobCase
from schedmate.readers.lines import Line
from schedmate.tools.literals import LiteralScanner
from schedmate.tools.logfile import LogFile
from schedmate.tools.raw_lines import RawLine

WINDOW_BYTES = 1 << 20
"""So much is searched at once."""
MOST_LINES = 4_000
"""So many lines are looked at, those nearest to the end: what puts a thing right stands between it and the end."""


def told_before(
    literals: Sequence[bytes], source: int, low: int, high: int, case: JobCase
) -> Iterator[tuple[RawLine, Line]]:
    """Give the lines between two places that hold a literal of a first statement, from the last to the first."""
    own, looked_at = case.readings[source], 0
    while high > low and looked_at < MOST_LINES:
        start = max(low, own.log.bounds(max(low, high - WINDOW_BYTES))[0])
        start = start if start < high else low
        there = literals_in(source, start, high, case)
        here = [literal for literal in literals if literal in there]
        for place in reversed(places_in(own.log, here, start, high) if here else ()):
            if (looked_at := looked_at + 1) > MOST_LINES:
                return
            raw = own.log.line_at(place)
            yield raw, own.cleaner.take(raw)
        high = start


def literals_in(source: int, start: int, end: int, case: JobCase) -> frozenset[bytes]:
    """Tell which literals stand in a part of a log; of all kinds at once, as one end may follow from several."""
    asked = source, start, end
    if asked not in case.searched:
        hits = scanner().find(case.readings[source].log.window(start, end))
        case.searched[asked] = frozenset(scanner().literals[number] for _, number in hits)
    return case.searched[asked]


@cache
def scanner() -> LiteralScanner:
    """Make ready to look for the literals of all kinds of first statements."""
    literals = [literal.decode() for kind in consequences() for literal in kind.literals]
    return LiteralScanner(literals, "first-statements")


def places_in(log: LogFile, literals: Sequence[bytes], start: int, end: int) -> list[int]:
    """Give where the lines of a part begin that hold a literal, in order."""
    data, places = log.window(start, end).lower(), set()
    for literal in literals:
        at = -1
        while (at := data.find(literal, at + 1)) >= 0:
            first, stop = log.bounds(start + at)
            places.add(first)
            at = max(at, stop - start - 1)
    return sorted(places)
