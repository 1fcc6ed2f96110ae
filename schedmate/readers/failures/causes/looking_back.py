"""Of what speaks about equally loud take the earliest; a dump says why a device or a file was gone."""

from collections.abc import Sequence

import re2

from schedmate.readers.failures.case import Suspect
from schedmate.readers.failures.causes.precedence import (
    LEAST_SCORE,
    class_of,
    is_lost,
    is_of_connection,
    looks_back,
)
from schedmate.readers.failures.causes.same_fault import SOON_LINES, apart, is_told_by_machine
from schedmate.readers.failures.causes.suspects import DUMPED_FACTOR
from schedmate.readers.failures.sightings.loudness import is_hardware
from schedmate.readers.failures.sightings.sighting import Sighting

CLOSE_TO_BEST = 0.85

SUPPOSES = re2.compile(r"\b(?:might|may|could) be (?:caused by|due to)\b|\b[Ii]t is possible that\b")
"""How a program says that it only guesses why something ended."""
READ_ONLY = "storage.read_only"
CAUGHT_BY_PROGRAMS = re2.compile(r"\b\w+(?:Error|Exception)\b|\[Errno \d")


def earliest_of_loudest(heard: Sequence[Suspect]) -> Suspect | None:
    """Take the earliest of those that speak about equally loud."""
    if not heard:
        return None
    best = max(one.score for one in heard)
    close = [one for one in heard if one.score >= CLOSE_TO_BEST * best]
    softer = [one for one in heard if looks_back(one) and one.score >= DUMPED_FACTOR * CLOSE_TO_BEST * best]
    one_clock = len({one.sighting.line.clock for one in (*close, *softer)}) == 1
    first = min(close, key=lambda one: order_of(one.sighting, one_clock))
    lost = is_lost(first.sighting) or is_symptom(first)
    close = softer if is_of_connection(first) or lost else close
    close = [*close, *(one for one in heard if tells_why(one, first))]
    if one_clock and not (lost and first.sighting.line.time_s is None):
        return first
    return min(looking_back(first, close), key=lambda one: order_of(one.sighting, True))


def is_symptom(one: Suspect) -> bool:
    """Tell what a device's run time says of a program, for whatever reason."""
    failure = one.sighting.failure
    return failure is not None and failure.id.startswith(("gpu.", "cuda.")) and failure.category == "script"


def looking_back(first: Suspect, close: Sequence[Suspect]) -> list[Suspect]:
    """Give what a dump behind a line says of the same fault, which it was said of before.

    Of the same class it is where the line bears no clock and is not the program's own; a fault of a device that its
    driver states goes before what only knows that a call failed.
    """
    if looks_back(first):
        return [first]
    why = (one for one in close if looks_back(one) or tells_why(one, first)) if is_at_a_loss(first) else ()
    hardware = (one for one in why if is_hardware(one.sighting))
    told = [one for one in hardware if not apart(one.sighting, first.sighting)]
    if told or first.sighting.line.time_s is not None or CAUGHT_BY_PROGRAMS.search(first.sighting.line.text):
        return told or [first]
    alike = [one for one in close if one.dumped and class_of(one) == class_of(first)]
    return [one for one in alike if class_of(one)[0] == "infrastructure"] or [first]


def tells_why(one: Suspect, first: Suspect) -> bool:
    """Tell what a driver says soon behind a line that knows only that a device, a process or a file is gone, or guesses
    why; behind what a device's run time raised it is a fault of a machine.
    """
    item, lost = one.sighting, first.sighting
    of_machine = (is_symptom(first) or became(first, one)) and is_hardware(item) and not apart(item, lost)
    if not (of_machine or is_lost(lost) or SUPPOSES.search(lost.line.text)) or item.source != lost.source:
        return False
    return 0 < item.number - lost.number <= SOON_LINES and is_told_by_machine(item) and one.score >= LEAST_SCORE


def became(first: Suspect, one: Suspect) -> bool:
    """Tell what became of a file system, which a program meets, from the disk that failed under it."""
    met, said = first.sighting.failure, one.sighting.failure
    return met is not None and said is not None and met.id == READ_ONLY != said.id and said.id.startswith("storage.")


def is_at_a_loss(one: Suspect) -> bool:
    """Tell what a program or its framework raised without knowing why."""
    failure = one.sighting.failure
    return failure is not None and (
        is_symptom(one)
        or failure.general
        or failure.wording
        or failure.category == "framework"
        or is_lost(one.sighting)
        or failure.id == READ_ONLY
    )


def order_of(item: Sighting, one_clock: bool) -> tuple[float, int, int]:
    """Order by clock where all have the same kind of clock, else by place."""
    time_s = item.line.time_s if one_clock and item.line.time_s is not None else 0.0
    return time_s, item.source if not time_s else 0, item.number
