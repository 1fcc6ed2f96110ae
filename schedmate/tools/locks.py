"""Look at a file's lock without taking it."""

import fcntl
import os
from pathlib import Path


def is_locked(path: Path) -> bool:
    """Tell whether another process holds the lock of a file; one that is not there is free."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW)
    except OSError:
        return False
    try:
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(handle)
    return False
