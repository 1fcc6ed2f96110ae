"""Which files somebody elsewhere may have read: those below folders that were named, wherever links point."""

import os
from collections.abc import Sequence
from pathlib import Path

from schedmate.errors import InputError


class Roots:
    """The folders that were named."""

    def __init__(self, folders: Sequence[str | Path]) -> None:
        self.folders = [Path(os.path.realpath(folder)) for folder in folders]
        for folder in self.folders:
            if not folder.is_dir():
                raise InputError(f"{folder} is no folder", "name with --root what may be read")

    def allowed(self, path: str) -> Path:
        """Give a path's real place; one outside is refused unseen. Relative ones lie below the first folder."""
        if not path or "\0" in path:
            raise InputError("no path was named", self.hint)
        real = Path(os.path.realpath(self.folders[0] / path))
        if not any(real == folder or folder in real.parents for folder in self.folders):
            raise InputError("this path lies outside of what may be read", self.hint)
        if not real.exists():
            raise InputError(f"there is no {real}", self.hint)
        return real

    def allowed_whole(self, path: str) -> Path:
        """Give a path's real place as `allowed` does; a folder in which a link leads outside is refused unread."""
        real = self.allowed(path)
        for folder, folders, files in os.walk(real) if real.is_dir() else ():
            for name in (*folders, *files):
                if os.path.islink(inner := os.path.join(folder, name)):
                    self.allowed(inner)
        return real

    @property
    def hint(self) -> str:
        """Say what may be read."""
        return f"what may be read lies below {', '.join(map(str, self.folders))}"
