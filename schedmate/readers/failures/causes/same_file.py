"""Tell lines by which the same became of one file, or of the file system that both lie in, and stays so till mended."""

from schedmate.readers.failures.case import Suspect
from schedmate.readers.failures.sightings.sighting import Sighting
from schedmate.tools.late_patterns import late

ERRNO = late(r"\[Errno 13\] (?P<what>[^':]{3,60}): '(?P<path>/[^']{4,400})'")
"""How Python tells of a file that it may not touch: what is missing, full or stale now may be there again soon."""
OF_ALL_FILES = late(r"(?P<what>Read-only file system)")
"""What becomes of a whole file system, in the words of every program that writes to it."""
TOP = late(
    r"(?<![\w./:-])(/(?:mnt|media|home|data|nfs|gpfs|lustre|vol|volumes|run|var|p|net|shared)/[\w.+-]{1,60}"
    r"|/[\w.+-]{2,60})/[\w.+-]"
)
"""A path, and where it begins: under some names each folder is a file system of its own."""


def is_of_same_file(one: Suspect, root: Suspect) -> bool:
    """Tell what a helper, or another program, had met with what the program gave up on: nobody mended it."""
    return tell_same_of_file(one.sighting, root.sighting)


def tell_same_of_file(one: Sighting, other: Sighting) -> bool:
    """Compare what became of which file."""
    first = told_of(one.line.text)
    return first is not None and first == told_of(other.line.text)


def told_of(text: str) -> tuple[str, str] | None:
    """Give what became of a file and its path; of a file system where its paths begin."""
    if whole := OF_ALL_FILES.search(text):
        top = TOP.search(text)
        return (whole["what"], top[1]) if top else None
    found = ERRNO.search(text)
    return (found["what"], found["path"]) if found else None
