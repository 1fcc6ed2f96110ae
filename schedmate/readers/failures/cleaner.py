"""Clean lines of one log, each once while it is kept: what surrounds one suspect surrounds others, too."""

from schedmate.readers.lines import Line, clean
from schedmate.tools.logfile import RawLine

KEPT_LINES = 1 << 14


class Cleaner:
    """Take off the prefixes of one log's lines; the year is for stamps that tell none, the name is a journal's."""

    def __init__(self, year: int, own: str = "") -> None:
        self.year, self.own = year, own
        self.kept: dict[int, Line] = {}

    def take(self, raw: RawLine) -> Line:
        """Give a whole line without its prefixes."""
        if raw.start not in self.kept:
            if len(self.kept) >= KEPT_LINES:
                self.kept.clear()
            self.kept[raw.start] = clean(raw.raw, self.year, self.own)
        return self.kept[raw.start]
