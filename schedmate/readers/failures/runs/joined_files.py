"""Know a log that somebody joined of several files, each under a line with its name: its order is that of the names.

What stands further down in such a log, in another file, was not said later.
"""

from collections.abc import Iterator
from itertools import islice
from typing import Any

import re2

from schedmate.readers.failures.runs.blocks_of_names import blocks_of_names
from schedmate.readers.failures.runs.joined_parts import lie_side_by_side
from schedmate.tools.late_patterns import late_re2
from schedmate.tools.logfile import LogFile

HEAD_BYTES = 1 << 18
MOST_FILES, MOST_TRIES = 4096, 1 << 13
HEADING_BYTES = 512
SECTIONS_BYTES, MOST_FORMS = 64 << 20, 4

HEADING = re2.compile(
    rb"(?m)^([^\w\s/.@]{2,} ?|[^\w\s/.@]+ ?(?:cat|tail|head|less|file:?|log:?|start of)(?: -n ?\+?\d+)? )"
    rb"([\w.@/-]+)(\.(?:log|out|err|txt|stdout|stderr)(?: ?[^\w\s]+)?\r?)$"
)
"""How `tail -n +1 *`, `more *`, a loop in a shell or a person names the file that follows."""
BEFORE, NAME, ENDING = 1, 2, 3
"""Its groups."""
SECTION = re2.compile(
    rb"(?mi)^([^\w\s/.@]+ ?(?:(?:logs?|output|file|begin|start)\b:? ?)?(?:(?:of|for|from) )?)"
    rb"(((?:local[ _]?)?rank|worker|node|host|task|proc(?:ess)?|pod|replica|gpu|trainer|learner|actor|machine"
    rb"|executor)[ _:/#=-]{0,2}\w[\w.-]*|[a-z][\w.-]*\d[\w.-]*)"
    rb"((?: \([\w.: -]+\))?(?: (?:log|output|std(?:out|err)|logs))?:?(?: ?[^\w\s]+)?\r?)$"
)
"""How a person names the process, the pod or the machine whose output follows."""
KIND, REST = 3, 4
"""Its groups beside those two: what kind of source is named, and what stands behind the name."""
COUNTS = late_re2(
    rb"(?i)^(?:epoch|step|iter|batch|fold|round|trial|run|seed|layer|phase|stage|part|attempt|try|restart|version|test)"
)
"""What counts names no source, though it stands between rulers, too."""


def parts_of(log: LogFile) -> tuple[int, ...]:
    """Give where each of the joined files begins; nothing where this is the log of one.

    A name that comes again is no joined file: `tail -f` names its files in turn, as they grow. Where processes or
    machines are named, the parts must lie side by side in time: a program may head what it does on each so, too.
    """
    first = HEADING.search(log.window(0, HEAD_BYTES))
    if first is not None:
        return places_of([(first.start(), first[NAME]), *islice(headings(log, first), MOST_FILES)])
    for named, told in sections(log):
        places = places_of(told)
        if places and lie_side_by_side(log, places, named):
            return places
    return blocks_of_names(log)


def places_of(told: list[tuple[int, bytes]]) -> tuple[int, ...]:
    """Give where the names stand, if there are several and none comes again."""
    names = [name for _, name in told]
    return tuple(place for place, _ in told) if len(told) > 1 and len(set(names)) == len(names) else ()


def headings(log: LogFile, first: Any) -> Iterator[tuple[int, bytes]]:  # Any: RE2 has no types
    """Give the lines further down that name a file in the same form as the first."""
    place, ending = first.end(), first[ENDING] + b"\n"
    for _ in range(MOST_TRIES):
        place = log.buffer.find(ending, place + 1)
        if place < 0:
            return
        start = log.buffer.rfind(b"\n", max(0, place - HEADING_BYTES), place) + 1
        found = HEADING.match(log.window(start, place + len(ending) - 1))
        if start and found and found[BEFORE] == first[BEFORE]:
            yield start, found[NAME]


def sections(log: LogFile) -> Iterator[tuple[bool, list[tuple[int, bytes]]]]:
    """Give for each form of heading that the log's head shows where it names a process or a machine, and which; also
    whether it says that they are such.
    """
    forms: set[bytes] = set()
    for first in SECTION.finditer(log.window(0, HEAD_BYTES)):
        if is_heading(first) and first[BEFORE] not in forms and len(forms) < MOST_FORMS:
            forms.add(first[BEFORE])
            yield bool(first[KIND]), [(first.start(), first[NAME]), *islice(alike(log, first), MOST_FILES)]


def alike(log: LogFile, first: Any) -> Iterator[tuple[int, bytes]]:  # Any: RE2 has no types
    """Give the lines further down that begin as a heading does and name another process or machine."""
    place, before = first.start(), b"\n" + first[BEFORE]
    for _ in range(MOST_TRIES):
        place = log.buffer.find(before, place + 1, SECTIONS_BYTES)
        if place < 0:
            return
        found = SECTION.match(log.window(place + 1, log.bounds(place + 1)[1]))
        if found and is_heading(found) and found[BEFORE] == first[BEFORE]:
            yield place + 1, found[NAME]


def is_heading(found: Any) -> bool:  # Any: RE2 has no types
    """Tell a heading from a counter between rulers: it is framed by more than one sign, or by brackets."""
    framed = len(found[BEFORE].split()[0]) > 1 or (found[BEFORE][:1] in b"[<(" and found[REST].strip())
    return bool(framed) and not COUNTS.search(found[NAME])
