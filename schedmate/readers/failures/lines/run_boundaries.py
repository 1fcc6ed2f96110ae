"""Know the lines by which launchers, schedulers and shells tell that a run ends, begins again or opens."""

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, field

import re2

from schedmate.readers.lines import clean

RESTART = re2.compile(
    r"(?i)will restart worker group|restarting worker group|attempts? left; (?:will )?restart"
    r"|DUE TO (?:JOB REQUEUE|PREEMPTION|(?:TO )?NODE FAIL)"
    r"|^[=#*-]{3,} ?(?:attempt|restart|try|run)\b[ #:]{0,3}\d+"
    r"|\b(?:job|pod|container) (?:was )?(?:requeued|restarted)\b"
    r"|^(?:this is )?restart (?:number|count|attempt)\W{1,3}[1-9]|SLURM_RESTART_COUNT[=:] ?[1-9]"
)
STOPPED = re.compile(r"DUE TO (?:JOB REQUEUE|PREEMPTION|(?:TO )?NODE FAIL)")
RESUMED = re.compile(r"(?i)^(?:this is )?restart (?:number|count|attempt)\W{1,3}[1-9]|SLURM_RESTART_COUNT[=:] ?[1-9]")
"""What a scheduler says of a run that it ends, and what only the next run says: its steps may go on from there."""
SUMMED_UP = re2.compile(r"^The output \(if any\) is above this job summary")
"""What a scheduler writes last into the file of a job that is over: LSF's report, to which the next job's is added."""
OPENED = re2.compile(r"^nohup: ignoring input")
"""What each run puts first into a file that runs are added to."""
RESTART_WORDS = ("restart", "due to preemption", "due to node fail", "due to job requeue", "attempt", "requeued")
BOUNDARY_WORDS = (*RESTART_WORDS, "above this job summary", "nohup: ignoring input")
RESTART_PARTS = (b"estart", b"ESTART", b"DUE TO", b"ttempt", b"TTEMPT", b"equeued")
SUMMED_UP_PART, OPENED_PART = b"above this job summary", b"nohup: ignoring input"
"""What is searched for, and what a line must hold to be tried; case is folded only where it varies."""


@dataclass(slots=True)
class Boundaries:
    """Where a log tells that a run ends or begins: behind announced restarts and reports, before first lines."""

    restarts: list[int] = field(default_factory=list)
    reports: list[int] = field(default_factory=list)
    openings: list[int] = field(default_factory=list)
    stopped: list[int] = field(default_factory=list)
    """those of the restarts that say that a run was ended"""
    resumed: list[int] = field(default_factory=list)
    """those that only the next run says"""

    def note(self, start: int, raw: bytes, own: str = "") -> None:
        """Take down what a line says of runs."""
        if any(word in raw for word in RESTART_PARTS) and RESTART.search(text := clean(raw, own=own).text):
            self.restarts.append(start + len(raw))
            if STOPPED.search(text):
                self.stopped.append(start + len(raw))
            elif RESUMED.search(text):
                self.resumed.append(start + len(raw))
        elif SUMMED_UP_PART in raw and SUMMED_UP.search(clean(raw, own=own).text):
            self.reports.append(start + len(raw))
        elif OPENED_PART in raw and OPENED.search(clean(raw, own=own).text):
            self.openings.append(start)

    def in_order(self) -> "Boundaries":
        """Give each kind in the order of the log."""
        told = self.restarts, self.reports, self.openings, self.stopped, self.resumed
        return Boundaries(*map(sorted, told))

    def handovers(self) -> Iterator[tuple[list[int], int]]:
        """Give each first word of a run whose predecessor was ended, with the words that said so."""
        reached = 0
        for resumed in self.resumed:
            place = bisect_left(self.stopped, resumed)
            if place > reached:
                yield self.stopped[reached:place], resumed
            reached = place
