"""What a shell did not find, or a scheduler refused, counts for less where the program ran all the same."""

from collections.abc import Sequence
from dataclasses import replace

from schedmate.readers.failures.case import JobCase, Suspect
from schedmate.readers.failures.causes.suspects import as_got_over
from schedmate.readers.failures.survival.shell_setup import (
    given_up,
    is_passed,
    is_refused_in_vain,
    last_of_ranks,
    last_wants,
    last_warnings,
    programs_ends,
    was_done_without,
)

HELPER_FACTOR = 0.25
"""What a helper counts that the program ran without: if nothing else is told, it may have been more than one."""


def with_helpers_aside(suspects: Sequence[Suspect], case: JobCase) -> list[Suspect]:
    """Count as got over what was done without, and what was passed over or refused in vain."""
    first = {reading.source: min(mark.start for mark in reading.marks) for reading in case.readings if reading.marks}
    last = {reading.source: max(mark.start for mark in reading.marks) for reading in case.readings if reading.marks}
    sightings = [one.sighting for one in suspects]
    ends, ran, over = programs_ends(sightings), last_of_ranks(sightings), given_up(sightings)
    warned = last_warnings(sightings, case.readings)
    wants = last_wants(sightings)
    return [
        as_got_over(one)
        if was_done_without(one.sighting, warned, wants, last)
        else replace(one, score=one.score * HELPER_FACTOR, survived=True)
        if is_passed(one.sighting, ends, first, over) or is_refused_in_vain(one.sighting, ran)
        else one
        for one in suspects
    ]
