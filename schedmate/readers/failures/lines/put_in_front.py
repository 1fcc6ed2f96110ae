"""Know what somebody put in front of a job's log, a dump of kernels and daemons: its clock tells which run it is of."""

from collections.abc import Iterable, Mapping
from itertools import islice
from typing import NamedTuple

from schedmate.readers.failures.lines.line_cleaner import Cleaner
from schedmate.readers.failures.lines.machine_marks import is_machines
from schedmate.readers.failures.lines.steps import StepMark
from schedmate.readers.lines import Line
from schedmate.tools.late_patterns import late
from schedmate.tools.logfile import LogFile
from schedmate.tools.raw_lines import RawLine

MOST_LINES, MOST_BETWEEN, LEAST_MACHINES = 2_000, 3, 2
"""How long such a dump may be, and how many blank lines and headings stand between two parts of it."""
HEADING = late(
    rb"^\s*$|^\[?\.{3}|^\s*(?:[-=#*+>$%~]{1,12}) ?\S"
    rb"|(?i:^\W{0,3}(?:\w{1,30}\W{1,3}){0,3}"
    rb"(?:dmesg|journal\w{0,9}|syslog|epilog|sel|bmc|(?:kernel|system) (?:messages|log))\b)"
)
"""A blank line, what a script prints over what it asked for, or a mark of what was left out."""
SOON_S, MADE_LATER_S, WAITED_S = 120.0, 600.0, 3_600.0
"""So long before the last step a daemon's word may tell why it was the last; so long behind a job's end a dump may be
made; so long ranks may wait before they end, where no clock tells.
"""
EPOCH, DAY, BOOT, DAY_S = "epoch", "day", "boot", 86_400.0


class Front(NamedTuple):
    """A dump in front: where it ends, and since when its lines are of the last steps, by each clock that is known."""

    end: int
    since_s: Mapping[str, float]

    def tells_of_end(self, line: Line) -> bool:
        """Tell a line of the dump that was written when the last steps were made, or later."""
        return (since := self.since(line)) is not None and since >= 0

    def is_older(self, start: int, line: Line) -> bool:
        """Tell what stands in the dump and was written before: of what the job got over."""
        return start < self.end and (since := self.since(line)) is not None and since < 0

    def since(self, line: Line) -> float | None:
        """Give how long after the last steps began a line was written; None where no clock tells."""
        if line.time_s is None:
            return None
        if line.clock in self.since_s:
            return line.time_s - self.since_s[line.clock]
        of_day = line.clock == EPOCH and DAY in self.since_s
        return line.time_s % DAY_S - self.since_s[DAY] if of_day else None


NO_FRONT = Front(0, {})


def front_of(log: LogFile, last: StepMark | None, cleaner: Cleaner) -> Front:
    """Find the dump that a log begins with; it ends at 0 where there is none."""
    end = machines = between = 0
    up_s = -1.0
    for raw in islice(log.lines(0, log.size), MOST_LINES):
        if is_machines(raw, cleaner):
            machines, between, end = machines + 1, 0, raw.start + len(raw.raw)
            line = cleaner.take(raw)
            up_s = max(up_s, line.time_s or 0.0) if line.clock == BOOT else up_s
        elif (between := between + 1) > MOST_BETWEEN or not HEADING.search(raw.raw):
            break
    if machines < LEAST_MACHINES:
        return NO_FRONT
    moment = last_moment(log, last, end, cleaner)
    since = {} if moment is None else {moment[1]: moment[0] - SOON_S}
    if last is not None and up_s > 0:
        since[BOOT] = up_s - MADE_LATER_S - died_for(log, moment, cleaner)
    return Front(end, since)


def last_moment(log: LogFile, last: StepMark | None, front_end: int, cleaner: Cleaner) -> tuple[float, str] | None:
    """Tell when the last step was made; where it bears no time, when the job last spoke before it."""
    if last is None:
        return None
    if last.time_s is not None:
        return last.time_s, EPOCH
    return first_moment(islice(log.lines_backward(last.start, front_end), MOST_LINES), cleaner)


def first_moment(lines: Iterable[RawLine], cleaner: Cleaner) -> tuple[float, str] | None:
    """Give the first time of lines, and by which clock it is told."""
    said = map(cleaner.take, lines)
    times = ((line.time_s, line.clock) for line in said if line.time_s is not None and line.clock in {EPOCH, DAY})
    return next(times, None)


def died_for(log: LogFile, moment: tuple[float, str] | None, cleaner: Cleaner) -> float:
    """Tell how long the job said more behind its last step."""
    end = first_moment(islice(log.lines_backward(log.size), MOST_LINES), cleaner)
    if moment is None or end is None or end[1] != moment[1] or not 0 <= end[0] - moment[0] <= DAY_S:
        return WAITED_S
    return end[0] - moment[0]
