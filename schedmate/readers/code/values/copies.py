"""Where a file of the repository lies besides its own place, after a script or program has copied or linked it."""

import posixpath

from schedmate.tools.repository import Repository

Copies = dict[str, str]
"""Places of copies, files or folders, and what each is one of."""


def lies_at(repository: Repository, copied: Copies, path: str) -> str | None:
    """Name the file or folder of which a copy lies at a path where the repository has none of its own."""
    if not copied or exists(repository, path):
        return None
    for place in sorted(copied, key=len, reverse=True):
        if f"{path}/".startswith(f"{place}/"):
            there = posixpath.normpath(copied[place] + path[len(place) :])
            if exists(repository, there):
                return there
    return None


def exists(repository: Repository, path: str) -> bool:
    """Tell whether something stands at a path that may be read."""
    return repository.is_file(path) or repository.is_folder(path)
