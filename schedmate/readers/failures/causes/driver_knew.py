"""Prefer what a driver had said of a device, just before, to what a program met that only knows that a call failed."""

from dataclasses import replace

from schedmate.readers.failures.case import JobCase, Suspect
from schedmate.readers.failures.causes.at_a_loss import is_lost, is_of_run_time
from schedmate.readers.failures.causes.printed_late import LATE_FACTOR
from schedmate.readers.failures.causes.same_fault import SOON_LINES, SOON_S, apart
from schedmate.readers.failures.sightings.loudness import LOUD, is_hardware, tone_of
from schedmate.readers.failures.sightings.sighting import Sighting

STAYS = frozenset({"node.driver_library_mismatch"})
"""Entries of what stays so until a machine's driver is loaded anew, whatever is done there meanwhile."""


def what_driver_knew(chosen: Suspect, case: JobCase) -> Suspect:
    """Give a fault of the device that its driver told soon before, with no more steps between than a buffer holds.

    Of the ranks that met it, one of the driver's host is enough: the others lost what that one should have answered.
    """
    if not (is_of_run_time(chosen) and is_lost(chosen.sighting)):
        return chosen
    met = [one.sighting for one in case.suspects if is_met_alike(one, chosen)]
    told = (one for one in case.suspects if any(knows(one, item) for item in met))
    first = min(told, key=lambda one: one.sighting.start, default=None)
    if first is None or first.sighting.failure is None:
        return chosen
    return replace(first, score=first.sighting.failure.weight * LATE_FACTOR, survived=False, maybe=False)


def is_met_alike(one: Suspect, chosen: Suspect) -> bool:
    """Tell what was chosen, and what others met in the same way."""
    item, first = one.sighting, chosen.sighting
    same = item.failure is not None and first.failure is not None and item.failure.id == first.failure.id
    return one is chosen or (same and item.source == first.source and not one.survived)


def knows(one: Suspect, met: Sighting) -> bool:
    """Tell a driver's word of its device, or who hands it on, soon before what a process of that host met, that nobody
    surely got over; or, however long before, of what stays as it is.
    """
    item = one.sighting
    if item.source != met.source or item.number >= met.number or apart(item, met):
        return False
    if item.failure is not None and item.failure.id in STAYS:
        return tone_of(item) == LOUD
    if met.number - item.number > SOON_LINES:
        return False
    first, last = item.line.time_s, met.line.time_s
    if item.line.clock == met.line.clock and first is not None and last is not None and not 0 <= last - first <= SOON_S:
        return False
    return (one.maybe or not one.survived) and is_hardware(item) and item.line.rank is None and tone_of(item) == LOUD
