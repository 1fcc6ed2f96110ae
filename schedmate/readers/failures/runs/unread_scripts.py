"""Find where a script that Python could not read was started anew: that it is at work shows that it was mended."""

from collections.abc import Iterable, Iterator
from itertools import islice, pairwise
from pathlib import PurePosixPath

from schedmate.readers.failures.lines.steps import counts_of, is_progress, step_of
from schedmate.readers.failures.runs.appended_runs import NOT_BEGUN, UNREAD, UNREAD_LINES
from schedmate.readers.failures.runs.bars import BAR, LOOKS_BACK, moves_only
from schedmate.readers.failures.sightings.sighting import Findings
from schedmate.readers.lines import NOBODY, clean
from schedmate.tools.late_patterns import late_re2
from schedmate.tools.logfile import LogFile
from schedmate.tools.raw_lines import RawLine

BEHIND_LINES = 200
WARNED = late_re2(r"^(/?[\w./+~-]{1,300}\.pyx?):\d{1,6}: \w*Warning: ")
COMMAND = late_re2(r"\bpython[\d.]{0,6} (?:-[a-zA-Z] |--?\w[\w=-]{0,40} ){0,6}([\w./~+-]{1,300}\.py)\b")
LEAST_STEPS = 2


def behind_unread_scripts(findings: Findings, log: LogFile) -> Iterator[int]:
    """Give the place behind a script that Python could not read, where it is at work later and nothing is raised.

    Such a script has printed nothing and holds nothing back; what a program counts behind it is of a later start.
    """
    raised = {one.start for one in findings.raised}
    last = max((one.start for one in findings.raised if one.leaves), default=-1)
    for item in findings.sightings:
        if item.failure is None or item.failure.id != NOT_BEGUN or item.line.speaker != NOBODY:
            continue
        if item.start in raised or item.start <= last:
            continue
        end = log.bounds(item.start)[1]
        behind = [clean(raw.raw).text for raw in islice(log.lines(end + 1, log.size), BEHIND_LINES)]
        if is_at_work(unread(islice(log.lines_backward(item.start), UNREAD_LINES)), behind):
            yield end + 1


def unread(above: Iterable[RawLine]) -> str:
    """Give the file that Python names above such an error."""
    named = (UNREAD.match(clean(raw.raw).text) for raw in above)
    return next((match[1] for match in named if match), "")


def is_at_work(script: str, behind: Iterable[str]) -> bool:
    """Tell steps that rise, before another script is started, or what Python warns of in this one."""
    counted: list[tuple[float, ...]] = []
    for text in behind:
        command, warned = COMMAND.search(text), WARNED.search(text)
        if warned and is_one_file(script, warned[1]):
            return True
        if LOOKS_BACK.search(text) or (command and not is_one_file(script, command[1])):
            return False
        if is_progress(text) and not BAR.search(text) and not moves_only(text):
            counted.append(tuple(done for done, _ in counts_of(step_of(text))))
            if len(counted) >= LEAST_STEPS and all(one < other for one, other in pairwise(counted[-LEAST_STEPS:])):
                return True
    return False


def is_one_file(one: str, other: str) -> bool:
    """Tell two ways to name a file, from the root or from where somebody stands."""
    shorter, longer = sorted((PurePosixPath(one).parts, PurePosixPath(other).parts), key=len)
    return bool(shorter) and longer[-len(shorter) :] == shorter
