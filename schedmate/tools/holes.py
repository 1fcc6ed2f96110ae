"""Where a file was never written: a job can give its log a terabyte with one call, and nobody is to read zeros."""

import errno
import os
from bisect import bisect_right

MOST_PARTS = 10_000
"""A file of more parts than that is read as it stands."""


class Holes:
    """The parts of a file that were written, as they were when it was opened."""

    def __init__(self, handle: int) -> None:
        status = os.fstat(handle)
        self.size = status.st_size
        self.parts: list[tuple[int, int]] = []
        if status.st_blocks * 512 < self.size:
            self.parts = written_parts(handle, self.size)
        self.starts = [start for start, _ in self.parts]
        self.end = self.parts[-1][1] if self.parts else self.size
        """Where the last thing that was written ends."""
        self.missing = self.size - sum(end - start for start, end in self.parts) if self.parts else 0

    def after(self, offset: int) -> int:
        """Give the offset itself where it was written, else where the next part begins; the end where none does."""
        place = bisect_right(self.starts, offset)
        if not self.parts or (place and offset < self.parts[place - 1][1]):
            return offset
        return self.starts[place] if place < len(self.starts) else max(offset, self.end)

    def before(self, offset: int) -> int:
        """Give the offset itself where something was written right before it, else where the last part ended."""
        place = bisect_right(self.starts, offset - 1)
        if not self.parts or (place and offset <= self.parts[place - 1][1]):
            return offset
        return self.parts[place - 1][1] if place else 0


def written_parts(handle: int, size: int) -> list[tuple[int, int]]:
    """List the parts that were written; none where the file system does not tell, or of too many."""
    parts: list[tuple[int, int]] = []
    at = 0
    while at < size and len(parts) <= MOST_PARTS:
        try:
            start = os.lseek(handle, at, os.SEEK_DATA)
            at = os.lseek(handle, start, os.SEEK_HOLE)
        except OSError as error:
            if error.errno == errno.ENXIO:  # nothing more was written
                parts = parts or [(0, 0)]
            break
        parts.append((start, min(at, size)))
    os.lseek(handle, 0, os.SEEK_SET)
    return parts if len(parts) <= MOST_PARTS else []
