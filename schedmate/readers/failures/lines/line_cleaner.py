"""Clean lines of one log, each once while it is kept: what surrounds one suspect surrounds others, too."""

from datetime import UTC, datetime
from functools import lru_cache

import re2

from schedmate.readers.lines import NOT_KNOWN, Line, Own, clean
from schedmate.tools.logfile import LogFile
from schedmate.tools.raw_lines import RawLine

KEPT_LINES = 1 << 14

CLEANED_LAST, SHORT_BYTES = 1 << 11, 1 << 10
"""Several that look through a log look at the same lines: so many are kept cleaned, of usual length."""
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
            self.kept[raw.start] = cleaned(raw.raw, self.year, self.own)
        return self.kept[raw.start]


def cleaned(raw: bytes, year: int, own: Own = NOT_KNOWN) -> Line:
    """Clean a line, or give what came of it when it was cleaned a little while ago."""
    return cleaned_once(raw, year, own) if len(raw) <= SHORT_BYTES else clean(raw, year, own)


@lru_cache(maxsize=CLEANED_LAST)
def cleaned_once(raw: bytes, year: int, own: Own) -> Line:
    """Clean a line."""
    return clean(raw, year, own)


def year_of(log: LogFile) -> int:
    """Give the year for stamps that tell none: that of the log's other stamps, else of the file."""
    for start in (0, log.size // 2, log.size - YEAR_BYTES):
        if match := DATED.search(log.window(start, start + YEAR_BYTES)):
            return int(match[1] or match[2])
    for start in dict.fromkeys((0, max(0, log.size - MOST_YEAR_BYTES))):
        if match := DATED.search(log.window(start, start + MOST_YEAR_BYTES)):
            return int(match[1] or match[2])
    return datetime.fromtimestamp(log.modified_s, UTC).year
