"""Where a batch job writes: Slurm's patterns in the names of logs, expanded while the job is known."""

import re
from functools import cache
from pathlib import Path, PurePosixPath

from schedmate.clusters.slurm.commands import Commands
from schedmate.clusters.slurm.dialects import MODULO_SINCE
from schedmate.clusters.slurm.records import JobRecord
from schedmate.errors import SchedMateError

PATTERN = re.compile(r"%(\d{0,2})([%AaJjNnstuxb])")
VERSION = re.compile(r"(\d+)\.(\d+)")
ESCAPED = re.compile(r"\\(.)")
"""A name with a backslash in it has no patterns, and loses its backslashes."""
PADDED = "AaJjnstb"
NO_TASK = 0xFFFFFFFE
"""Slurm's number for the index of a job that is in no array."""
DEFAULT, DEFAULT_OF_ARRAY = "slurm-%j.out", "slurm-%A_%a.out"


def log_of(job: JobRecord) -> str:
    """Name a job's log; empty for one that writes to a terminal."""
    if not job.is_batch:
        return ""
    array, _, task = job.name.partition("_")
    host = job.nodes[0].partition(".")[0] if job.nodes else ""
    index = task or str(NO_TASK)
    words = {
        "%": "%", "A": array, "a": index, "J": job.raw, "j": job.raw, "N": host, "n": "0",
        "s": "batch", "t": "0", "u": job.user, "x": job.title, "b": str(int(index) % 10) if index.isdigit() else "0",
    }  # fmt: skip

    def expand(found: re.Match[str]) -> str:
        if found[2] == "b" and not knows_modulo():
            return found[0]
        value = words[found[2]]
        return value.zfill(int(found[1])) if found[1] and found[2] in PADDED and value.isdigit() else value

    name = job.out or (DEFAULT_OF_ARRAY if task else DEFAULT)
    told = ESCAPED.sub(r"\1", name) if "\\" in name else PATTERN.sub(expand, name)
    return str(PurePosixPath(job.workdir or "/") / told)


@cache
def knows_modulo() -> bool:
    """Tell whether this Slurm puts something in the place of `%b`; it is asked once, if a name has it."""
    try:
        found = VERSION.search(Commands().run("sinfo", "--version"))
    except SchedMateError:
        return True
    return found is None or (int(found[1]), int(found[2])) >= MODULO_SINCE


def may_read(path: str, uid: int, caller: int) -> bool:
    """Tell whether a log is its job's own: who may read everything must not be sent to read what a user may not.

    A job names its log as it likes, a link to /etc/shadow with it; only its user's own files are read for it.
    """
    if caller != 0 or uid == caller:
        return True  # the file system decides
    try:
        return Path(path).resolve(strict=True).stat().st_uid == uid
    except OSError:
        return False
