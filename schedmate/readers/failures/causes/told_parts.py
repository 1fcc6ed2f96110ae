"""Prefer what states which part failed to what processes met of it: a switch's word to a transfer that timed out."""

from schedmate.readers.failures.case import JobCase, Suspect
from schedmate.readers.failures.causes.cut_transfers import is_of_connection
from schedmate.readers.failures.causes.same_fault import is_told_by_machine
from schedmate.readers.failures.sightings.sighting import Sighting

BACK_LINES, BEHIND_LINES = 400, 4000
"""How far around what a process met the part's own statement may stand: it may be collected later."""


def part_that_failed(chosen: Suspect, case: JobCase) -> Suspect:
    """Give the first statement of a kernel or a daemon of the network that nobody got over, else what was chosen."""
    if not is_of_connection(chosen) or is_stated(chosen.sighting) or not chosen.sighting.failure:
        return chosen
    told = (one for one in case.suspects if states_part(one, chosen))
    return min(told, key=lambda one: one.sighting.start, default=chosen)


def states_part(one: Suspect, chosen: Suspect) -> bool:
    """Tell a machine's own statement of the same kind, near what a process met, that nothing says was over."""
    item, met = one.sighting, chosen.sighting
    if not one.heard or one.maybe or item.source != met.source:
        return False
    near = -BACK_LINES <= item.number - met.number <= BEHIND_LINES
    return near and item.kind == met.kind and is_stated(item)


def is_stated(item: Sighting) -> bool:
    """Tell what a kernel, a driver or a daemon says of a part, whether or not its line bears a moment."""
    daemons = item.failure is not None and item.failure.daemon and item.raised is None
    return daemons or is_told_by_machine(item)
