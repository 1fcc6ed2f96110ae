"""The records in a run's folder, read as what they are: files that the run's own job could have put there.

What waits for ever (a pipe), leads elsewhere (a link), has no end or is no record is none.
"""

import json
import math
import os
import stat
from contextlib import suppress
from pathlib import Path

from schedmate.clusters.local_records import Record

MOST_BYTES = 32 << 20


def read_record(path: Path) -> Record | None:
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
