"""Keep what takes long to make in the user's cache directory; where it is missing, stale or broken it is made again."""

import os
from collections.abc import Callable
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path

from schedmate.user_dirs import cache_directory

DIGEST_BYTES = 16
WRITABLE_BY_OTHERS = 0o022

MOST_OTHERS = 3
"""How many earlier versions stay: two installations in one home would else each make anew what the other removed."""


def kept(name: str, of: bytes, make: Callable[[], bytes]) -> bytes:
    """Give what `make` makes of `of`, from the cache if it lies there; a cache that cannot be used is no error."""
    try:
        path = cache_directory() / f"{name}-{digest(of).hex()}"
    except RuntimeError:  # no home directory
        return make()
    found = read(path)
    if found is None:
        found = make()
        write(path, found)
        forget_oldest(name, path)
    return found


def digest(data: bytes) -> bytes:
    """Sum up bytes in a few."""
    return blake2b(data, digest_size=DIGEST_BYTES).digest()


def read(path: Path) -> bytes | None:
    """Read a file that this user wrote whole; anything else is as good as none."""
    try:
        with path.open("rb") as handle:
            status = os.fstat(handle.fileno())
            if status.st_uid != os.geteuid() or status.st_mode & WRITABLE_BY_OTHERS:
                return None
            data = handle.read()
    except OSError:
        return None
    body = data[DIGEST_BYTES:]
    return body if data[:DIGEST_BYTES] == digest(body) else None


def write(path: Path, body: bytes) -> None:
    """Write a file so that readers see all of it or nothing; a full or read-only disk only means no cache."""
    import tempfile  # not needed where the cache is warm

    with suppress(OSError):
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(digest(body) + body)
            os.replace(temporary, path)
        except OSError:
            os.unlink(temporary)
            raise


def forget_oldest(name: str, path: Path) -> None:
    """Remove what was kept of all but the last few versions."""
    with suppress(OSError):
        others = [other for other in path.parent.glob(f"{name}-*") if other != path]
        for other in sorted(others, key=lambda one: one.stat().st_mtime_ns)[:-MOST_OTHERS]:
            other.unlink(missing_ok=True)
