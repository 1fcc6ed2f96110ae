"""Know rows that bear a date from long before the job: a machine's event log keeps what was mended since."""

import calendar
import re

from schedmate.readers.failures.reading import FailureReading
from schedmate.readers.failures.sightings.sighting import Sighting

LONG_S = 3 * 86_400.0
"""How long before the steps that are known a row must be of: the first ones of a long log are not looked at."""
DATE = re.compile(
    r"(?:^|[ |,;(\[])(?:(?P<month>[01]\d)/(?P<day>[0-3]\d)/(?P<year>20\d\d)"
    r"|(?P<y>20\d\d)-(?P<m>[01]\d)-(?P<d>[0-3]\d)(?=[ |,;)\]T]))"
)
"""A date within a line, as event logs of machines and lists of schedulers bear one."""
YEAR = re.compile(rb"20\d\d[-/.]?[01]\d[-/.]?[0-3]\d|\d/20\d\d|[a-z] +\d{1,2} [\d:]{8} 20\d\d|\b1\d{9}\b")
"""How a line tells its year: without one, that of the steps is only guessed."""


def is_of_long_before(item: Sighting, own: FailureReading) -> bool:
    """Tell what happened to a machine long before the job's steps."""
    of_machine = item.raised is None and item.failure is not None and item.failure.category == "infrastructure"
    if not of_machine or (happened_s := date_in(item.line.text)) is None:
        return False
    first = min((mark for mark in own.marks if mark.time_s is not None), key=lambda mark: mark.start, default=None)
    if first is None or first.time_s is None or not YEAR.search(own.log.line_at(first.start).raw):
        return False
    return first.time_s - happened_s > LONG_S


def date_in(text: str) -> float | None:
    """Read the first date that stands within a line."""
    found = DATE.search(text)
    if found is None:
        return None
    parts = found.groupdict()
    year, month, day = (int(parts[one] or parts[other]) for one, other in (("year", "y"), ("month", "m"), ("day", "d")))
    if not 1 <= month <= 12 or not 1 <= day <= 31:
        return None
    return float(calendar.timegm((year, month, day, 0, 0, 0)))
