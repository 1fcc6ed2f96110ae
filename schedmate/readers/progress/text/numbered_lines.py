"""Give the lines of a piece with their numbers in the log: all of them, or the last that have some words."""

from collections.abc import Iterator

from schedmate.readers.progress.text.chunks import has_controls, is_binary, last_lines, lines_with
from schedmate.readers.progress.text.colours import uncoloured
from schedmate.readers.progress.text.segments import parts_of, segments

BULK_RECORDS = 8

BULK_LINES = 64
"""Lines of all kinds that are given of a large piece, where its last training lines lie so close together."""
BINARY_SHARE = 0.3


class NumberedLines:
    """Where the next line stands, and how many of those so far were text."""

    __slots__ = ("binary", "number", "seen", "skipped_to")

    def __init__(self) -> None:
        self.number = 1
        self.seen = self.binary = 0
        self.skipped_to = 0
        """From which byte on lines are counted; 0 where that is the log's first."""

    @property
    def is_text(self) -> bool:
        """Tell whether what was read is a log at all: in random bytes any number can be found."""
        return self.binary <= BINARY_SHARE * self.seen

    def begin(self) -> None:
        """Count from one again."""
        self.number, self.skipped_to = 1, 0

    def skip(self, offset: int, number: int | None) -> None:
        """Go on further down; where the lines between were not counted, they are from there on."""
        self.number = 1 if number is None else number
        self.skipped_to = offset if number is None else 0

    def all_of(self, data: bytes) -> Iterator[tuple[int, str]]:
        """Give every line of a piece, and what shares one with others by itself."""
        is_clean = not has_controls(data)
        rows = data.split(b"\n")
        for number, row in enumerate(rows, self.number):
            for part in parts_of(row):
                if not part or part.isspace():
                    continue
                self.seen += 1
                if not is_clean and is_binary(part := part.lstrip(b"\0")):
                    self.binary += 1
                    continue
                for text in segments(uncoloured(part)):
                    yield number, text
        self.number += len(rows) - 1

    def last_of(self, data: bytes, words: bytes) -> Iterator[tuple[int, str]]:
        """Give of a large piece the last lines that have some words, and what is near its end."""
        starts = lines_with(data, words, BULK_RECORDS)
        near = last_lines(data, BULK_LINES)
        if len(starts) > 1:
            near = starts[0] if starts[0] >= near else len(data)
        counted = 0
        for start in (start for start in starts if start < near):
            stops = [stop for mark in (b"\n", b"\r") if (stop := data.find(mark, start)) >= 0]
            self.number, counted = self.number + data.count(b"\n", counted, start), start
            yield self.number, uncoloured(data[start : min(stops, default=len(data))])
        self.number += data.count(b"\n", counted, near)
        yield from self.all_of(data[near:])
