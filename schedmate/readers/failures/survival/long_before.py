"""Know rows that bear a date from long before the job: a machine's event log keeps what was mended since."""

import calendar
import re
from collections.abc import Iterator
from itertools import islice

from schedmate.readers.failures.reading import FailureReading
from schedmate.readers.failures.sightings.sighting import Sighting
from schedmate.tools.late_patterns import late

LONG_S, VERY_LONG_S = 3 * 86_400.0, 21 * 86_400.0
"""How long before the steps that are known a row must be of: the first ones of a long log are not looked at; and how
long before the end of a log whose steps tell no time.
"""
LAST_LINES, NEAR_LINES, HEAD_CHARACTERS = 400, 30, 60
"""How many lines of the end, and around a row, are asked for their dates; how far before a date its meaning stands."""
DATE = re.compile(
    r"(?:^|[ |,;(\[])(?:(?P<month>[01]\d)/(?P<day>[0-3]\d)/(?P<year>20\d\d)"
    r"|(?P<y>20\d\d)-(?P<m>[01]\d)-(?P<d>[0-3]\d)(?=[ |,;)\]T]))"
)
"""A date within a line, as event logs of machines and lists of schedulers bear one."""
OF_A_BUILD = late(r"(?i)\b(?:v?bios|firmware|fw|driver|version|built|build|released?|until|valid)\b[^|;]{0,30}$")
"""What stands before a date that is none of what happened: when something was built, or how long it is valid."""
YEAR = re.compile(rb"20\d\d[-/.]?[01]\d[-/.]?[0-3]\d|\d/20\d\d|[a-z] +\d{1,2} [\d:]{8} 20\d\d|\b1\d{9}\b")
"""How a line tells its year."""

ACCOUNT = re.compile(r"^State: [A-Z_]{3,20} \(exit code \d{1,3}\)")
"""How Slurm's seff sums up a job that is over."""


def is_of_long_before(item: Sighting, own: FailureReading) -> bool:
    """Tell what happened to a machine long before the job's steps, or, where none tells its time, before its end.

    What an account says of a job that is over is of another one where steps follow.
    """
    if ACCOUNT.search(item.line.text) and any(mark.start > item.start for mark in own.marks):
        return True
    of_machine = item.raised is None and item.failure is not None and item.failure.category == "infrastructure"
    if not of_machine or (happened_s := when(item, own)) is None:
        return False
    within = date_in(item.line.text) is not None
    first = min((mark for mark in own.marks if mark.time_s is not None), key=lambda mark: mark.start, default=None)
    if first is not None and first.time_s is not None and tells_year(first.start, own):
        return first.time_s - happened_s > LONG_S
    # Behind steps that tell no time a job may have hung for days, before the next line came.
    if (within or not own.marks) and is_above_newer(item, own, happened_s, within):
        return True
    last_s = last_stamp(item.start, own)
    return last_s is not None and last_s - happened_s > VERY_LONG_S


def is_above_newer(item: Sighting, own: FailureReading, happened_s: float, within: bool) -> bool:
    """Tell a row of a list that has much newer ones: only the newest may be of the job's day."""
    return any(row_s - happened_s > LONG_S for row_s in rows_around(item, own, within))


def rows_around(item: Sighting, own: FailureReading, within: bool) -> Iterator[float]:
    """Give the dates of the rows around one, that bear theirs where it bears its own: within, or at their head."""
    before = islice(own.log.lines_backward(item.start, own.attempt.start), NEAR_LINES)
    after = islice(own.log.lines(item.start, own.attempt.end), 1, 1 + NEAR_LINES)
    for raw in (*before, *after):
        line = own.cleaner.take(raw)
        date_s = date_in(line.text) if within else None
        if date_s is not None:
            yield date_s
        elif not within and line.clock == "epoch" and line.time_s is not None and YEAR.search(raw.raw):
            yield line.time_s


def when(item: Sighting, own: FailureReading) -> float | None:
    """Give when a row says that it happened: by a date within it, or by the one that it begins with."""
    if (within := date_in(item.line.text)) is not None:
        return within
    dated = item.line.clock == "epoch" and tells_year(item.start, own)
    return item.line.time_s if dated else None


def tells_year(place: int, own: FailureReading) -> bool:
    """Tell whether the line at a place says of which year it is: without that, its date is only guessed."""
    return YEAR.search(own.log.line_at(place).raw) is not None


def last_stamp(start: int, own: FailureReading) -> float | None:
    """Give the last moment that the end of a log tells, with its year."""
    for raw in islice(own.log.lines_backward(own.attempt.end, start), LAST_LINES):
        line = own.cleaner.take(raw)
        if line.time_s is not None and line.clock == "epoch" and YEAR.search(raw.raw):
            return line.time_s
    return None


def date_in(text: str) -> float | None:
    """Read the first date that stands within a line."""
    found = DATE.search(text)
    if found is None or OF_A_BUILD.search(text[max(0, found.start() - HEAD_CHARACTERS) : found.start() + 1]):
        return None
    parts = found.groupdict()
    year, month, day = (int(parts[one] or parts[other]) for one, other in (("year", "y"), ("month", "m"), ("day", "d")))
    if not 1 <= month <= 12 or not 1 <= day <= 31:
        return None
    return float(calendar.timegm((year, month, day, 0, 0, 0)))
