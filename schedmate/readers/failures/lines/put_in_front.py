"""Know what somebody put in front of a job's log, a dump of kernels and daemons: its clock tells which run it is of."""

from itertools import islice
from typing import NamedTuple

from schedmate.readers.failures.lines.line_cleaner import Cleaner
from schedmate.readers.failures.lines.machine_marks import is_machines
from schedmate.readers.failures.lines.steps import StepMark
from schedmate.readers.lines import Line
from schedmate.tools.late_patterns import late
from schedmate.tools.logfile import LogFile

MOST_LINES, MOST_BETWEEN, LEAST_MACHINES = 2_000, 3, 2
"""How long such a dump may be, and how many blank lines and headings stand between two parts of it."""
HEADING = late(rb"^\s*$|^\[?\.{3}|^\s*(?:[-=#*+>$%~]{1,12}) ?\S")
"""A blank line, what a script prints over what it asked for, or a mark of what was left out."""
SOON_S = 120.0
"""So long before the last step a daemon's word may tell why it was the last."""
EPOCH, DAY, DAY_S = "epoch", "day", 86_400.0


class Front(NamedTuple):
    """A dump in front: where it ends, and since when its lines are of the last steps."""

    end: int
    since_s: float | None
    clock: str = EPOCH
    """by a clock that counts from 1970, or one that tells the time of day"""

    def tells_of_end(self, line: Line) -> bool:
        """Tell a line of the dump that was written when the last steps were made, or later."""
        if self.since_s is None or line.clock != EPOCH:
            return False
        said_s = line.time_s or 0.0
        return (said_s if self.clock == EPOCH else said_s % DAY_S) >= self.since_s

    def is_older(self, start: int, line: Line) -> bool:
        """Tell what stands in the dump and was written before: of what the job got over."""
        return start < self.end and self.since_s is not None and not self.tells_of_end(line)


NO_FRONT = Front(0, None)


def front_of(log: LogFile, last: StepMark | None, cleaner: Cleaner) -> Front:
    """Find the dump that a log begins with; it ends at 0 where there is none."""
    end = machines = between = 0
    for raw in islice(log.lines(0, log.size), MOST_LINES):
        if is_machines(raw, cleaner):
            machines, between, end = machines + 1, 0, raw.start + len(raw.raw)
        elif (between := between + 1) > MOST_BETWEEN or not HEADING.search(raw.raw):
            break
    if machines < LEAST_MACHINES:
        return NO_FRONT
    moment = last_moment(log, last, end, cleaner)
    return Front(end, None) if moment is None else Front(end, moment[0] - SOON_S, moment[1])


def last_moment(log: LogFile, last: StepMark | None, front_end: int, cleaner: Cleaner) -> tuple[float, str] | None:
    """Tell when the last step was made; where it bears no time, when the job last spoke before it."""
    if last is None:
        return None
    if last.time_s is not None:
        return last.time_s, EPOCH
    before = islice(log.lines_backward(last.start, front_end), MOST_LINES)
    said = map(cleaner.take, before)
    return next(
        ((line.time_s, line.clock) for line in said if line.time_s is not None and line.clock in {EPOCH, DAY}), None
    )
