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
HEADING = late(rb"^\s*$|^\s*(?:[-=#*+>$%~]{1,12}) ?\S")
"""A blank line, or what a script prints over what it asked for."""
SOON_S = 120.0
"""So long before the last step a daemon's word may tell why it was the last."""
EPOCH = "epoch"


class Front(NamedTuple):
    """A dump in front: where it ends, and since when its lines are of the last steps."""

    end: int
    since_s: float | None

    def tells_of_end(self, line: Line) -> bool:
        """Tell a line of the dump that was written when the last steps were made, or later."""
        return self.since_s is not None and line.clock == EPOCH and (line.time_s or 0.0) >= self.since_s


NO_FRONT = Front(0, None)


def front_of(log: LogFile, last: StepMark | None, cleaner: Cleaner) -> Front:
    """Find the dump that a log begins with; it ends at 0 where there is none."""
    end = machines = between = 0
    for raw in islice(log.lines(0, log.size), MOST_LINES):
        if is_machines(raw, cleaner):
            machines, between, end = machines + 1, 0, raw.start + len(raw.raw)
        elif (between := between + 1) > MOST_BETWEEN or not HEADING.search(raw.raw):
            break
    since_s = last.time_s - SOON_S if last is not None and last.time_s is not None else None
    return Front(end if machines >= LEAST_MACHINES else 0, since_s)
