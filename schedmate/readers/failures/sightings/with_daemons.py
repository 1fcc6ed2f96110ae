"""Add to what was sighted in a log what daemons of the site said, and leave out what is their own affair."""

from dataclasses import replace

from schedmate.readers.failures.lines.line_cleaner import Cleaner
from schedmate.readers.failures.lines.machine_marks import is_machines
from schedmate.readers.failures.lines.put_in_front import Front
from schedmate.readers.failures.lines.tracebacks import bare_exception
from schedmate.readers.failures.sightings.daemon_lines import said_by_daemons
from schedmate.readers.failures.sightings.machine_trouble import NEIGHBOURS
from schedmate.readers.failures.sightings.sighting import Findings, Sighting
from schedmate.tools.logfile import LogFile


def with_daemons(
    findings: Findings, log: LogFile, source: int, last_step: int | None, cleaner: Cleaner, front: Front
) -> Findings:
    """Add what daemons of the site said where the job stopped; what is over or for another day is no trouble."""
    said = {raw.start: (raw, line, found) for raw, line, found in said_by_daemons(log, last_step, cleaner, front)}
    told = [Sighting(source, raw.number, raw.start, line, *found) for raw, line, found in said.values() if found]
    others = [
        item
        for item in findings.sightings
        if (item.start not in said or is_specific(item)) and not is_of_no_job(item, log, cleaner)
    ]
    return replace(findings, sightings=sorted([*others, *told], key=lambda item: item.start))


def is_of_no_job(item: Sighting, log: LogFile, cleaner: Cleaner) -> bool:
    """Tell what a kernel or a daemon says that no entry knows and no words class, or that is its own affair."""
    line = item.line
    if line.rank is not None or (line.host is None and line.clock != "boot"):
        return False
    if item.failure is not None and not NEIGHBOURS.search(line.text):
        return False
    return is_machines(log.line_at(item.start), cleaner) and bare_exception(item.number, item.start, line) is None


def is_specific(item: Sighting) -> bool:
    """Tell a line that an entry of its own knows."""
    return item.failure is not None and not item.failure.general and not item.failure.wording
