"""Point a script's error into the user's own code."""

from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from schedmate.readers.failures.lines.exceptions import LIBRARY
from schedmate.readers.failures.lines.tracebacks import Frame, Raised
from schedmate.schemas import Diagnosis, Evidence
from schedmate.tools.repository import NotReadable, Repository

MOST_CODE_CHARS = 160


@dataclass(frozen=True, slots=True)
class SourceLine:
    """A traceback's line as the repository has it, and as Python printed it when it ran (empty where it did not)."""

    path: str
    frame: Frame
    line: str

    def ran(self) -> bool:
        """Tell whether the repository's line is the one that ran, blanks aside."""
        return not self.frame.code or self.line.split() == self.frame.code.split()


def point_into(repo: Repository, raised: Raised) -> SourceLine | None:
    """Find the deepest of a traceback's lines whose file stands in the repository, wherever it was checked out then."""
    for frame in reversed(raised.frames):
        if LIBRARY.search(frame.path):
            continue
        for path in suffixes(frame.path):
            line = line_of(repo, path, frame.line)
            if line is not None:
                return SourceLine(path, frame, line)
    return None


def suffixes(path: str) -> list[str]:
    """Give a path's ends, longest first: the checkout may have lain anywhere."""
    parts = [part for part in PurePosixPath(path).parts if part not in {"/", ".", ".."}]
    return ["/".join(parts[start:]) for start in range(max(0, len(parts) - 12), len(parts))]


def line_of(repo: Repository, path: str, number: int) -> str | None:
    """Read one line of a file of the repository, empty where the file ends before it; None where there is no file."""
    try:
        if not repo.is_file(path):
            return None
        lines = repo.read_text(path).splitlines()
    except (NotReadable, OSError):
        return None
    return lines[number - 1].strip() if 0 < number <= len(lines) else ""


def add_user_code(found: Diagnosis, repo: Path, raised: Raised) -> Diagnosis:
    """Add the user's line to a diagnosis, or say that the repository does not hold it or is not what ran."""
    shown = point_into(Repository(repo), raised)
    if shown and shown.line and shown.ran():
        note = f"your code, in {shown.frame.function or 'the module'}"
        quote = Evidence(path=shown.path, line=shown.frame.line, quote=shown.line, note=note)
        return found.model_copy(update={"evidence": (*found.evidence, quote)})
    if shown:
        printed = f"; the log printed: {shown.frame.code[:MOST_CODE_CHARS]}" if shown.frame.code else ""
        note = (
            f"{shown.path}:{shown.frame.line} in {repo} is not the line that ran: the code has changed since{printed}"
        )
    else:
        note = f"no line of this traceback lies in {repo}"
    return found.model_copy(update={"notes": (*found.notes, note)})
