"""A folder of ours alone: who else could write there could have us write, read or run what he likes."""

import os
from pathlib import Path

from schedmate.errors import StoreError
from schedmate.tools.accounts import account

PRIVATE = 0o077


def claim(folder: Path) -> None:
    """Make the folder, private; one that another account owns, or has put something into, is refused."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    found = folder.stat()
    me = os.geteuid()
    if found.st_uid != me:
        raise StoreError(
            f"{folder} belongs to {account(found.st_uid)}", "name a directory of yours: SCHEDMATE_DATA_DIR"
        )
    if found.st_mode & PRIVATE:
        folder.chmod(found.st_mode & ~PRIVATE & 0o7777)
    with os.scandir(folder) as entries:
        for entry in entries:
            owner = entry.stat(follow_symlinks=False).st_uid
            if owner != me:
                raise StoreError(f"{entry.path} was put there by {account(owner)}", "look at it, then move it away")
