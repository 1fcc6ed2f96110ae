"""Find the logs that patterns name, again and again: new ones come, and each belongs to one job."""

import glob
import os
import re
import stat
import time
from collections.abc import Iterator, Sequence

from schedmate.readers.failures.job_logs.log_files import SUFFIXES
from schedmate.watching.ownership import name_of, uid_of

RANK = re.compile(
    r"(?P<before>(?:^|[/_.-])(?:(?:global|local)_?)?rank[_.=-]?|/attempt_\d{1,6}/)(?P<rank>\d{1,6})(?!\d)", re.I
)
"""What says that a file is one rank's: the word, or torchrun's folders. A bare number may be a job's."""
ERRORS = re.compile(
    r"(?P<err>(?:(?<=[/_.-])|(?<=[/_.-]std))err)(?P<or>or)?(?=(?:\.(?:log|txt))?$)|(?P<e>(?<=\.)e)(?=\d{1,12}(?:[-.]\d{1,7})?$)"
)
"""What says that a file has a job's errors alone: train.err, stderr.log, err.txt, train.e4711."""
LEAST_S, SHARE = 2.0, 20.0
"""Looking for new logs takes at most a twentieth of the time."""
MOST = 200_000


class Finder:
    """Names logs and when each was written; looks at the tree no more often than it can afford."""

    def __init__(self, patterns: Sequence[str]) -> None:
        self.patterns = [recursive(pattern) for pattern in patterns]
        self.next_s = 0.0
        self.left_out = 0

    def is_due(self, now_s: float) -> bool:
        """Tell whether it is time to look again."""
        return now_s >= self.next_s

    def find(self, now_s: float) -> Iterator[tuple[str, float, int]]:
        """Give each log with the time at which it was written and its owner; what is no plain file is left out."""
        began_s = time.monotonic()
        seen: set[str] = set()
        self.left_out = 0
        links = TrustedLinks()
        for pattern in self.patterns:
            for path in glob.iglob(pattern, recursive=True):
                if path in seen or not may_be_log(path, pattern) or not links.may_follow(path):
                    continue
                if len(seen) >= MOST:
                    self.left_out += 1
                    continue
                seen.add(path)
                try:
                    found = os.stat(path)
                except OSError:
                    continue
                yield path, found.st_mtime, found.st_uid
        self.next_s = now_s + max(LEAST_S, SHARE * (time.monotonic() - began_s))


class TrustedLinks:
    """For root, who may read all: what somebody links to is read only where it is his own, or root made the link."""

    def __init__(self) -> None:
        self.folders: dict[str, bool] = {"/": True}

    def may_follow(self, path: str) -> bool:
        """Tell whether no link on the way leads to what is another's; for all others the system itself decides."""
        if os.geteuid() != 0:
            return True
        folder = os.path.dirname(path)
        if folder not in self.folders:
            self.folders[folder] = self.may_follow(folder)
        return self.folders[folder] and leads_to_own(path)


def leads_to_own(path: str) -> bool:
    """Tell a path that is no link, or one that is root's or has the owner of what it leads to."""
    try:
        link = os.lstat(path)
        return not stat.S_ISLNK(link.st_mode) or link.st_uid in (0, os.stat(path).st_uid)
    except OSError:
        return False


def recursive(pattern: str) -> str:
    """Take a directory for all that lies below it; readers and journals know whole paths alone."""
    pattern = os.path.abspath(pattern)
    return os.path.join(glob.escape(pattern), "**", "*") if os.path.isdir(pattern) else pattern


def may_be_log(path: str, pattern: str) -> bool:
    """Tell a plain file; below a directory that was named only what is called like a log."""
    named = not pattern.endswith(os.path.join("**", "*"))
    return os.path.isfile(path) and (
        named or os.path.splitext(path)[1].lower() in SUFFIXES - {".gz", ".zst", ".xz", ".bz2"}
    )


def job_of(path: str, owner: int) -> str:
    """Name the job that a log belongs to: ranks' logs beside each other are one job's, as are its output and errors.

    What is neither of the owner of the folder in which the ranks lie nor of the output's is a job of its own: where
    all may write, anybody may name a file like another's. No path has two slashes.
    """
    output = output_beside(path)
    output = output if output and os.path.isfile(output) else path
    name = RANK.sub(lambda match: f"{match['before']}*", output)
    if name == path:
        return name
    ranked = RANK.search(output)
    shared = os.path.dirname(output[: ranked.start("rank")]) if ranked else output
    return name if uid_of(shared) == owner else f"{name}//{name_of(owner)}"


def output_beside(path: str) -> str:
    """Name the log of what a job prints, of one with its errors; empty for every other log."""
    match = ERRORS.search(path)
    if match is None:
        return ""
    word = "o" if match["e"] else "output" if match["or"] else "out"
    return path[: match.start()] + word + path[match.end() :]


def rank_of(path: str) -> str:
    """Give what tells a rank's logs from those of the others; empty where the name says nothing of ranks."""
    match = RANK.search(path)
    return match["rank"] if match else ""
