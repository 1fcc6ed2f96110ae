"""Follow a file that grows: late creation, truncation and rotation; nothing stays open between polls."""

import os
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

POLL_BYTES = 1 << 23
HEAD_BYTES, TAIL_BYTES = 256, 1024

HOLE_BYTES = 8
"""So many NULs at the end are a place whose data is yet to come, as on NFS; fewer may be letters of UTF-16."""

ROTATED = (".1", ".0", ".old", "-%Y%m%d")
"""What is mostly put behind a log's name; for others its folder is looked through."""


@dataclass(frozen=True, slots=True)
class Growth:
    """What a poll found: new bytes, and whether they begin a file anew."""

    data: bytes = b""
    restarted: bool = False


NOTHING = Growth()


class FollowedFile:
    """Give what was appended since the last poll. Ten thousand of these need no open files."""

    __slots__ = ("head", "inode", "offset", "path", "rotated", "tail")

    def __init__(self, path: str | Path, offset: int = 0) -> None:
        self.path = str(path)
        self.offset = offset
        self.inode = 0
        self.head = self.tail = b""
        """How the file begins, and what stands right before the offset: what differs there is another file."""
        self.rotated = ""
        """Where the file before this one lies, if it was moved aside and nothing was read of this one."""
        if offset:
            self.look()

    def look(self) -> None:
        """Note which file lies there now."""
        try:
            self.inode = os.stat(self.path).st_ino
            self.head = self.read_at(self.path, 0, HEAD_BYTES)
            known = min(TAIL_BYTES, self.offset)
            self.tail = self.read_at(self.path, self.offset - known, known)
        except OSError:
            self.inode = 0

    def poll(self) -> Growth:
        """Read what is new, at most some megabytes at a time; a file that is not there has nothing new."""
        try:
            found = os.stat(self.path)
        except OSError:
            return NOTHING
        if self.inode and found.st_ino != self.inode:
            rest = self.rest_of_rotated()
            self.inode, self.offset, self.head, self.tail = 0, 0, b"", b""
            if rest:
                return Growth(rest)  # the new file's turn comes with the next poll
            return self.begin(found, restarted=True)
        if not self.inode:
            return self.begin(found, restarted=self.offset > 0)
        if found.st_size == self.offset:
            return NOTHING
        return self.advance() if found.st_size > self.offset else self.again()

    def begin(self, found: os.stat_result, restarted: bool) -> Growth:
        """Read a file from its beginning."""
        self.inode, self.offset, self.head, self.tail = found.st_ino, 0, b"", b""
        return Growth(self.advance().data, restarted)

    def again(self) -> Growth:
        """Read a file that was cut, from its beginning."""
        self.offset, self.head, self.tail, self.rotated = 0, b"", b"", ""
        return Growth(self.advance().data, restarted=True)

    def advance(self) -> Growth:
        """Read on from where the last poll ended; a file that is another up to there was cut and written anew."""
        try:
            handle = os.open(self.path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        except OSError:
            return NOTHING
        try:
            if not self.is_known(handle):
                return self.again()
            data = without_hole(os.pread(handle, POLL_BYTES, self.offset))
        except OSError:
            return NOTHING
        finally:
            os.close(handle)
        if len(self.head) < HEAD_BYTES and self.offset == len(self.head):
            self.head += data[: HEAD_BYTES - len(self.head)]
        self.offset += len(data)
        self.rotated = "" if data else self.rotated
        self.tail = (self.tail + data)[-TAIL_BYTES:]
        return Growth(data)

    def is_known(self, handle: int) -> bool:
        """Tell a file that holds what was read of it, as far as that is remembered; its last line may be rewritten."""
        last_line = max(self.tail.rfind(end, 0, -1) for end in (b"\n", b"\r")) + 1
        settled = self.tail[: last_line or len(self.tail)]
        begins_so = holds(os.pread(handle, len(self.head), 0), self.head)
        return begins_so and holds(os.pread(handle, len(settled), self.offset - len(self.tail)), settled)

    def rest_of_rotated(self) -> bytes:
        """Read what was still written to the old file before it was moved aside."""
        self.rotated = ""
        for path in self.moved_to():
            with suppress(OSError):
                handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
                try:
                    if os.fstat(handle).st_ino == self.inode and self.is_known(handle):
                        self.rotated = path
                        return os.pread(handle, POLL_BYTES, self.offset)
                finally:
                    os.close(handle)
        return b""

    def moved_to(self) -> Iterator[str]:
        """Name files that the old one may be now: what is usual, then all of its name and number in its folder."""
        for suffix in ROTATED:
            yield self.path + time.strftime(suffix)
        folder, name = os.path.split(self.path)
        stem = os.path.splitext(name)[0]
        with suppress(OSError), os.scandir(folder or ".") as entries:
            for entry in entries:
                if entry.inode() == self.inode and entry.name.startswith(stem):
                    yield entry.path

    @staticmethod
    def read_at(path: str, offset: int, count: int) -> bytes:
        """Read without keeping the file open, and without waiting on a pipe or device."""
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        try:
            return os.pread(handle, count, offset)
        finally:
            os.close(handle)


def without_hole(data: bytes) -> bytes:
    """Leave what is yet to be written at the end to a later poll, unless all that one may read is of that kind."""
    bare = data.rstrip(b"\0")
    return bare if len(data) - len(bare) >= HOLE_BYTES and len(data) < POLL_BYTES else data


def holds(found: bytes, known: bytes) -> bool:
    """Compare what is found with what was read there; what was NUL may have been written since."""
    if found == known or len(found) != len(known) or b"\0" not in known:
        return found == known
    return all(before in (0, now) for now, before in zip(found, known, strict=True))
