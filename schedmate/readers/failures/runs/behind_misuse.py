"""Find where another program ran behind one that was called wrongly: that one had left at once, and did nothing."""

from collections.abc import Iterator
from itertools import islice

from schedmate.readers.failures.sightings.sighting import Findings
from schedmate.readers.lines import NOBODY, clean
from schedmate.tools.late_patterns import late_re2
from schedmate.tools.logfile import LogFile

MISUSED = "script.argparse_usage"

BEHIND_LINES, MANY_LINES = 400, 40
"""Who says so many different things behind it is no script that winds up, nor a launcher that tells of the end."""
SENTENCE = late_re2(r"^[^|+=]*(?:\b[A-Za-z]{2,}\W[^|+=]*){3}")
"""Rows of a table and settings say nothing: a script may print the state of its job and its GPUs as it ends."""


def behind_misuse(findings: Findings, log: LogFile) -> Iterator[int]:
    """Give the place behind the last word of a program that refused its arguments, where a lot is said and no trouble.

    What a rank refuses its launcher tells of, and other ranks refuse the same.
    """
    weighty = [item for item in findings.sightings if item.failure is None or item.failure.weight]
    item = max(weighty, key=lambda one: one.start, default=None)
    if item is None or item.failure is None or item.failure.id != MISUSED or item.line.speaker != NOBODY:
        return
    if any(one.start > item.start for one in findings.raised):
        return
    place = log.bounds(item.start)[1] + 1
    said = {clean(raw.raw).text for raw in islice(log.lines(place, log.size), BEHIND_LINES)}
    if sum(SENTENCE.search(text) is not None for text in said) >= MANY_LINES:
        yield place
