"""Of what speaks about equally loud take the earliest; a dump says why a device or a file was gone."""

from collections.abc import Sequence

import re2

from schedmate.readers.failures.case import LEAST_SCORE, Suspect
from schedmate.readers.failures.causes.asked_for_later import DUMPED_FACTOR, looks_back
from schedmate.readers.failures.causes.at_a_loss import is_at_a_loss, is_lost, is_of_run_time, is_read_only
from schedmate.readers.failures.causes.cut_transfers import is_of_connection
from schedmate.readers.failures.causes.same_fault import SOON_LINES, apart, is_told_by_machine
from schedmate.readers.failures.sightings.loudness import is_hardware
from schedmate.readers.failures.sightings.sighting import Sighting

CLOSE_TO_BEST = 0.85

SUPPOSES = re2.compile(r"\b(?:might|may|could) be (?:caused by|due to)\b|\b[Ii]t is possible that\b")
"""How a program says that it only guesses why something ended."""
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
    is_vague = is_lost(first.sighting) or is_of_run_time(first)
    close = softer if is_of_connection(first) or is_vague else close
    close = [*close, *(one for one in heard if tells_why(one, first))]
    if one_clock and not (is_vague and first.sighting.line.time_s is None):
        return first
    return min(told_in_dumps(first, close), key=lambda one: order_of(one.sighting, True))


def told_in_dumps(first: Suspect, close: Sequence[Suspect]) -> list[Suspect]:
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
    alike = [one for one in close if one.dumped and one.sighting.kind == first.sighting.kind]
    return [one for one in alike if one.sighting.kind[0] == "infrastructure"] or [first]


def tells_why(one: Suspect, first: Suspect) -> bool:
    """Tell what a driver says soon behind a line that knows only that a device, a process or a file is gone, or guesses
    why; behind what a device's run time raised it is a fault of a machine.
    """
    item, met = one.sighting, first.sighting
    of_machine = (is_of_run_time(first) or fails_under(one, first)) and is_hardware(item) and not apart(item, met)
    if not (of_machine or is_lost(met) or SUPPOSES.search(met.line.text)) or item.source != met.source:
        return False
    return 0 < item.number - met.number <= SOON_LINES and is_told_by_machine(item) and one.score >= LEAST_SCORE


def fails_under(one: Suspect, first: Suspect) -> bool:
    """Tell the disk that failed from the file system on it, of which a program only met that it takes nothing more."""
    said = one.sighting.failure
    return is_read_only(first) and not is_read_only(one) and said is not None and said.id.startswith("storage.")


def order_of(item: Sighting, one_clock: bool) -> tuple[float, int, int]:
    """Order by clock where all have the same kind of clock, else by place."""
    time_s = item.line.time_s if one_clock and item.line.time_s is not None else 0.0
    return time_s, item.source if not time_s else 0, item.number
