"""Open a log of any size and any packing, and read it from both ends without holding it.

A log is one buffer: memory-mapped where it is a plain file, streamed into an unnamed temporary file where it is packed
or piped in. Lines for the eye end at a line feed or a carriage return; their numbers count line feeds alone, as an
editor does.
"""

import mmap
import os
import stat
import sys
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import IO, Self

from schedmate.counts import how_many
from schedmate.errors import InputError
from schedmate.tools.holes import Holes
from schedmate.tools.raw_lines import MAX_LINE_BYTES, RawLine, count_feeds, split_backward, split_lines
from schedmate.tools.unpacking import Unpackable, is_packed, spool

BLOCK_BYTES = 1 << 20

FIRST_BYTES = 1 << 14
"""The first block of a walk over lines, of which most stop soon; each next one is twice as large."""
COUNT_BYTES, STEP_BYTES = 1 << 20, 1 << 13
"""So much is counted at once; within it a line is looked for by steps, then line by line."""

WORTH_TELLING_BYTES = 1 << 20

WORTH_NUMPY_LINES = 10_000_000
"""To count so many lines without numpy takes as long as to import it: it counts what comes behind them."""

STDIN = "-"


class LogFile:
    """Give any part of a log by offset or by line number; its size is the size it had when it was opened."""

    def __init__(self, name: str, handle: IO[bytes] | None, cut_short: bool = False, end: int | None = None) -> None:
        self.name = name
        self.cut_short = cut_short
        self.handle = handle
        self.holes = Holes(handle.fileno()) if handle else None
        self.size = min(self.holes.end, sys.maxsize if end is None else end) if self.holes else 0
        self.modified_s = os.fstat(handle.fileno()).st_mtime if handle else 0.0
        self.buffer: mmap.mmap | bytes = b""
        if handle and self.size:
            self.buffer = mmap.mmap(handle.fileno(), self.size, access=mmap.ACCESS_READ)
        self.known_at, self.known_feeds = [0], [0]
        self.asked = (0, 0)
        """where a line was numbered last, and the line feeds before it: who asks next often asks of one close to it"""

    def up_to(self, end: int) -> "LogFile":
        """Give the log as it was when it had come so far; it is closed by itself."""
        handle = os.fdopen(os.dup(self.handle.fileno()), "rb") if self.handle else None
        return LogFile(self.name, handle, self.cut_short, end)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the mapping and of the file."""
        if isinstance(self.buffer, mmap.mmap):
            self.buffer.close()
        if self.handle:
            self.handle.close()

    @property
    def remarks(self) -> tuple[str, ...]:
        """Say what of it was not to be had; nothing where all was."""
        told = []
        if self.cut_short:
            had = how_many(self.size, "byte")
            told.append(f"{self.name} is cut short: {had} of it could be unpacked, the rest was not read")
        if self.holes and self.holes.missing >= WORTH_TELLING_BYTES:
            told.append(
                f"{how_many(self.holes.missing, 'byte')} of {self.name} were never written: holes are passed over"
            )
        return tuple(told)

    def check_length(self) -> None:
        """Refuse to touch pages that a truncation took away: reading those would kill the process."""
        if self.handle and os.fstat(self.handle.fileno()).st_size < self.size:
            raise InputError(f"{self.name} was cut while it was being read", "run again when nothing truncates it")

    def window(self, start: int, end: int) -> bytes:
        """Copy a range of bytes, clipped to the log; a plain read, as touching every page of the mapping costs more."""
        start, end = max(0, start), max(0, min(end, self.size))
        if not self.handle or end <= start:
            return b""
        data = os.pread(self.handle.fileno(), end - start, start)
        if len(data) < end - start:
            self.check_length()
        return data

    def blocks(
        self, start: int = 0, end: int | None = None, block_bytes: int | None = None, first_bytes: int | None = None
    ) -> Iterator[tuple[int, bytes]]:
        """Give consecutive (start, bytes), ending at a line's end where one is near; they may begin small and grow."""
        end = self.size if end is None else min(end, self.size)
        most = block_bytes or BLOCK_BYTES
        now_bytes = min(first_bytes or most, most)
        while start < end:
            start = self.pass_over(start, end)
            data = self.window(start, min(start + now_bytes, end))
            if not data:
                return
            is_largest, now_bytes = now_bytes == most, min(2 * now_bytes, most)
            if start + len(data) < end and (feed := data.rfind(b"\n")) >= 0:
                data = data[: feed + 1]
            elif start + len(data) < end and not is_largest:
                continue  # a line that is longer than the block: it is not to be cut in two
            self.learn_feeds(start, data)
            yield start, data
            start += len(data)

    def pass_over(self, start: int, end: int) -> int:
        """Give where reading goes on; no line ends in what was never written."""
        there = min(self.holes.after(start), end) if self.holes else start
        if there > start and start == self.known_at[-1]:
            self.known_at.append(there)
            self.known_feeds.append(self.known_feeds[-1])
        return there

    def learn_feeds(self, start: int, data: bytes) -> None:
        """Remember how many line feeds stand before the next block, so that no byte is counted twice."""
        if start == self.known_at[-1] and data:
            self.known_at.append(start + len(data))
            self.known_feeds.append(self.known_feeds[-1] + count_feeds(data))

    def line_number(self, offset: int) -> int:
        """Number the line that an offset lies in, from 1."""
        offset = min(max(offset, 0), self.size)
        if self.known_at[-1] < offset:
            self.count_up_to(offset)
        place = bisect_right(self.known_at, offset) - 1
        counted = (self.known_at[place], self.known_feeds[place])
        known, feeds = max(one for one in (counted, self.asked) if one[0] <= offset)
        asked, feeds_there = self.asked
        if offset < asked < offset + min(offset - known, COUNT_BYTES):
            feeds = feeds_there - count_feeds(self.window(offset, asked))
        else:
            feeds += count_feeds(self.window(self.pass_over(known, offset), offset))
        self.asked = offset, feeds
        return feeds + 1

    def count_up_to(self, offset: int) -> None:
        """Count on from where the last count ended."""
        while self.pass_over(self.known_at[-1], offset) < offset:
            if self.known_feeds[-1] > WORTH_NUMPY_LINES:
                import numpy  # noqa: F401 - count_feeds uses it once it is there
            at = self.known_at[-1]
            data = self.window(at, at + COUNT_BYTES)
            if not data:
                return
            self.learn_feeds(at, data)

    @property
    def line_count(self) -> int:
        """Count the lines; a last line without a line feed counts."""
        if not self.size:
            return 0
        return self.line_number(self.size) - (self.window(self.size - 1, self.size) == b"\n")

    def line_offset(self, number: int) -> int:
        """Find where a line starts; past the end it is the end."""
        if number <= 1:
            return 0
        while self.known_feeds[-1] < number - 1 and self.known_at[-1] < self.size:
            self.count_up_to(self.known_at[-1] + 1)
        block = max(0, bisect_left(self.known_feeds, number - 1) - 1)
        offset, missing = self.known_at[block], number - 1 - self.known_feeds[block]
        data = self.window(offset, self.known_at[min(block + 1, len(self.known_at) - 1)])
        low = 0
        while missing and (feeds := data.count(b"\n", low, low + STEP_BYTES)) < missing:
            missing, low = missing - feeds, low + STEP_BYTES
            if low >= len(data):
                return self.size
        place = low - 1
        for _ in range(missing):
            place = data.find(b"\n", place + 1)
        return offset + place + 1

    def bounds(self, offset: int) -> tuple[int, int]:
        """Find where the line for the eye around an offset starts and ends, looking no further than a line reaches."""
        low, high = max(0, offset - MAX_LINE_BYTES), min(self.size, offset + MAX_LINE_BYTES)
        start = max(self.buffer.rfind(b"\n", low, offset), self.buffer.rfind(b"\r", low, offset), low - 1) + 1
        ends = [place for mark in (b"\n", b"\r") if (place := self.buffer.find(mark, offset, high)) >= 0]
        return start, min(ends, default=high)

    def line_at(self, offset: int) -> RawLine:
        """Give the line for the eye that an offset lies in."""
        self.check_length()
        start, end = self.bounds(offset)
        return RawLine(self.line_number(start), start, self.window(start, min(end, start + MAX_LINE_BYTES)))

    def lines(self, start: int = 0, end: int | None = None) -> Iterator[RawLine]:
        """Walk forward over the lines for the eye; empty ones are left out, long ones are cut."""
        number = self.line_number(start)
        for first, data in self.blocks(start, end, first_bytes=FIRST_BYTES):
            yield from split_lines(data, number, first)
            number += count_feeds(data)

    def lines_backward(self, end: int | None = None, start: int = 0) -> Iterator[RawLine]:
        """Walk backward over the lines for the eye, from an offset (the end of the log) down to another."""
        end = self.size if end is None else min(end, self.size)
        block_bytes = FIRST_BYTES
        while (end := self.holes.before(end) if self.holes else end) > start:
            first = max(start, end - block_bytes)
            holds_a_line = block_bytes >= min(MAX_LINE_BYTES, BLOCK_BYTES)
            block_bytes = min(2 * block_bytes, BLOCK_BYTES)
            if first > start and 0 <= (feed := self.buffer.find(b"\n", first, end)) < end - 1:
                first = feed + 1
            elif first > start and not holds_a_line:
                continue
            yield from split_backward(self.window(first, end), self.line_number(first), first)
            end = first


def open_log(path: str | Path) -> LogFile:
    """Open a file, a packed file or `-` for standard input; what cannot be read says so at once and never blocks."""
    if str(path) == STDIN:
        return open_stdin()
    name = str(path)
    try:
        mode = os.stat(path).st_mode
        if not stat.S_ISREG(mode):
            raise InputError(f"{name} is {kind_of(mode)}, not a log file", "name a file, or pipe it in with -")
        handle = os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb")
    except (OSError, ValueError) as error:
        raise InputError(f"{name} cannot be read: {getattr(error, 'strerror', None) or error}") from error
    try:
        if packing := is_packed(handle):
            try:
                unpacked, cut_short = spool(handle, name, packing)
                handle.close()
                return LogFile(name, unpacked, cut_short)
            except Unpackable:  # any job can begin its log with those bytes: it is read as it stands
                handle.seek(0)
        return LogFile(name, handle)
    except (OSError, ValueError) as error:
        handle.close()
        raise InputError(f"{name} cannot be read: {getattr(error, 'strerror', None) or error}") from error


def open_stdin() -> LogFile:
    """Read what is piped in; a terminal would wait for typing, so it is refused."""
    if sys.stdin is None or sys.stdin.isatty():
        raise InputError("nothing is piped in", "pipe a log in (... | schedmate COMMAND -), or name a file")
    source = sys.stdin.buffer
    head = source.peek(8)[:8] if hasattr(source, "peek") else b""
    try:
        handle, cut_short = spool(source, "standard input", is_packed(head))
    except Unpackable as error:
        raise InputError(f"standard input cannot be unpacked: {error}", "is it whole?") from error
    return LogFile(STDIN, handle, cut_short)


def kind_of(mode: int) -> str:
    """Name what a path is when it is not a plain file."""
    kinds = [
        (stat.S_ISDIR, "a directory"),
        (stat.S_ISFIFO, "a named pipe"),
        (stat.S_ISCHR, "a device"),
        (stat.S_ISBLK, "a device"),
        (stat.S_ISSOCK, "a socket"),
    ]
    return next((name for test, name in kinds if test(mode)), "something else")
