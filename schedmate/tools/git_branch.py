"""The branch that a working directory is on, read from git's own files: no git is run."""

from pathlib import Path

LONGEST = 4_096
PREFIX = "ref: refs/heads/"
HASH_SHOWN = 12


def git_branch(folder: Path) -> str:
    """Give the branch, a short hash where none is checked out, or nothing outside of a repository."""
    for place in (folder, *folder.parents):
        head = head_of(place / ".git")
        if head:
            return head.removeprefix(PREFIX) if head.startswith(PREFIX) else head[:HASH_SHOWN]
    return ""


def head_of(git: Path) -> str:
    """Read HEAD; in a linked worktree `.git` is a file that names the directory."""
    try:
        if git.is_file():
            named = read_start(git).removeprefix("gitdir:").strip()
            git = (git.parent / named) if named else git
        return read_start(git / "HEAD").strip() if git.is_dir() else ""
    except OSError:
        return ""


def read_start(path: Path) -> str:
    """Read a small file; of a large one, which is none of git's, only its start."""
    with path.open("rb") as file:
        return file.read(LONGEST).decode("utf-8", "replace")
