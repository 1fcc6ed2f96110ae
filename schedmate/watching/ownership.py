"""Whose a log is, and whether anybody still writes to it, as the operating system knows."""

import os
import pwd
from contextlib import suppress
from functools import lru_cache


def owner_of(path: str) -> str:
    """Name the account that owns a file; empty for one that is gone."""
    uid = uid_of(path)
    return "" if uid is None else name_of(uid)


def uid_of(path: str) -> int | None:
    """Give the number of the account that owns a file; none for one that is gone."""
    try:
        return os.stat(path).st_uid
    except OSError:
        return None


@lru_cache(maxsize=4096)
def name_of(uid: int) -> str:
    """Name an account; by its number where it has no name here."""
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return str(uid)


def has_writer(path: str) -> bool:
    """Tell whether a process of this machine that we may look at holds a file open for writing.

    No is no proof: the writer may be on another machine, or another's.
    """
    try:
        found = os.stat(path)
    except OSError:
        return False
    key = found.st_dev, found.st_ino
    for process in filter(str.isdigit, os.listdir("/proc")):
        with suppress(OSError):
            for name in os.listdir(f"/proc/{process}/fd"):
                with suppress(OSError):
                    seen = os.stat(f"/proc/{process}/fd/{name}")
                    if (seen.st_dev, seen.st_ino) == key and writes(process, name):
                        return True
    return False


def writes(process: str, name: str) -> bool:
    """Tell whether an open file was opened for writing."""
    with suppress(OSError, ValueError), open(f"/proc/{process}/fdinfo/{name}", encoding="ascii") as info:
        for line in info:
            if line.startswith("flags:"):
                return int(line.split()[1], 8) & os.O_ACCMODE != os.O_RDONLY
    return False
