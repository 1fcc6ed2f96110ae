"""Know a log that somebody joined of several files, each under a line with its name: its order is that of the names.

What stands further down in such a log, in another file, was not said later.
"""

import re
from collections.abc import Iterator
from itertools import islice

from schedmate.tools.logfile import LogFile

HEAD_BYTES = 1 << 18
MOST_FILES = 4096
HEADING = re.compile(
    rb"(?m)^(?P<before>[^\w\s]{1,40} ?(?:(?:cat|tail|head|less|file:?|log:?|begin|start of) )?)"
    rb"(?P<name>[\w.@/-]{1,250}\.(?:log|out|err|txt|stdout|stderr))(?: ?[^\w\s]{1,40})?\r?$"
)
"""How `tail -n +1 *`, `more *`, a loop in a shell or a person names the file that follows."""


def parts_of(log: LogFile) -> tuple[int, ...]:
    """Give where each of the joined files begins; nothing where this is the log of one.

    A name that comes again is no joined file: `tail -f` names its files in turn, as they grow.
    """
    first = HEADING.search(log.window(0, HEAD_BYTES))
    if first is None:
        return ()
    told = [(first.start(), first["name"]), *islice(headings(log, first["before"], first.end()), MOST_FILES)]
    names = [name for _, name in told]
    return tuple(place for place, _ in told) if len(told) > 1 and len(set(names)) == len(names) else ()


def headings(log: LogFile, form: bytes, place: int) -> Iterator[tuple[int, bytes]]:
    """Give the lines further down that name a file in the same form as the first."""
    while (place := log.buffer.find(b"\n" + form, place)) >= 0:
        place += 1
        found = HEADING.match(log.window(*log.bounds(place)))
        if found and found["before"] == form:
            yield place, found["name"]
