"""Know what goes on being so, though steps stand between: a driver, a wait or a name says it once more."""

from schedmate.readers.failures.case import Suspect
from schedmate.readers.failures.sightings.sighting import Sighting

DUMP_REPEATS_S = 300.0
"""What a driver says again within this time it has not got over."""
MOST_REPORTS = 10
"""So often a kernel reports a process that still waits, once in each time limit of such a wait."""
WAITED_S, WAITED_LINES = 3_600.0, 200
"""How long a process waits at most for one that it cannot reach, and how much others say meanwhile."""
NAMES = "dns"
"""What the catalogue calls a fault of how names are turned into addresses."""


def is_said_again(one: Suspect, root: Suspect) -> bool:
    """Tell a line of a dump whose entry another of its lines fits soon after: the driver had not got over it."""
    first, second = one.sighting, root.sighting
    if not (one.dumped and root.dumped) or first.failure is None or second.failure is None:
        return False
    clocks = first.line.clock == second.line.clock and None not in (first.line.time_s, second.line.time_s)
    same = first.failure.id == second.failure.id
    return same and clocks and (second.line.time_s or 0.0) - (first.line.time_s or 0.0) <= repeats_s(first, second)


def repeats_s(first: Sighting, second: Sighting) -> float:
    """Give how long something is said again that goes on: longest of one process that is still seen to wait."""
    pid, limit = second.named.get("pid"), second.named.get("limit_s", "")
    waits = pid is not None and first.named.get("pid") == pid and limit.isdigit()
    return max(DUMP_REPEATS_S, MOST_REPORTS * float(limit)) if waits else DUMP_REPEATS_S


def never_found(one: Suspect, root: Suspect) -> bool:
    """Tell a host whose name had no address, and that a process at last had waited for in vain: it never had one."""
    first, last = one.sighting, root.sighting
    if first.failure is None or last.failure is None or first.failure.fault != NAMES or last.failure.fault == NAMES:
        return False
    same = "peer" in first.named and first.named["peer"] == last.named.get("peer")
    told = first.line.time_s, last.line.time_s
    if first.line.clock == last.line.clock and told[0] is not None and told[1] is not None:
        return same and told[1] - told[0] <= WAITED_S
    return same and last.number - first.number <= WAITED_LINES
