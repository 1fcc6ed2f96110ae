"""Where a batch job writes: Slurm's patterns in the names of logs, expanded while the job is known."""

import re
from pathlib import Path, PurePosixPath

from schedmate.clusters.slurm.records import JobRecord

PATTERN = re.compile(r"%(\d{0,2})([%AaJjNnstuxb])|\\(.)")
DEFAULT, DEFAULT_OF_ARRAY = "slurm-%j.out", "slurm-%A_%a.out"


def log_of(job: JobRecord) -> str:
    """Name a job's log; empty for one that writes to a terminal."""
    if not job.is_batch:
        return ""
    array, _, task = job.name.partition("_")
    host = job.nodes[0].partition(".")[0] if job.nodes else ""
    words = {
        "%": "%", "A": array, "a": task or str(0xFFFFFFFE), "J": job.raw, "j": job.raw, "N": host, "n": "0",
        "s": "batch", "t": "0", "u": job.user, "x": job.title, "b": str(int(task) % 10) if task.isdigit() else "0",
    }  # fmt: skip

    def expand(found: re.Match[str]) -> str:
        if found[3]:
            return found[3]
        value = words[found[2]]
        return value.zfill(int(found[1])) if found[1] and value.isdigit() else value

    name = job.out or (DEFAULT_OF_ARRAY if task else DEFAULT)
    return str(PurePosixPath(job.workdir or "/") / PATTERN.sub(expand, name))


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
