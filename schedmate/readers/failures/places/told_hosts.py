"""Find the host in what a daemon puts before its words, and in the line above a dump of a kernel's log."""

from itertools import islice

from schedmate.readers.failures.lines.machine_marks import is_machines
from schedmate.readers.failures.reading import FailureReading
from schedmate.readers.failures.sightings.sighting import Sighting
from schedmate.readers.failures.survival.kernel_dumps import by_machine
from schedmate.tools.late_patterns import late

NAME = r"(?=[a-z._-]{1,40}\d)[a-z][a-z0-9._-]{1,62}"

DAEMONS = late(rf"\[[a-z][\w .-]{{1,40}}\] (?:\d{{4}}-\d\d-\d\d[T ][\d:.,]{{8,15}}\S{{0,6}} )?({NAME}): ")
"""How a daemon that watches many hosts says of which one it speaks."""
HEADS = late(r"(?i)\b(?:dmesg|journalctl|kernel (?:log|messages|ring buffer)|syslog)\b")
NAMED = late(rf"(?<![\w./@-])({NAME})(?![\w/])")
DUMP_BYTES, MOST_LINES = 1 << 16, 400


def host_of_daemons_word(text: str) -> str:
    """Give the host that a daemon speaks of."""
    told = DAEMONS.match(text)
    return told[1] if told else ""


def host_above(item: Sighting, own: FailureReading) -> str:
    """Give the host in the line above a dump, which tells whose log was asked for: a kernel's buffer names no host."""
    if item.line.host or not by_machine(item, own.log, own.cleaner):
        return ""
    rows = islice(own.log.lines_backward(item.start, max(0, item.start - DUMP_BYTES)), MOST_LINES)
    above = next((raw for raw in rows if not is_machines(raw, own.cleaner)), None)
    text = above.raw[:512].decode("utf-8", "replace") if above else ""
    named = NAMED.search(text) if HEADS.search(text) else None
    return named[1].rstrip(".-:") if named else ""
