"""Small rules of what outranks what: a mere warning explains nothing, a card's lost transfer what came after it."""

from collections.abc import Sequence

import re2

from schedmate.readers.failures.causes.suspects import Suspect
from schedmate.readers.failures.sightings.sighting import Sighting

LEAST_SCORE = 0.08
CARDS_WORD = 0.8
"""What a network card's own library says of a transfer counts at least so much."""
PYTHON_WARNS = re2.compile(r"\.pyx?:\d{1,6}: \w{0,40}Warning: ")


def class_of(one: Suspect) -> tuple[str, str | None]:
    """Give what a suspect would make of the failure."""
    failure = one.sighting.failure
    return (failure.category, failure.subcategory) if failure else ("none", None)


def merely_warned(chosen: Suspect, suspects: Sequence[Suspect]) -> bool:
    """Tell a warning of Python's where nothing else is left that speaks of trouble: nobody dies of one."""
    if not is_pythons_warning(chosen) or chosen.survived:
        return False
    alive = (one for one in suspects if not one.survived and one.score >= LEAST_SCORE)
    return all(is_pythons_warning(one) for one in alive)


def is_pythons_warning(one: Suspect) -> bool:
    """Tell what Python's `warnings` printed, as it always does: the file, the line, the kind."""
    return one.sighting.raised is None and PYTHON_WARNS.search(one.sighting.line.text) is not None


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
    return class_of(one)[0] == "framework" and "memory" in (one.sighting.failure.id if one.sighting.failure else "")


def follows_in_time(item: Sighting, other: Sighting) -> bool:
    """Tell what stands behind a line in its log, and by their clocks, if both tell the time, is later."""
    first, second = item.line.time_s, other.line.time_s
    if first is not None and second is not None and item.line.clock == other.line.clock:
        return second > first
    return item.source == other.source and other.start > item.start
