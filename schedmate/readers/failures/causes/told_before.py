"""Walk back over the lines of a log that hold one of some literals, the nearest first, whatever floods it."""

from collections.abc import Iterator, Sequence

from schedmate.readers.failures.reading import FailureReading
from schedmate.readers.lines import Line
from schedmate.tools.logfile import LogFile
from schedmate.tools.raw_lines import RawLine

WINDOW_BYTES = 1 << 20
"""So much is searched at once."""
MOST_LINES = 4_000
"""So many lines are looked at, those nearest to the end: what puts a thing right stands between it and the end."""


def told_before(literals: Sequence[bytes], own: FailureReading, low: int, high: int) -> Iterator[tuple[RawLine, Line]]:
    """Give the lines between two places that hold a literal, whatever its case, from the last to the first."""
    looked_at = 0
    while high > low and looked_at < MOST_LINES:
        start = max(low, own.log.bounds(max(low, high - WINDOW_BYTES))[0])
        start = start if start < high else low
        for place in reversed(places_in(own.log, literals, start, high)):
            if (looked_at := looked_at + 1) > MOST_LINES:
                return
            raw = own.log.line_at(place)
            yield raw, own.cleaner.take(raw)
        high = start


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
