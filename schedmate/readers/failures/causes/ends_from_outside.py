"""An end from outside, as a time limit, explains what one produces, and whatever was printed after it."""

from collections.abc import Sequence
from dataclasses import replace

from schedmate.readers.failures.case import JobCase, Suspect
from schedmate.readers.failures.causes.asked_for_later import IN_A_TABLE
from schedmate.readers.failures.causes.suspects import SURVIVED_FACTOR
from schedmate.readers.failures.lines.exceptions import is_caught_inside
from schedmate.readers.failures.sightings.loudness import is_end, is_hardware, warns
from schedmate.readers.failures.sightings.sighting import Sighting

AT_THE_END_S = 120.0
"""What peers say of each other so soon before an end they say because of it."""
WARNED_FACTOR = 0.5
"""A program that merely warned had gone on when somebody ended it."""


def in_light_of_ends(suspects: Sequence[Suspect], case: JobCase) -> list[Suspect]:
    """Let ends from outside explain what they explain."""
    ends = [one for one in suspects if is_end(one.sighting) and (not one.survived or one.maybe)]
    if not ends:
        return list(suspects)
    first: dict[int, Sighting] = {}
    for item in sorted((end.sighting for end in ends if not end.survived), key=lambda item: item.place):
        first.setdefault(item.source, item)
    return [in_the_light_of(one, first.get(one.sighting.source), case) for one in suspects]


def in_the_light_of(one: Suspect, first: Sighting | None, case: JobCase) -> Suspect:
    """See what an end from outside explains: lines that one produces, and whatever was printed after the `first`."""
    failure = one.sighting.failure
    if failure is None or is_end(one.sighting):
        return one
    own = case.own(one.sighting).part_of(one.sighting.start)
    together = first is not None and own.holds(first.start)
    lost = "peer" in failure.after and first is not None and not long_before(one.sighting, first, together)
    if "termination" in failure.after or lost:
        one = replace(one, effect=True)
    if warns(one.sighting) and not is_hardware(one.sighting):
        one = replace(one, score=one.score * WARNED_FACTOR)
    raised = one.sighting.raised
    if raised and is_caught_inside(raised):
        return replace(one, score=one.score * SURVIVED_FACTOR)
    if first and together and one.sighting.start > first.start and not happened_before(one.sighting, first):
        one = replace(one, score=one.score * SURVIVED_FACTOR)
    return one


def long_before(item: Sighting, end: Sighting, together: bool) -> bool:
    """Tell trouble with a peer that was there before somebody ended the job: by clocks that agree, else by its place.

    A table of events that was asked for later has no place, nor have two files that were joined.
    """
    if item.line.clock == end.line.clock and item.line.time_s is not None and end.line.time_s is not None:
        return end.line.time_s - item.line.time_s > AT_THE_END_S
    return together and item.start < end.start and not IN_A_TABLE.search(end.line.text)


def happened_before(item: Sighting, end: Sighting) -> bool:
    """Tell what was printed late by clocks that agree."""
    if item.line.clock != end.line.clock or item.line.time_s is None or end.line.time_s is None:
        return False
    return item.line.time_s < end.line.time_s - 1.0
