"""Clean lines of one log, each once while it is kept: what surrounds one suspect surrounds others, too."""

from schedmate.readers.lines import Line, clean
from schedmate.tools.logfile import RawLine

KEPT_LINES = 1 << 14


class Cleaner:
    """Take off the prefixes of one log's lines; the year is for stamps that tell none."""

    def __init__(self, year: int) -> None:
        self.year = year
        self.kept: dict[int, Line] = {}

    def take(self, raw: RawLine) -> Line:
        """Give a whole line without its prefixes."""
        if raw.start not in self.kept:
            if len(self.kept) >= KEPT_LINES:
                self.kept.clear()
            self.kept[raw.start] = clean(raw.raw, self.year)
        return self.kept[raw.start]
