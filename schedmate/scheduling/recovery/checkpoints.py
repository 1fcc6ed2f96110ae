"""Find the checkpoint that a job could go on from: what lies in its directory, with its log as a hint of where else.

A name that stands in a log is only ever compared with what is on disk; it is never run, and reaches nothing but the
environment of the very job that wrote it.
"""

import os
import re
from collections.abc import Iterator
from pathlib import Path

MOST_ENTRIES = 20_000
MOST_DEPTH = 5
TAIL_BYTES = 1 << 20

CLOCK_SLACK_S = 2.0
"""A file system's clock may lag behind ours."""
NAMED = re.compile(
    r"^(?:(?:.*[._-])?(?:ckpt|checkpoint|check_point)(?:[._=-].*)?|global_step\d+|iter_\d+|epoch[=_-]?\d+.*|last\.(?:pt|pth|ckpt))$",
    re.IGNORECASE,
)
FOLDER = re.compile(r"^(?:ckpts?|checkpoints?|check_points?)$", re.IGNORECASE)
IN_TEXT = re.compile(r"(?:^|[\s'\"`(=:])([\w.~/+@=-]{1,400}/[\w.+@=-]{1,200})")
SAYS = ("checkpoint", "ckpt", "saved", "saving")
PASSED = frozenset({".git", "node_modules", "__pycache__", ".venv", "venv"})


def last_checkpoint(log: str, workdir: Path, since_s: float = 0.0, is_alone: bool = True) -> str:
    """Name the newest checkpoint of this job; empty when there is none.

    What merely lies in the directory counts if it is no older than the job, and if no other job worked there: to go on
    from somebody else's checkpoint is worse than to begin again.
    """
    best: tuple[bool, float, str] = (False, 0.0, "")
    found = [(path, since_s - CLOCK_SLACK_S) for path in (in_directory(workdir) if is_alone else ())]
    found += [(path, 0.0) for path in in_log(log, workdir)]
    for path, oldest_s in found:
        made_s = written_s(path)
        if made_s < oldest_s:
            continue
        # A folder called `checkpoints` holds them; it is one itself only where nothing in it is.
        is_one = not FOLDER.match(path.name)
        if made_s and (is_one, made_s) > best[:2]:
            best = (is_one, made_s, str(path))
    return best[2]


def in_directory(workdir: Path) -> Iterator[Path]:
    """List what is named like a checkpoint, no deeper and no more than can be looked at quickly."""
    seen = 0
    for folder, folders, names in os.walk(workdir):
        depth = len(Path(folder).relative_to(workdir).parts)
        yield from (Path(folder, name) for name in (*folders, *names) if is_named(name))
        seen += len(folders) + len(names)
        folders[:] = [name for name in sorted(folders) if name not in PASSED] if depth < MOST_DEPTH else []
        if seen > MOST_ENTRIES:
            return


def is_named(name: str) -> bool:
    """Tell whether a name says that this is a checkpoint."""
    return bool(NAMED.match(name[:255]) or FOLDER.match(name))


def in_log(log: str, workdir: Path) -> Iterator[Path]:
    """List paths that the end of a log names where it speaks of saving."""
    try:
        with open(log, "rb") as file:
            file.seek(max(0, os.fstat(file.fileno()).st_size - TAIL_BYTES))
            text = file.read(TAIL_BYTES).decode("utf-8", "replace")
    except OSError:
        return
    for line in text.splitlines()[-20_000:]:
        if len(line) < 2000 and any(word in line.lower() for word in SAYS):
            yield from (workdir / match[1] for match in IN_TEXT.finditer(line))


def written_s(path: Path) -> float:
    """Tell when a checkpoint was last written; 0 for what is not there, is empty, or is a link."""
    try:
        if path.is_symlink():
            return 0.0
        if path.is_dir():
            entries = list(os.scandir(path))[:1000]
            held = [entry.stat(follow_symlinks=False) for entry in entries if entry.is_file(follow_symlinks=False)]
            return max((one.st_mtime for one in held if one.st_size), default=0.0)
        found = path.stat()
        return found.st_mtime if found.st_size and path.is_file() else 0.0
    except (OSError, ValueError):
        return 0.0
