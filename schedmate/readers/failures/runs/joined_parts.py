"""Tell whether the parts of a log lie side by side in time, as files of one run do that somebody joined."""

from collections.abc import Iterable, Sequence
from itertools import islice, pairwise

from schedmate.readers.failures.lines.steps import is_progress, mark_of
from schedmate.readers.lines import Line, clean
from schedmate.readers.templates import mask_line
from schedmate.tools.logfile import LogFile
from schedmate.tools.raw_lines import RawLine

LOOKED_AT, MOST_EDGES = 40, 16
OPENING_LINES = 3


def lie_side_by_side(log: LogFile, places: Sequence[int], named: bool) -> bool:
    """Tell whether a clock goes back from one part to the next; without clocks, whether those open alike that are
    named as processes or machines.
    """
    edges = [*places[:MOST_EDGES], log.size]
    told = [goes_back(log, start, end) for start, end in pairwise(edges[1:])]
    known = [one for one in told if one is not None]
    if known or not named:
        return any(known)
    openings = [opening(log, start, end) for start, end in pairwise(edges)]
    return any(first & second for first, second in pairwise(openings))


def goes_back(log: LogFile, place: int, end: int) -> bool | None:
    """Tell whether what stands behind a place bears earlier stamps than what stands before it; None without stamps."""
    before = first_stamp(islice(log.lines_backward(place), LOOKED_AT))
    after = first_stamp(islice(log.lines(place, end), LOOKED_AT))
    return None if before is None or after is None else after < before


def first_stamp(rows: Iterable[RawLine]) -> float | None:
    """Give the first stamp that counts from 1970 among lines."""
    stamps = (mark_of(clean(raw.raw), raw.start).time_s for raw in rows)
    return next((stamp for stamp in stamps if stamp is not None), None)


def opening(log: LogFile, start: int, end: int) -> set[str]:
    """Give the first lines of a part without their figures; steps open nothing."""
    said: list[Line] = [clean(raw.raw) for raw in islice(log.lines(start, end), 1, 1 + LOOKED_AT)]
    return {mask_line(line.text) for line in said[:OPENING_LINES] if len(line.text) > 8 and not is_progress(line.text)}
