"""Find the logs that a path stands for: one file, or those of a directory."""

import os
import re
import stat
from pathlib import Path

from schedmate.errors import InputError
from schedmate.tools.late_patterns import late

BATCH_SYSTEMS = late(r"\.p?[oe]\d{1,12}(?:[-.]\d{1,7})?$")
"""NAME.o4711, NAME.e4711-3: what PBS and Grid Engine call them."""
SUFFIXES = frozenset({".log", ".out", ".err", ".txt", ".stdout", ".stderr", ".gz", ".zst", ".xz", ".bz2", ""})

NO_LOGS = late(r"(?:readme|licen[cs]e|requirements|constraints|makefile|dockerfile|cmakelists|codeowners)\b.*", re.I)
"""What lies beside logs in a checkout and ends as they do."""
MAX_FILES = 20_000
MAX_DEPTH = 6
ATTEMPT = late(r"(?:^|/)attempt_(\d{1,6})(?:/|$)")


def find_logs(path: str) -> list[str]:
    """List the logs that lie in a directory, or the one named; links to directories are not followed."""
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


def left_out(path: str) -> list[tuple[str, str]]:
    """List what lies at the top of a directory and is not read, with the reason; what is plainly no log is not told."""
    files = {name: size for name in sorted(os.listdir(path)) if (size := size_of(os.path.join(path, name))) is not None}
    written = {os.path.splitext(name)[0] for name, size in files.items() if size}
    told = []
    for name, size in files.items():
        if name.startswith(".") or NO_LOGS.fullmatch(name) or is_program(os.path.join(path, name)):
            continue
        if not size and os.path.splitext(name)[0] not in written:  # no errors beside an output is as it should be
            told.append((name, "is empty"))
        elif size and not looks_like_log(path, name):
            told.append((name, "bears no log's name"))
    return told


def size_of(path: str) -> int | None:
    """Give how large a plain file is; nothing of what is none."""
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_size if stat.S_ISREG(status.st_mode) else None


def looks_like_log(folder: str, name: str) -> bool:
    """Tell by its name whether a file may be a log; what is empty or no plain file is none."""
    path = os.path.join(folder, name)
    known = os.path.splitext(name)[1].lower() in SUFFIXES or BATCH_SYSTEMS.search(name)
    if name.startswith(".") or not known or NO_LOGS.fullmatch(name):
        return False
    return os.path.isfile(path) and os.path.getsize(path) > 0 and not is_program(path)


def is_program(path: str) -> bool:
    """Tell a script without a suffix from a log without one."""
    if os.path.splitext(path)[1]:
        return False
    try:
        with open(path, "rb") as file:
            return file.read(2) == b"#!"
    except OSError:
        return False


def last_attempt(paths: list[str]) -> list[str]:
    """Keep only the newest of each launch's attempt_N directories, as torchrun makes them."""
    numbers = {path: (path[: match.start()], int(match[1])) for path in paths if (match := ATTEMPT.search(path))}
    newest: dict[str, int] = {}
    for launch, number in numbers.values():
        newest[launch] = max(number, newest.get(launch, 0))
    return [path for path in paths if path not in numbers or newest[numbers[path][0]] == numbers[path][1]]


def is_empty(path: str) -> bool:
    """Tell a plain file that holds nothing."""
    return os.path.isfile(path) and os.path.getsize(path) == 0
