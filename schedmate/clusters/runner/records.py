"""The records of a run's folder: each is absent or whole, and what a job puts in the place of one is moved away.

They are read as what they are, files that the run's own job could have put there: what waits for ever (a pipe), leads
elsewhere (a link), has no end or is no record is none. The runner loads this file by its place.
"""

import errno
import json
import math
import os
import stat
import time
from contextlib import suppress
from typing import Any

Record = dict[str, Any]  # Any: JSON of a run's folder; who reads a field says of what type it has to be
EXIT_BYTES = 512
MOST_BYTES = 32 << 20

IN_THE_WAY = (errno.EISDIR, errno.ENOTEMPTY, errno.EEXIST, errno.ENOTDIR, errno.ELOOP, errno.ENXIO, errno.EINVAL)
"""What a directory, a link or a pipe in the place of a record is met with."""


def write_whole(path: str, record: Record, through: bool = True) -> None:
    """Write a file that is either absent or whole; `through` to the disk, so that it outlasts a loss of power too."""
    part = f"{path}.part{os.getpid()}"
    with open(part, "w") as file:
        json.dump(record, file)
        file.flush()
        if through:
            os.fsync(file.fileno())
    os.rename(part, path)


def write_exit(folder: str, record: Record) -> None:
    """Fill in the reserved blocks and give them their name; try until it can be done."""
    text = json.dumps(record).ljust(EXIT_BYTES).encode()
    while True:
        try:
            reserved = os.open(f"{folder}/exit.part", os.O_WRONLY | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK, 0o644)
            try:
                os.pwrite(reserved, text, 0)
                os.fsync(reserved)
            finally:
                os.close(reserved)
            os.rename(f"{folder}/exit.part", f"{folder}/exit")
            for level in (folder, os.path.dirname(folder), os.path.dirname(os.path.dirname(folder))):
                sync_names(level)
            return
        except FileNotFoundError:
            return
        except OSError as error:
            if error.errno in IN_THE_WAY:
                clear(folder)
            time.sleep(0.01 if error.errno in IN_THE_WAY else 1.0)


def clear(folder: str) -> None:
    """Move what is no record, and was put where one belongs, out of the way."""
    for name in ("exit", "exit.part"):
        with suppress(OSError):
            if not stat.S_ISREG(os.lstat(f"{folder}/{name}").st_mode):
                os.rename(f"{folder}/{name}", f"{folder}/odd-{name}-{time.time_ns()}")


def sync_names(folder: str) -> None:
    """Bring a folder's names to the disk."""
    names = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(names)
    finally:
        os.close(names)


def read_record(path: str | os.PathLike[str]) -> Record | None:
    """Read a record; None where there is none, or it is not whole, or larger than any that is written here."""
    handle = -1
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode) or status.st_size > MOST_BYTES:
            return None
        with os.fdopen(handle, "rb") as file:
            handle = -1
            told = json.loads(file.read(MOST_BYTES))
    except (OSError, ValueError, RecursionError):
        return None
    finally:
        if handle >= 0:
            with suppress(OSError):
                os.close(handle)
    return told if isinstance(told, dict) else None


def is_count(value: object) -> bool:
    """Tell whether a value is a whole number of the size of a process's."""
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) < 1 << 53


def is_time(value: object) -> bool:
    """Tell whether a value can be a time or a duration in seconds."""
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value) and value >= 0
