"""Know a transfer that a network card could not end: whose memory ran out after that did not end it."""

from collections.abc import Sequence

from schedmate.readers.failures.case import Suspect
from schedmate.readers.failures.sightings.sighting import Sighting

CARDS_WORD = 0.8
"""What a network card's own library says of a transfer counts at least so much."""


def is_of_connection(one: Suspect) -> bool:
    """Tell what a program met on its way to another: the interface that was gone its kernel knows."""
    failure = one.sighting.failure
    return failure is not None and failure.subcategory == "network"


def came_before_memory_ran_out(one: Suspect, firm: Sequence[Suspect]) -> bool:
    """Tell a transfer that a card could not end before memory ran out anywhere: who had none did not end it."""
    item = one.sighting
    if not is_of_connection(one) or one.score < CARDS_WORD or one.dumped:
        return False
    others = [other for other in firm if not is_of_connection(other)]
    return bool(others) and all(is_memory(other) and follows_in_time(item, other.sighting) for other in others)


def is_memory(one: Suspect) -> bool:
    """Tell that an accelerator's memory ran out."""
    return one.sighting.kind[0] == "framework" and "memory" in (one.sighting.failure.id if one.sighting.failure else "")


def follows_in_time(item: Sighting, other: Sighting) -> bool:
    """Tell what stands behind a line in its log, and by their clocks, if both tell the time, is later."""
    first, second = item.line.time_s, other.line.time_s
    if first is not None and second is not None and item.line.clock == other.line.clock:
        return second > first
    return item.source == other.source and other.start > item.start
