"""Find where a run that a launcher began once more opened as the first one had, and failed before it made a step."""

from collections.abc import Iterator, Sequence
from itertools import islice, pairwise

from schedmate.readers.failures.lines.exceptions import failure_of
from schedmate.readers.failures.lines.steps import marks_in
from schedmate.readers.failures.lines.tracebacks import Raised
from schedmate.readers.failures.runs.attempts import is_telling, mask
from schedmate.readers.failures.sightings.sighting import Findings
from schedmate.readers.lines import Own, clean
from schedmate.tools.logfile import LogFile

OPENING_BYTES, OPENING_LINES = 1 << 17, 1000
"""How much a run says at most before its first step."""
SAID_ALIKE = 4
"""So many different lines that no run says later tell that one opened; ranks that die late say none of them."""
MOST_RESTARTS = 64


def failed_early(findings: Findings, log: LogFile, year: int, own: Own) -> Iterator[int]:
    """Give the place behind each word of a restart where such a run opened."""
    restarts = findings.told.restarts[-MOST_RESTARTS:]
    raised = [one for one in findings.raised if one.leaves and failure_of(one).role == "root"]
    if not restarts or not raised or raised[-1].start < restarts[0]:
        return
    opening = opening_of(log, restarts[0], year, own)
    for restart, following in pairwise([*restarts, log.size]):
        end = next((one for one in raised if restart < one.start < following), None)
        if end is not None and opened_before(end, restart, opening, log, year, own):
            yield restart


def opening_of(log: LogFile, limit: int, year: int, own: Own) -> set[str]:
    """Give what the first run said before its first step, without figures; nothing where no step of it is known."""
    first = next(marks_in(log, 0, min(limit, OPENING_BYTES), year, own, forward=True), None)
    return set(told(log, 0, first.start, own)) if first else set()


def opened_before(end: Raised, restart: int, opening: set[str], log: LogFile, year: int, own: Own) -> bool:
    """Tell a run that says again what the first one had said as it opened, and makes no step up to its end."""
    if next(marks_in(log, restart, end.start, year, own, forward=True), None) is not None:
        return False
    return len(opening.intersection(told(log, restart, end.head_start, own))) >= SAID_ALIKE


def told(log: LogFile, start: int, end: int, own: Own) -> Sequence[str]:
    """Give the telling lines of a part of a log, without their figures."""
    lines = (clean(raw.raw, own=own) for raw in islice(log.lines(start, end), OPENING_LINES))
    return [mask(line.text) for line in lines if is_telling(line)]
