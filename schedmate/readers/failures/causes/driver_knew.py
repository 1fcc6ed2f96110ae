"""Prefer what a driver had said of a device, just before, to what a program met that only knows that a call failed."""

from dataclasses import replace

from schedmate.readers.failures.case import JobCase, Suspect
from schedmate.readers.failures.causes.at_a_loss import is_lost, is_of_run_time
from schedmate.readers.failures.causes.printed_late import LATE_FACTOR
from schedmate.readers.failures.causes.same_fault import SOON_LINES, SOON_S, apart
from schedmate.readers.failures.sightings.loudness import LOUD, is_hardware, tone_of
from schedmate.readers.failures.sightings.sighting import Sighting
from schedmate.readers.failures.survival.late_output import steps_between
from schedmate.tools.late_patterns import late

OF_DEVICES = frozenset({"gpu", "nvlink"})
"""What a driver's word must be about: a host's memory corrected or lost is no call of a device that failed."""
MANY_STEPS = 10
"""Behind so many nothing tells that the device that was spoken of is the one that failed, if no part is named by both.
"""
CARD = late(r"\b(?:0{4})?([0-9a-fA-F]{4}:[0-9a-fA-F]{2}:[0-9a-fA-F]{2})\b")
"""A card by its place on the bus, as drivers and run times write it."""
PID = late(r"\bpid[ =:]{1,2}(\d{2,9})\b")

STAYS = frozenset({"node.driver_library_mismatch"})
"""Entries of what stays so until a machine's driver is loaded anew, whatever is done there meanwhile."""


def what_driver_knew(chosen: Suspect, case: JobCase) -> Suspect:
    """Give a fault of the device that its driver told soon before, with no more steps between than a buffer holds.

    Of the ranks that met it, one of the driver's host is enough: the others lost what that one should have answered.
    """
    if not (is_of_run_time(chosen) and is_lost(chosen.sighting)):
        return chosen
    met = [one.sighting for one in case.suspects if is_met_alike(one, chosen)]
    told = (one for one in case.suspects if any(knows(one, item, case) for item in met))
    first = min(told, key=lambda one: one.sighting.start, default=None)
    if first is None or first.sighting.failure is None:
        return chosen
    return replace(first, score=first.sighting.failure.weight * LATE_FACTOR, survived=False, maybe=False)


def is_met_alike(one: Suspect, chosen: Suspect) -> bool:
    """Tell what was chosen, and what others met in the same way."""
    item, first = one.sighting, chosen.sighting
    same = item.failure is not None and first.failure is not None and item.failure.id == first.failure.id
    return one is chosen or (same and item.source == first.source and not one.survived)


def knows(one: Suspect, met: Sighting, case: JobCase) -> bool:
    """Tell a driver's word of its device, or who hands it on, soon before what a process of that host met, that nobody
    surely got over; or, however long before, of what stays as it is.

    It is of the same card or process, as far as both name one; else few steps stand between.
    """
    item = one.sighting
    if item.source != met.source or item.number >= met.number or apart(item, met):
        return False
    if item.failure is not None and item.failure.id in STAYS:
        return tone_of(item) == LOUD
    if met.number - item.number > SOON_LINES or item.failure is None or item.failure.subcategory not in OF_DEVICES:
        return False
    first, last = item.line.time_s, met.line.time_s
    if item.line.clock == met.line.clock and first is not None and last is not None and not 0 <= last - first <= SOON_S:
        return False
    same = is_of_same_part(item, met)
    if same is False or (same is None and steps_between(case.own(item), item.start, met.start) >= MANY_STEPS):
        return False
    return (one.maybe or not one.survived) and is_hardware(item) and item.line.rank is None and tone_of(item) == LOUD


def is_of_same_part(item: Sighting, met: Sighting) -> bool | None:
    """Tell whether two lines name the same card, else the same process, else the same host; None where none is told."""
    first, second = parts_named(item), parts_named(met)
    if (shared := next((part for part in ("pci", "gpu", "pid") if part in first and part in second), None)) is not None:
        return first[shared] == second[shared]
    return True if "host" in first and first["host"] == second.get("host") else None


def parts_named(item: Sighting) -> dict[str, str]:
    """Give what a line names, by its entry or in its words, each in one spelling; a card's number by the driver."""
    named, text = item.named, item.line.text
    card = CARD.search(named.get("pci", text))
    pid = PID.search(text)
    told = {
        "pci": card[1].lower() if card else "",
        "gpu": number if (number := named.get("gpu", "")).isdigit() else "",
        "pid": pid[1] if pid else str(item.line.pid or ""),
        "host": item.line.host or "",
    }
    return {part: name for part, name in told.items() if name}
