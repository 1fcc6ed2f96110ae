"""The records of a run's folder: each is absent or whole, and what a job puts in the place of one is moved away.

The runner loads this file by its place, so it needs nothing but the standard library.
"""

import errno
import json
import os
import stat
import time
from contextlib import suppress
from typing import Any

Record = dict[str, Any]  # Any: JSON of a run's folder; who reads a field says of what type it has to be
EXIT_BYTES = 512
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
