"""What a log's two ends tell without reading it: whose it is, when it began and when it ended."""

import os
from collections.abc import Iterable
from typing import NamedTuple

from schedmate.readers.failures.job_logs.log_names import LogName
from schedmate.readers.lines import clean
from schedmate.tools.late_patterns import late_re2
from schedmate.tools.unpacking import is_packed, unpacked_chunks

HEAD_BYTES, TAIL_BYTES = 1 << 16, 1 << 14
STAMPED_LINES = 200

STATED = late_re2(
    rb"(?:SLURM_JOB_?ID|PBS_JOBID|LSB_JOBID|RAY_JOB_ID)['\"]?\s{0,3}[=:]\s{0,3}['\"]?(\w{1,40})"
    rb"|\*\*\* (?:JOB|STEP) (\d{1,12})|StepId=(\d{1,12})|srun: [Jj]ob (\d{1,12}) |Subject: Job (\d{1,12}):"
    rb"|\brun_id {1,20}: ([\w.-]{1,64})"
)
"""How a log says which job it is of; a job that it submitted is another one."""
FIRST_YEARS_S = 5 * 366 * 86_400
"""A stamp without a year is read as of 1970: it is compared to none that has one."""
NO_RUN = frozenset({"", "none", "None"})
RANK_INSIDE = late_re2(rb"\[rank(\d{1,6})\]:")


class Glance(NamedTuple):
    """What a log's two ends tell without reading it: the job it states, the ranks in it, when it began and ended."""

    name: LogName
    job: str = ""
    ranks: frozenset[bytes] = frozenset()
    first_s: float | None = None
    last_s: float | None = None


def glance(name: LogName) -> Glance:
    """Read a log's two ends; one that cannot be read tells nothing here, and says so when it is read."""
    try:
        head, tail = ends_of(name.path)
    except (OSError, EOFError, ValueError):
        return Glance(name)
    seen = head + (tail or b"")
    stated = next((value.decode() for match in STATED.finditer(seen) for value in match.groups() if value), "")
    ranks = frozenset(match[1] for match in RANK_INSIDE.finditer(seen))
    first = next(iter(times(head.splitlines())), None)
    last = None if tail is None else next(iter(times(reversed((tail or head).splitlines()))), None)
    return Glance(name, "" if stated in NO_RUN else stated, ranks, first, last)


def times(lines: Iterable[bytes]) -> Iterable[float]:
    """Give the whole dates that lines begin with."""
    for _, raw in zip(range(STAMPED_LINES), lines, strict=False):
        line = clean(raw)
        if line.time_s is not None and line.clock == "epoch" and line.time_s > FIRST_YEARS_S:
            yield line.time_s


def ends_of(path: str) -> tuple[bytes, bytes | None]:
    """Read the first and the last bytes of a log; None for the last of a packed one that goes on."""
    with open(path, "rb") as file:
        if packing := is_packed(file):
            head = head_of(unpacked_chunks(file, packing))
            return head, None if len(head) == HEAD_BYTES else b""
        head = file.read(HEAD_BYTES)
        start = max(len(head), os.fstat(file.fileno()).st_size - TAIL_BYTES)
        file.seek(start)
        return head, file.read(TAIL_BYTES)


def head_of(chunks: Iterable[bytes]) -> bytes:
    """Take the first bytes of what is being unpacked, as far as that works."""
    head = b""
    try:
        for chunk in chunks:
            head += chunk
            if len(head) >= HEAD_BYTES:
                break
    except Exception:  # each packing has an error of its own for data that are damaged
        return head
    return head[:HEAD_BYTES]
