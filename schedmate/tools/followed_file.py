"""Follow a file that grows: late creation, truncation and rotation; nothing stays open between polls."""

import os
from dataclasses import dataclass
from pathlib import Path

POLL_BYTES = 1 << 23
HEAD_BYTES = 256
ROTATED = (".1", ".0", ".old")


@dataclass(frozen=True, slots=True)
class Growth:
    """What a poll found: new bytes, and whether they begin a file anew."""

    data: bytes = b""
    restarted: bool = False


NOTHING = Growth()


class FollowedFile:
    """Give what was appended since the last poll. Ten thousand of these need no open files."""

    __slots__ = ("head", "inode", "offset", "path")

    def __init__(self, path: str | Path, offset: int = 0) -> None:
        self.path = str(path)
        self.offset = offset
        self.inode = 0
        self.head = b""
        if offset:
            self.look()

    def look(self) -> None:
        """Note which file lies there now."""
        try:
            self.inode = os.stat(self.path).st_ino
            self.head = self.read_at(self.path, 0, HEAD_BYTES)
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
            self.inode, self.offset, self.head = 0, 0, b""
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
        self.inode, self.offset, self.head = found.st_ino, 0, b""
        return Growth(self.advance().data, restarted)

    def again(self) -> Growth:
        """Read a file that was cut, from its beginning."""
        self.offset, self.head = 0, b""
        return Growth(self.advance().data, restarted=True)

    def advance(self) -> Growth:
        """Read on from where the last poll ended; a file that begins otherwise now was cut and written anew."""
        try:
            handle = os.open(self.path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        except OSError:
            return NOTHING
        try:
            if self.head and os.pread(handle, len(self.head), 0) != self.head:
                return self.again()
            data = os.pread(handle, POLL_BYTES, self.offset)
        except OSError:
            return NOTHING
        finally:
            os.close(handle)
        if len(self.head) < HEAD_BYTES and self.offset == len(self.head):
            self.head += data[: HEAD_BYTES - len(self.head)]
        self.offset += len(data)
        return Growth(data)

    def rest_of_rotated(self) -> bytes:
        """Read what was still written to the old file before it was moved aside."""
        for suffix in ROTATED:
            try:
                if os.stat(self.path + suffix).st_ino == self.inode:
                    return self.read_at(self.path + suffix, self.offset, POLL_BYTES)
            except OSError:
                continue
        return b""

    @staticmethod
    def read_at(path: str, offset: int, count: int) -> bytes:
        """Read without keeping the file open, and without waiting on a pipe or device."""
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        try:
            return os.pread(handle, count, offset)
        finally:
            os.close(handle)
