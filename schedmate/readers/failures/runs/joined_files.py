"""Know a log that somebody joined of several files, each under a line with its name: its order is that of the names.

What stands further down in such a log, in another file, was not said later.
"""

from collections.abc import Iterator
from itertools import islice
from typing import Any

import re2

from schedmate.tools.logfile import LogFile

HEAD_BYTES = 1 << 18
MOST_FILES, MOST_TRIES = 4096, 1 << 13
HEADING_BYTES = 512
HEADING = re2.compile(
    rb"(?m)^([^\w\s/.@]{2,40} ?|[^\w\s/.@]{1,40} ?(?:cat|tail|head|less|file:?|log:?|start of)(?: -n ?\+?\d+)? )"
    rb"([\w.@/-]{1,250})(\.(?:log|out|err|txt|stdout|stderr)(?: ?[^\w\s]{1,40})?\r?)$"
)
BEFORE, NAME, ENDING = 1, 2, 3
"""How `tail -n +1 *`, `more *`, a loop in a shell or a person names the file that follows."""


def parts_of(log: LogFile) -> tuple[int, ...]:
    """Give where each of the joined files begins; nothing where this is the log of one.

    A name that comes again is no joined file: `tail -f` names its files in turn, as they grow.
    """
    first = HEADING.search(log.window(0, HEAD_BYTES))
    if first is None:
        return ()
    told = [(first.start(), first[NAME]), *islice(headings(log, first), MOST_FILES)]
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
