"""Know a log of several processes that somebody fetched one after the other, as `kubectl logs --prefix` prints pods.

Each line bears the name of its own process, all that one says stands together, and the clock goes back at each edge.
"""

from collections.abc import Iterator, Sequence
from itertools import groupby, islice, pairwise

import re2

from schedmate.readers.failures.runs.joined_parts import goes_back
from schedmate.tools.logfile import LogFile

NAME = re2.compile(rb"^(\[?[A-Za-z][\w.-]{0,120}(?:/[\w.-]{1,120}){0,3}\]?:?)(?: +\| |[ \t])")
DIGIT = re2.compile(rb"\d")
HEAD_LINES, PROBES = 40, 384

LEAST_NAMED, LEAST_OF_ONE = 0.8, 3
"""Which share of the lines bears a name, and how many of those looked at each process must have."""


def blocks_of_names(log: LogFile) -> tuple[int, ...]:
    """Give where the part of each process begins; nothing where they speak in turn, or one after the other in time."""
    head = [name_of(raw.raw) for raw in islice(log.lines(0, log.size), HEAD_LINES)]
    if head.count(b"") > len(head) * (1 - LEAST_NAMED):
        return ()
    told = [(place, name) for place in probes(log) if (name := name_of(log.line_at(place).raw))]
    groups = [(name, [place for place, _ in rows]) for name, rows in groupby(told, key=lambda one: one[1])]
    names = [name for name, _ in groups]
    if not 1 < len(names) == len(set(names)) or min(len(places) for _, places in groups) < LEAST_OF_ONE:
        return ()
    if len(told) < LEAST_NAMED * PROBES:
        return ()
    edges = (first_of(log, name, before[-1], after[0]) for (_, before), (name, after) in pairwise(groups))
    places = (0, *edges)
    return places if all_go_back(log, places) else ()


def probes(log: LogFile) -> Iterator[int]:
    """Give where lines begin, evenly through the log."""
    return (log.bounds(log.size * number // PROBES)[0] for number in range(PROBES))


def name_of(raw: bytes) -> bytes:
    """Give the name that a line begins with: such names bear a number."""
    found = NAME.match(raw)
    return bytes(found[1]) if found and DIGIT.search(found[1]) else b""


def first_of(log: LogFile, name: bytes, start: int, end: int) -> int:
    """Give the first line of a process between two places of which the second is its own."""
    return next((raw.start for raw in log.lines(start, end) if name_of(raw.raw) == name), end)


def all_go_back(log: LogFile, places: Sequence[int]) -> bool:
    """Tell whether the clock goes back at each edge."""
    return all(goes_back(log, start, end) for start, end in pairwise((*places[1:], log.size)))
