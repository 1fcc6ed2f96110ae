"""Find the logs that a path stands for: one file, or a directory with one file a rank."""

import os
import re
from pathlib import Path

from schedmate.errors import InputError

SUFFIXES = frozenset({".log", ".out", ".err", ".txt", ".stdout", ".stderr", ".gz", ".zst", ".xz", ".bz2", ""})
MAX_FILES = 20_000
MAX_DEPTH = 6
RANK_IN_PATH = (
    re.compile(r"(?:^|[/_.-])(?:global_?)?rank[_.=-]?(\d{1,6})(?!\d)", re.I),
    re.compile(r"/attempt_\d+/(\d{1,6})/std(?:out|err)\.log$"),
    re.compile(r"(?:^|[/_.-])(?:task|worker|proc|process|node|host|gpu)[_.=-]?(\d{1,6})(?!\d)", re.I),
    re.compile(r"[_.-](\d{1,6})\.(?:out|err|log|txt|stdout|stderr)(?:\.\w+)?$"),
    re.compile(r"/(\d{1,6})\.(?:out|err|log|txt)(?:\.\w+)?$"),
)
ATTEMPT = re.compile(r"(?:^|/)attempt_(\d{1,6})(?:/|$)")


def find_logs(path: str) -> list[str]:
    """List the logs of one job; a directory without any is refused, symbolic links to directories are not followed."""
    if not os.path.isdir(path):
        return [path]
    found: list[str] = []
    for folder, folders, names in os.walk(path, onerror=None, followlinks=False):
        if len(Path(folder).relative_to(path).parts) >= MAX_DEPTH:
            folders.clear()
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        found += [os.path.join(folder, name) for name in sorted(names) if looks_like_log(folder, name)]
        if len(found) > MAX_FILES:
            raise InputError(f"{path} holds more than {MAX_FILES:,} logs", "name the directory of one job")
    found = last_attempt(found)
    if not found:
        raise InputError(f"{path} holds no logs", "logs end in .log, .out, .err or .txt, packed or not")
    return found


def looks_like_log(folder: str, name: str) -> bool:
    """Tell by its name whether a file may be a log; what is empty or no plain file is none."""
    path = os.path.join(folder, name)
    if name.startswith(".") or os.path.splitext(name)[1].lower() not in SUFFIXES:
        return False
    return os.path.isfile(path) and os.path.getsize(path) > 0


def last_attempt(paths: list[str]) -> list[str]:
    """Keep only the newest of torchrun's attempt_N directories."""
    numbers = {path: int(match[1]) for path in paths if (match := ATTEMPT.search(path))}
    newest = max(numbers.values(), default=0)
    return [path for path in paths if numbers.get(path, newest) == newest]


def rank_of(path: str) -> int | None:
    """Read the rank that a file's path tells."""
    return next((int(match[1]) for pattern in RANK_IN_PATH if (match := pattern.search(path))), None)


def is_empty(path: str) -> bool:
    """Tell a plain file that holds nothing."""
    return os.path.isfile(path) and os.path.getsize(path) == 0
