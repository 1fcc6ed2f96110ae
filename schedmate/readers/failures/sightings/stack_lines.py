"""Tell the lines of a stack from what a program says: a call, and the source under it, state nothing."""

from itertools import islice

from schedmate.readers.failures.lines.line_cleaner import Cleaner
from schedmate.readers.failures.lines.tracebacks import FRAME
from schedmate.readers.failures.sightings.sighting import Sighting
from schedmate.tools.logfile import LogFile

CODE_INDENT, BEFORE_BYTES = 4, 1 << 12
"""How far Python moves the source under a call in, and how long a call's line may be."""


def is_of_a_stack(item: Sighting, log: LogFile, cleaner: Cleaner) -> bool:
    """Tell a call of a stack, or the source that Python prints under one, its head in the log or not."""
    if FRAME.match(item.line.text):
        return True
    if item.line.indent < CODE_INDENT:
        return False
    before = islice(log.lines_backward(item.start, max(0, item.start - BEFORE_BYTES)), 1)
    return any(FRAME.match(cleaner.take(raw).text) for raw in before)
