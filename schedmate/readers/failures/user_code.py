"""Point a script's error into the user's own code."""

from pathlib import Path, PurePosixPath

from schedmate.readers.failures.exceptions import LIBRARY
from schedmate.readers.failures.tracebacks import Raised
from schedmate.schemas import Diagnosis, Evidence
from schedmate.tools.repository import NotReadable, Repository


def point_into(repo: Repository, raised: Raised) -> Evidence | None:
    """Show the deepest of a traceback's lines that stands in the repository, wherever it was checked out then."""
    for frame in reversed(raised.frames):
        if LIBRARY.search(frame.path):
            continue
        for path in suffixes(frame.path):
            line = line_of(repo, path, frame.line)
            if line is not None:
                note = f"your code, in {frame.function or 'the module'}"
                return Evidence(path=path, line=frame.line, quote=line, note=note)
    return None


def suffixes(path: str) -> list[str]:
    """Give a path's ends, longest first: the checkout may have lain anywhere."""
    parts = [part for part in PurePosixPath(path).parts if part not in {"/", ".", ".."}]
    return ["/".join(parts[start:]) for start in range(max(0, len(parts) - 12), len(parts))]


def line_of(repo: Repository, path: str, number: int) -> str | None:
    """Read one line of a file of the repository; None where there is none."""
    try:
        lines = repo.read_text(path).splitlines() if repo.is_file(path) else []
    except (NotReadable, OSError):
        return None
    return lines[number - 1].strip() or None if 0 < number <= len(lines) else None


def add_user_code(found: Diagnosis, repo: Path, raised: Raised) -> Diagnosis:
    """Add the user's line to a diagnosis, or say that the repository does not hold it."""
    shown = point_into(Repository(repo), raised)
    if shown is None:
        note = f"no line of this traceback lies in {repo}"
        return found.model_copy(update={"notes": (*found.notes, note)})
    return found.model_copy(update={"evidence": (*found.evidence, shown)})
