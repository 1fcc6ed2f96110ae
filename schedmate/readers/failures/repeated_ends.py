"""Find runs of one program that were added to a file with nothing between them: each of them ended in its own way."""

from itertools import pairwise

from schedmate.readers.failures.exceptions import AFTERMATH, SHELLS
from schedmate.readers.failures.scan import Findings
from schedmate.readers.failures.tracebacks import CARRIES, Raised
from schedmate.readers.templates import mask_line
from schedmate.tools.logfile import LogFile

NOBODY = (None, None, None)


def runs_in_a_row(findings: Findings, log: LogFile) -> list[int]:
    """Give where each run but the first begins: behind the exception that ended the one before.

    A program ends once. Where the same script left at its top again and again, in different ways, and neither a
    rank, a process, a host nor a launcher is named, runs followed one another. Processes of one job fail alike, or
    some of them of the others' death.
    """
    ends = [one for one, after in pairwise([*findings.raised, None]) if one and is_last_word(one, after)]
    scripts = {one.frames[0].path for one in ends}
    words = {mask_line(one.line.text) for one in ends}
    if (
        len(scripts) != 1
        or len(words) < 2
        or any(one.name in AFTERMATH | SHELLS for one in ends)
        or is_shared(findings)
    ):
        return []
    return [log.bounds(one.start)[1] + 1 for one in ends[:-1]]


def is_last_word(one: Raised, after: Raised | None) -> bool:
    """Tell an exception by which a program ended, and that nothing chained to it ended otherwise."""
    if not one.leaves or not one.frames or one.frames[0].function != "<module>":
        return False
    return not (after and after.follows) and not CARRIES.match(one.message)


def is_shared(findings: Findings) -> bool:
    """Tell a log of several processes, where one is named or its end was noticed, or one that tells its runs itself."""
    told = findings.told
    if (
        told.restarts
        or told.reports
        or any((one.line.rank, one.line.pid, one.line.host) != NOBODY for one in findings.raised)
    ):
        return True
    return any(item.failure is not None and item.failure.role == "cascade" for item in findings.sightings)
