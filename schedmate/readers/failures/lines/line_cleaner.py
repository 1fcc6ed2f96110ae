"""Clean lines of one log, each once while it is kept: what surrounds one suspect surrounds others, too."""

from datetime import UTC, datetime

import re2

from schedmate.readers.lines import NOT_KNOWN, Line, Own, clean
from schedmate.tools.logfile import LogFile, RawLine

KEPT_LINES = 1 << 14
YEAR_BYTES, MOST_YEAR_BYTES = 1 << 15, 1 << 22
DATED = re2.compile(
    rb"\b(20[1-9]\d)[-/.](?:0[1-9]|1[0-2])[-/.][0-3]\d[T _]"
    rb"|\[[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d (20[1-9]\d)\]"
)
"""As ISO 8601 writes a date, and as dmesg -T does; uname writes when the kernel was built."""


class Cleaner:
    """Take off the prefixes of one log's lines; the year is for stamps that tell none, the name is a journal's."""

    def __init__(self, year: int, own: Own = NOT_KNOWN) -> None:
        self.year, self.own = year, own
        self.kept: dict[int, Line] = {}

    def take(self, raw: RawLine) -> Line:
        """Give a whole line without its prefixes."""
        if raw.start not in self.kept:
            if len(self.kept) >= KEPT_LINES:
                self.kept.clear()
            self.kept[raw.start] = clean(raw.raw, self.year, self.own)
        return self.kept[raw.start]


def year_of(log: LogFile) -> int:
    """Give the year for stamps that tell none: that of the log's other stamps, else of the file."""
    for start in (0, log.size // 2, log.size - YEAR_BYTES):
        if match := DATED.search(log.window(start, start + YEAR_BYTES)):
            return int(match[1] or match[2])
    for start in dict.fromkeys((0, max(0, log.size - MOST_YEAR_BYTES))):
        if match := DATED.search(log.window(start, start + MOST_YEAR_BYTES)):
            return int(match[1] or match[2])
    return datetime.fromtimestamp(log.modified_s, UTC).year
