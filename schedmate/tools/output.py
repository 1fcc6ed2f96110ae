"""Files that the user asks for by name: written, or refused in one line."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from schedmate.errors import InputError


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Turn what the system says of a file that cannot be written into an error for the user."""
    try:
        yield
    except OSError as error:
        raise InputError(
            f"{path} cannot be written: {error.strerror or error}", "name a file in a folder that you may write to"
        ) from error


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
