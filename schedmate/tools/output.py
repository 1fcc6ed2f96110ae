"""Files that the user asks for by name: written, or refused in one line."""

import errno
import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from schedmate.errors import InputError


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Turn what the system says of a file that cannot be written into an error for the user."""
    try:
        yield
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror or error}", remedy(error)) from error


def remedy(error: OSError) -> str:
    """Say what to do about a file that cannot be written."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return "make room there, or name a file on another disk"
    return "name a file in a folder that you may write to"


@contextmanager
def whole(path: Path) -> Iterator[IO[str]]:
    """Open a file that is written whole or not at all: half of a log may look like all of it."""
    with writing(path):
        if path.exists() and not path.is_file():  # a pipe or a device: there is nothing to put in its place
            with path.open("w", encoding="utf-8", newline="") as handle:
                yield handle
            return
        path = path.resolve()
        part = path.with_name(f".{path.name}.{os.getpid()}.part")
        with part.open("x", encoding="utf-8", newline="") as handle, gone_unless_done(part):
            yield handle
            handle.flush()
            part.replace(path)


@contextmanager
def gone_unless_done(part: Path) -> Iterator[None]:
    """Remove a file that was not put in its place, also where we are told to end."""
    in_main = threading.current_thread() is threading.main_thread()
    before = signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM)) if in_main else None
    try:
        yield
    finally:
        part.unlink(missing_ok=True)
        if in_main:
            signal.signal(signal.SIGTERM, before)


def check_output(path: Path | None) -> None:
    """Refuse, ahead of long work, a file that could not be written at its end; nothing is created yet."""
    if path is None:
        return
    with writing(path):
        if path.is_dir():
            raise IsADirectoryError(None, "it is a folder")
        if not path.parent.is_dir():
            raise FileNotFoundError(None, "its folder does not exist")
        if not os.access(path if path.exists() else path.parent, os.W_OK):
            raise PermissionError(None, "not permitted")
