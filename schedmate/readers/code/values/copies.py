"""Where a file of the repository lies besides its own place, after a script or program has copied or linked it."""

import posixpath
from fnmatch import fnmatchcase

from schedmate.tools.repository import Repository

Copies = dict[str, str]
"""Places of copies, files or folders, and what each is one of; nothing, where that is not known any more."""
MOST_COPIES = 100


def lies_at(repository: Repository, copied: Copies, path: str) -> str | None:
    """Name the file or folder of which a copy lies at a path where the repository has none of its own."""
    if not copied or exists(repository, path):
        return None
    for place in sorted(copied, key=len, reverse=True):
        if f"{path}/".startswith(f"{place}/"):
            if not copied[place]:
                return None
            there = posixpath.normpath(copied[place] + path[len(place) :])
            if exists(repository, there):
                return there
    return None


def copied_below(repository: Repository, copied: Copies, name: str) -> str | None:
    """Name the one file that lies under a name with a folder where something was copied, wherever that stands."""
    folder, base = posixpath.split(posixpath.normpath(name))
    if not folder or folder.startswith((".", "/")):
        return None
    found = {there for place, there in copied.items() if f"/{place}".endswith(f"/{folder}/{base}")}
    found |= {there and f"{there}/{base}" for place, there in copied.items() if f"/{place}".endswith(f"/{folder}")}
    files = [there for there in found if repository.is_file(there)]
    return files[0] if len(found) == len(files) == 1 else None


def put_copy(copied: Copies, place: str, path: str, is_sure: bool) -> None:
    """Keep a copy, of which it is known what it is only if it is the first there and surely made."""
    if len(copied) >= MOST_COPIES:
        copied.update(dict.fromkeys(copied, ""))
        return
    is_known = (
        is_sure
        and copied.get(place) in (None, path)
        and not any(known == path or known.startswith(f"{path}/") for known, there in copied.items() if not there)
    )
    for known in copied:
        if known.startswith(f"{place}/") and copied[known] != path:
            copied[known] = ""
    copied[place] = path if is_known else ""


def touch(repository: Repository, copied: Copies, path: str, text: str) -> None:
    """Forget what is a copy of what where it may have been changed: a command names it."""
    base = posixpath.basename(text.rstrip("/"))
    for place, there in copied.items():
        names = {posixpath.basename(place), posixpath.basename(there)} - {""}
        if any((name in text if "." in name else name == base) or fnmatchcase(name, base[:200]) for name in names):
            copied[place] = ""
    is_meant = path in copied or repository.is_file(path) or lies_at(repository, copied, path) is not None
    if is_meant and len(copied) < MOST_COPIES:
        copied[path] = ""


def exists(repository: Repository, path: str) -> bool:
    """Tell whether something stands at a path that may be read."""
    return repository.is_file(path) or repository.is_folder(path)
