"""What is to be read: files, folders, patterns and lists of them, here or in object storage."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from schedmate.errors import InputError, MissingExtra

LIST = "@"
"""Before the name of a file that lists sources, one a line."""


class Source(NamedTuple):
    """One file, or for `extract` one repository."""

    name: str
    """As a person would open it: a path, or an address such as `s3://bucket/job.log`."""
    size: int = 0


def sources(words: Sequence[str], folders: bool = False) -> Iterator[Source]:
    """Give each file once, in the order of the words; `folders`: a folder is a source itself, not what lies in it."""
    seen = set[str]()
    for word in words:
        for source in listed(word) if word.startswith(LIST) else found(word, folders):
            if source.name not in seen:
                seen.add(source.name)
                yield source


def listed(word: str) -> Iterator[Source]:
    """Give the lines of a list; what is not there is found out when it is read."""
    try:
        with open(word[1:], encoding="utf-8", errors="surrogateescape") as file:
            yield from (Source(line.rstrip("\n")) for line in file if line.strip())
    except OSError as error:
        raise InputError(f"{word[1:]} cannot be read: {error.strerror}", "a list has one source a line") from error


def found(word: str, folders: bool) -> Iterator[Source]:
    """Give the files that a word stands for."""
    system, path = file_system(word)
    pattern = any(letter in path for letter in "*?[")
    try:
        if pattern:
            entries = system.glob(path, detail=True)
        elif system.isdir(path) and not folders:
            entries = system.find(path, detail=True)
        else:
            entries = {path: system.info(path)}
    except FileNotFoundError:
        raise InputError(f"{word} is not there", "a source is a file, a folder, a pattern, or @LIST") from None
    except Exception as error:  # each store has errors of its own
        raise InputError(f"{word} cannot be listed: {words_of(error)}", "see the store's own credentials") from error
    if not entries:
        raise InputError(f"{word} matches nothing", "a source is a file, a folder, a pattern, or @LIST")
    wanted = ("directory",) if folders else ("file", "link", "other")
    for name, about in sorted(entries.items()):
        if about["type"] in wanted:
            yield Source(address(system, name), int(about.get("size") or 0))


def file_system(word: str) -> tuple[Any, str]:
    """Give the store that holds a source, and the path in it."""
    try:
        from fsspec.core import url_to_fs
    except ImportError as error:
        raise MissingExtra("schedmate batch", "batch") from error
    try:
        system, path = url_to_fs(word)
    except (ImportError, ValueError) as error:
        raise InputError(
            f"{word} cannot be opened: {words_of(error)}", "s3:// needs s3fs, gs:// needs gcsfs"
        ) from error
    return system, path


def address(system: Any, path: str) -> str:
    """Write a path so that it can be opened again."""
    return path if "file" in system.protocol else str(system.unstrip_protocol(path))


def words_of(error: Exception) -> str:
    """Say in one line what went wrong."""
    return (str(error).splitlines() or [""])[0][:300] or type(error).__name__
