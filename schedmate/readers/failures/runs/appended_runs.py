"""Find runs of one program that were added to a file with nothing between them: each of them ended in its own way."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import islice, pairwise
from pathlib import PurePosixPath

from schedmate.readers.failures.lines.exceptions import AFTERMATH, SHELLS
from schedmate.readers.failures.lines.tracebacks import CARRIES, Raised
from schedmate.readers.failures.sightings.sighting import Findings, Sighting
from schedmate.readers.lines import Speaker, clean
from schedmate.readers.templates import mask_line
from schedmate.tools.late_patterns import late
from schedmate.tools.logfile import LogFile

NOT_BEGUN = "python.syntax_error"
REFUSED = late(r"^([\w./-]+\.py): error: ")
UNREAD = late(r'^File "([^"]{1,1024})", line \d{1,9}$')

SHELLS_LINE = re.compile(r": line \d{1,6}: +\d{1,9} [A-Z]")
"""How a shell tells what became of the program that it had started, which may be the only one."""
TOPS, RUNPY = frozenset({"<module>", "_run_module_as_main"}), late(r"^<frozen runpy>$|\brunpy\.py$")
"""The outermost call of a program, and of one that `python -m` started."""
OPENING_LINES, MOST_OPENING_LINES, LEAST_OPENING_CHARS = 3, 12, 6
"""How many lines of which length a run is known again by, and how far down they may stand."""
UNREAD_LINES = 4
"""How far above a syntax error Python names the file that it could not read."""


def runs_in_a_row(findings: Findings, log: LogFile) -> list[int]:
    """Give where each run but the first begins: behind the exception that ended the one before.

    A program ends once. Where the same script left at its top again and again, in different ways, and not more than
    one rank, process and host is named, nor a launcher, runs followed one another, and those of other scripts with
    them. Processes of one job fail alike, or some of them of the others' death.
    """
    left = [one for one, after in pairwise([*findings.raised, None]) if one and is_last_word(one, after)]
    if not left or any(one.name in AFTERMATH | SHELLS for one in left) or is_shared(findings):
        return []
    ends: dict[str, dict[int, str]] = defaultdict(dict)
    for one in left:
        ends[script_of(one)][one.start] = mask_line(one.line.text)
    for script, mine in ends.items():
        for item in never_begun(findings, log, script, left[0].line.speaker):
            mine[item.start] = mask_line(item.line.text)
    if all(len(set(mine.values())) < 2 for mine in ends.values()):
        return []
    behind = [log.bounds(start)[1] + 1 for start in sorted({start for mine in ends.values() for start in mine})]
    return behind if opens_alike(log, behind) else behind[:-1]


def opens_alike(log: LogFile, behind: Sequence[int]) -> bool:
    """Tell whether what stands behind the last exception opens as some run before did: it is one more run."""
    opened = [opening(log, place) for place in behind]
    return bool(opened[-1]) and opened[-1] in opened[:-1]


def opening(log: LogFile, place: int) -> tuple[str, ...]:
    """Give the first lines behind a place, with their numbers masked; nothing where too little stands there."""
    texts = (mask_line(clean(raw.raw).text) for raw in islice(log.lines(place, log.size), MOST_OPENING_LINES))
    told = tuple(islice((text for text in texts if len(text) >= LEAST_OPENING_CHARS), OPENING_LINES))
    return told if len(told) == OPENING_LINES else ()


def never_begun(findings: Findings, log: LogFile, script: str, mine: Speaker) -> Iterator[Sighting]:
    """Give the ends of runs in which Python could not read the script, or the script its arguments."""
    for item in findings.sightings:
        if item.failure is None or item.line.speaker != mine:
            continue
        if item.failure.id == NOT_BEGUN:
            above = islice(log.lines_backward(item.start), UNREAD_LINES)
            named = (UNREAD.match(clean(raw.raw).text) for raw in above)
            if any(match and match[1] == script for match in named):
                yield item
        elif (match := REFUSED.match(item.line.text)) and PurePosixPath(script).name == PurePosixPath(match[1]).name:
            yield item


def is_last_word(one: Raised, after: Raised | None) -> bool:
    """Tell an exception by which a program ended, and that nothing chained to it ended otherwise."""
    if not one.leaves or not one.qualified or not one.frames or one.frames[0].function not in TOPS:
        return False
    return not (after and after.follows) and not CARRIES.match(one.message)


def script_of(one: Raised) -> str:
    """Give the script at the top of a stack; `python -m` stands above its module with calls of its own."""
    return next((call.path for call in one.frames if not RUNPY.search(call.path)), one.frames[0].path)


def is_shared(findings: Findings) -> bool:
    """Tell a log of several processes, where one is named or its end was noticed, or one that tells its runs itself."""
    told = findings.told
    if told.restarts or told.reports or len({one.line.speaker for one in findings.raised}) > 1:
        return True
    led_to = {one.start for one in findings.raised if one.follows}
    effects = (item for item in findings.sightings if item.failure is not None and item.failure.role == "cascade")
    return any(item.start not in led_to and not SHELLS_LINE.search(item.line.text) for item in effects)
