"""Know a dump of a kernel's or a daemon's log that was appended to a job's: its lines happened before."""

import re
from collections.abc import Iterator, Sequence

from schedmate.readers.failures.lines.line_cleaner import Cleaner
from schedmate.readers.failures.lines.machine_marks import PREFIX_BYTES, bears_its_mark, is_machines
from schedmate.readers.failures.sightings.sighting import Sighting
from schedmate.readers.lines import Line
from schedmate.readers.templates import mask_line
from schedmate.tools.late_patterns import late, late_re2
from schedmate.tools.logfile import LogFile
from schedmate.tools.raw_lines import RawLine, split_backward, split_lines

NEAR_BYTES = 1 << 14
MOST_FOREIGN = 2

MOST_BEHIND_BYTES = 16
"""So much may stand behind a machine's log that is all there is."""
LEAST_LINES, LEAST_SPAN_S = 3, 30.0
"""Lines that the kernel prints at once are one report; a dump looks back over more than a moment."""
PROCESS = late(r"\bpid[ =:]{1,2}'?(\d{3,9})\b|\bSIGBUS to [\w./-]{1,40}:(\d{3,9})\b|\bprocess (\d{3,9}) \(")
"""How a kernel names the process that it speaks of."""

TAIL_BYTES = 1 << 18
"""Where launchers report how their processes ended."""
KILLED = late_re2(r"\bKill(?:ed)? process \d{1,10} \((?P<name>[^)]{1,40})\)|\btask=(?P<task>[^,]{1,40}),pid=\d")

RUNS_JOBS = late_re2(r"(?i)^(?:python|pt_|torch|ray|java|julia|mpi|orted|prted|srun|slurm|deepspeed|accelerate|train)")
"""How processes of jobs are called most often."""


def dump_around(log: LogFile, item: Sighting, cleaner: Cleaner) -> list[Line]:
    """Give the stamped lines of the dump that a sighting stands in; nothing where it stands in a job's own output."""
    if item.raised or item.line.time_s is None or item.line.rank is not None:
        return []
    if not by_machine(item, log, cleaner):
        return []
    low, high = log.bounds(max(0, item.start - NEAR_BYTES))[0], log.bounds(min(log.size, item.start + NEAR_BYTES))[1]
    before = split_backward(log.window(low, item.start), 0, low)
    after = split_lines(log.window(item.start, high), 0, item.start)
    lines = [*adjoining(before, item.line.clock, cleaner), *adjoining(after, item.line.clock, cleaner)]
    times = [line.time_s for line in lines if line.time_s is not None]
    if len(times) < LEAST_LINES or max(times) - min(times) < LEAST_SPAN_S:
        return []
    return lines


def by_machine(item: Sighting, log: LogFile, cleaner: Cleaner) -> bool:
    """Tell a sighting in a line that a kernel or a daemon wrote."""
    return bears_its_mark(log.window(item.start, item.start + PREFIX_BYTES), cleaner)


def adjoining(lines: Iterator[RawLine], clock: str, cleaner: Cleaner) -> Iterator[Line]:
    """Walk on from a line while lines of its clock follow that show no step of training."""
    foreign = 0
    for raw in lines:
        line = cleaner.take(raw)
        if line.clock == clock and line.rank is None and is_machines(raw, cleaner):
            foreign = 0
            yield line
        elif (foreign := foreign + 1) > MOST_FOREIGN:
            return


def age_in_dump(item: Sighting, dump: Sequence[Line]) -> float:
    """Say how long before the dump's last line a sighting happened: at least so long before the dump was made.

    What the kernel says again of the same process, which still waits, happens until it is said for the last time.
    """
    last_s = max(line.time_s for line in dump if line.time_s is not None)
    again = [line.time_s for line in dump if line.time_s is not None and is_said_again(item, line)]
    return last_s - max([item.line.time_s or last_s, *again])


def is_said_again(item: Sighting, line: Line) -> bool:
    """Tell a line that says the same of a process, with the time that has passed meanwhile."""
    pid = item.named.get("pid", "")
    return bool(pid) and pid in line.text and mask_line(line.text) == mask_line(item.line.text)


def names_process_of_job(item: Sighting, log: LogFile) -> bool:
    """Tell what a kernel says of a process that a launcher of this job names when it ended."""
    told = PROCESS.search(item.line.text)
    if told is None:
        return False
    pid = next(filter(None, told.groups()))
    tail = log.window(max(0, log.size - TAIL_BYTES), log.size)
    if pid.encode() not in tail:
        return False
    named = rf"(?i)\b(?:pid|process)\b[ :=#]{{1,3}}{pid}\)|\b[Kk]illing subprocess {pid}\b"
    return re.search(named, tail.decode("utf-8", "replace")) is not None


def killed_in(text: str) -> str:
    """Give the name of the process that a kernel says it killed for want of memory; empty where it says none."""
    found = KILLED.search(text)
    return str(found["name"] or found["task"]) if found else ""


def runs_jobs(name: str) -> bool:
    """Tell a process that is called as those of jobs are."""
    return RUNS_JOBS.search(name) is not None


def kills_what_ran(item: Sighting, log: LogFile, machines_end: int) -> bool:
    """Tell a kill of a process that is called as those of jobs are, in a log that is nothing but a machine's."""
    whole = machines_end >= log.size - MOST_BEHIND_BYTES
    return whole and runs_jobs(killed_in(item.line.text))
