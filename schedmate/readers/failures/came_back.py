"""Tell a part of the machine that said shortly after its trouble that it was back: a link that went down and up."""

import re
from itertools import islice

from schedmate.readers.failures.reading import FailureReading
from schedmate.readers.failures.scan import Sighting
from schedmate.readers.lines import Line

AFTER_BYTES, MOST_LINES, MOST_S = 1 << 16, 400, 300.0
OPPOSITES = {"down": "up", "lost": "restored", "not responding": "ok", "offline": "online", "inactive": "active"}

KERNEL = re.compile(r"kernel: (?:\[ *\d+\.\d+\] )?")


def came_back(item: Sighting, own: FailureReading) -> bool:
    """Look on for the same words of the same part with the opposite at their end."""
    text = words_of(item.line)
    place, bad = max(((text.rfind(bad), bad) for bad in OPPOSITES), key=lambda found: found[0])
    if item.raised or place < 0:
        return False
    wanted = text[:place] + OPPOSITES[bad]
    rows = islice(own.log.lines(item.start, min(own.log.size, item.start + AFTER_BYTES)), 1, MOST_LINES)
    for line in map(own.cleaner.take, rows):
        same = line.host == item.line.host and line.clock == item.line.clock
        if same and words_of(line).startswith(wanted):
            return (line.time_s or 0.0) - (item.line.time_s or 0.0) <= MOST_S
    return False


def words_of(line: Line) -> str:
    """Give what a line says without the kernel's own clock, in one case."""
    return KERNEL.sub("", line.text, count=1).lower()
