"""Processes that hold logs open: a log whose writer is gone is at its end, whatever its last line says."""

import os
import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass

from schedmate.clusters.log_ends import LogEnd
from schedmate.watching.ownership import writes

Inode = tuple[int, int]

LEAST_SCANS, LEAST_HELD_S, GONE_SCANS = 3, 15.0, 2
"""A log that was held open so often and so long has a writer; twice not held any more, the writer is gone."""
EVERY_S, SHARE = 4.0, 20.0
"""Looking at processes takes at most a twentieth of the time."""


@dataclass(slots=True)
class Held:
    """What was seen of a log's writer."""

    since_s: float
    scans: int = 0
    held_s: float = 0.0
    gone: int = 0


class Writers:
    """Processes of this machine that hold logs open for writing; those of others are seen by root alone."""

    def __init__(self, share: float = SHARE) -> None:
        self.share = share
        self.known: dict[str, Held] = {}
        self.next_s = 0.0
        self.said = ""

    def look(self, paths: Iterable[str], now_s: float) -> None:
        """Look at all processes once in a while."""
        if now_s < self.next_s:
            return
        began_s = time.monotonic()
        held = open_files()
        followed = set()
        for path in paths:
            followed.add(path)
            if inode_of(path) in held:
                one = self.known.setdefault(path, Held(now_s))
                if one.gone:
                    self.known[path] = one = Held(now_s)
                one.scans, one.held_s = one.scans + 1, now_s - one.since_s
            elif path in self.known:
                self.known[path].gone += 1
        for path in self.known.keys() - followed:
            del self.known[path]
        self.next_s = now_s + max(EVERY_S, self.share * (time.monotonic() - began_s))

    def end_of(self, path: str) -> LogEnd | None:
        """Say that a writer is gone which had been there for long."""
        one = self.known.get(path)
        if one is None or one.gone < GONE_SCANS or one.scans < LEAST_SCANS or one.held_s < LEAST_HELD_S:
            return None
        return LogEnd()

    def close(self) -> None:
        """Nothing is held."""


def inode_of(path: str) -> Inode | None:
    """Tell a file from all others."""
    with suppress(OSError):
        found = os.stat(path)
        return found.st_dev, found.st_ino
    return None


def open_files() -> set[Inode]:
    """Give the files that processes which we may look at hold open for writing."""
    found: set[Inode] = set()
    with suppress(OSError):
        for process in filter(str.isdigit, os.listdir("/proc")):
            with suppress(OSError):
                for name in os.listdir(f"/proc/{process}/fd"):
                    with suppress(OSError):
                        seen = os.stat(f"/proc/{process}/fd/{name}")
                        if (seen.st_mode & 0o170000) == 0o100000 and writes(process, name):
                            found.add((seen.st_dev, seen.st_ino))
    return found
