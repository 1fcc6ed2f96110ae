"""How the jobs of logs ended that the controller has forgotten: asked of the accounting by the number in a name."""

import os
import re
from collections.abc import Iterable, Sequence

from schedmate.clusters.log_ends import LogEnd
from schedmate.clusters.slurm.commands import Commands
from schedmate.clusters.slurm.log_names import may_read
from schedmate.clusters.slurm.records import EndRecord, end_of
from schedmate.readers.failures.exit_codes import said_of_end

FIELDS = ("JobID", "JobIDRaw", "State", "ExitCode", "Start", "End", "NodeList", "Reason", "UID")
NUMBER = re.compile(r"(?<!\d)(\d{1,10}(?:_\d{1,7})?)(?=\D*$)")
AT_ONCE = 500

BEFORE_S, AFTER_S = 5.0, 120.0
"""A job's log was last written to while it ran, give or take clocks and buffers: another number is not the job's."""
MEANT = frozenset({"CANCELLED", "REVOKED"})


def ends_by_name(commands: Commands, paths: Iterable[str]) -> dict[str, LogEnd]:
    """Give the ends of those jobs whose number stands last in a log's name, and which ran when it was last written."""
    wanted: dict[str, list[str]] = {}
    for path in paths:
        if found := NUMBER.search(os.path.basename(path)):
            wanted.setdefault(found[1], []).append(path)
    ends: dict[str, LogEnd] = {}
    names = [*wanted]
    for first in range(0, len(names), AT_ONCE):
        for job, uid in read_past(commands, names[first : first + AT_ONCE]):
            for path in (*wanted.get(job.name, ()), *(wanted.get(job.raw, ()) if job.raw != job.name else ())):
                if is_log_of(path, job) and may_read(path, uid, os.getuid()):
                    ends[os.path.realpath(path)] = LogEnd(
                        said_of_end(job.code, job.state), job.state == "COMPLETED", job.state in MEANT
                    )
    return ends


def read_past(commands: Commands, names: Sequence[str]) -> list[tuple[EndRecord, int]]:
    """Ask for the last run of each of these jobs that is over, with its user's number."""
    asked = ("-a", "-n", "-X", f"--jobs={','.join(names)}", "--starttime=1970-01-01")
    rows = [dict(zip(FIELDS, row, strict=True)) for row in commands.table("sacct", FIELDS, *asked, letters=True)]
    told = [(end_of(row), row["UID"]) for row in rows]
    return [(job, int(uid)) for job, uid in told if uid.isdigit() and job.start_s and job.end_s]


def is_log_of(path: str, job: EndRecord) -> bool:
    """Tell whether a log was last written while a job ran."""
    try:
        written_s = os.stat(path).st_mtime
    except OSError:
        return False
    return (job.start_s or 0.0) - BEFORE_S <= written_s <= (job.end_s or 0.0) + AFTER_S
