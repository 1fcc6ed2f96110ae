"""Know what a machine hands over of a crash as it comes up: of a crash before that boot, whenever the boot was."""

import re
from itertools import islice

from schedmate.readers.failures.reading import FailureReading
from schedmate.readers.failures.sightings.sighting import Sighting
from schedmate.tools.late_patterns import late

OF_A_BOOT = frozenset({"node.crash_record"})
"""Entries of what a kernel prints as it comes up."""
MET_LIVE = re.compile(r"\{\d{1,6}\}\[Hardware Error\]")
"""How it numbers what its firmware reports while it runs."""
UPTIME = late(r"\[ *(\d{1,8}\.\d{3,6})\] ")
MOST_LINES, HEAD_CHARACTERS = 2000, 160

LONG_UP_S, LONGEST_AWAY_S = 86_400.0, 2 * 86_400.0
"""Who has been up for so long tells of no crash of late; so long behind a job's last step he may come up."""


def is_of_earlier_boot(item: Sighting, own: FailureReading) -> bool:
    """Tell a machine's record of a crash, unless its clock says that it came up behind the job's last step, or the log
    is the machine's alone and it has just come up.
    """
    if item.failure is None or item.failure.id not in OF_A_BOOT or MET_LIVE.search(item.line.text):
        return False
    last_s = max((mark.time_s for mark in own.marks if mark.time_s is not None), default=None)
    if item.line.clock == "epoch" and item.line.time_s is not None and last_s is not None:
        return not 0 <= item.line.time_s - last_s <= LONGEST_AWAY_S
    alone = not own.marks and not own.findings.raised
    return not alone or up_until(item, own) > LONG_UP_S


def up_until(item: Sighting, own: FailureReading) -> float:
    """Give for how long the kernel had run when it printed the last of the lines behind one."""
    rows = islice(own.log.lines(item.start, own.log.size), MOST_LINES)
    return max((up_s for raw in rows if (up_s := uptime_in(raw.raw)) is not None), default=0.0)


def uptime_in(raw: bytes) -> float | None:
    """Read for how long a kernel had run when it printed a line."""
    found = UPTIME.search(raw[:HEAD_CHARACTERS].decode("utf-8", "replace"))
    return float(found[1]) if found else None
