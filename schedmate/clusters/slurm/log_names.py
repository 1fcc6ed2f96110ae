"""Where a batch job writes: Slurm's patterns in the names of logs, expanded while the job is known."""

import re
from collections.abc import Mapping
from pathlib import Path, PurePosixPath

from schedmate.clusters.slurm.dialects import MADE_UP_NAME, MOST_WIDTH, NUMBERS, ODD_WIDTHS_STAY_SINCE, PATTERNS
from schedmate.clusters.slurm.records import JobRecord
from schedmate.clusters.slurm.versions import version

OLD = re.compile(r"%(?:%|([0-9]*)([A-Za-z])|([0-9]+))")
NEW = re.compile(r"%(?:%|([0-9]*)([A-Za-z])|[0-9]+(.))")

ESCAPED = re.compile(r"\\(.)")
"""A name with a backslash in it has no patterns, and loses its backslashes."""
NO_TASK = 0xFFFFFFFE
"""Slurm's number for the index of a job that is in no array."""
DEFAULT, DEFAULT_OF_ARRAY = "slurm-%j.out", "slurm-%A_%a.out"


def log_of(job: JobRecord) -> str:
    """Name a job's log; empty for one that writes to a terminal, or whose name holds what only Slurm knows."""
    if not job.is_batch:
        return ""
    array, _, task = job.name.partition("_")
    is_named = job.out not in ("", MADE_UP_NAME.format(workdir=job.workdir, raw=job.raw))
    name = job.out if is_named else DEFAULT_OF_ARRAY if task else DEFAULT
    index = task if task.isdigit() else str(NO_TASK)
    values = {
        "A": array, "a": index, "J": job.raw, "j": job.raw, "N": job.nodes[0].partition(".")[0] if job.nodes else "",
        "n": "0", "s": "batch", "t": "0", "u": job.user, "x": job.title, "b": index[-1:], "r": str(job.restarts),
    }  # fmt: skip
    told = ESCAPED.sub(r"\1", name) if "\\" in name else expanded(name, values)
    return str(PurePosixPath(job.workdir or "/") / told) if told else ""


def expanded(name: str, values: Mapping[str, str]) -> str:
    """Put values in the place of patterns, as the Slurm here does; empty where one is not to be had."""
    if "%" not in name:
        return name
    keeps_odd = version() >= ODD_WIDTHS_STAY_SINCE
    known = {letter for letter, since in PATTERNS.items() if version() >= since}
    lacks = []

    def expand(found: re.Match[str]) -> str:
        width, letter = found[1] or "", found[2]
        if found[0] == "%%":
            return "%"
        if letter in known:
            value = values.get(letter, "")
            lacks.extend([] if value else [letter])
            return value.zfill(width_of(width)) if letter in NUMBERS and value.isdigit() else value
        digits = width or found[3]
        return found[0] if keeps_odd or not digits else f"{digits[-1]}{letter or ''}"

    told = (NEW if keeps_odd else OLD).sub(expand, name)
    return "" if lacks else told


def width_of(digits: str) -> int:
    """Read a width, of which Slurm takes ten at most, whatever is written."""
    told = digits.lstrip("0") or "0"
    return min(int(told[:3]), MOST_WIDTH)


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
