"""Class exceptions by what stands with them: what they led to, what they were met in, what is printed under them."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice

from schedmate.knowledge.catalogue import Failure
from schedmate.readers.failures.sightings.launcher_reports import by_its_code, end_in
from schedmate.readers.failures.sightings.sighting import Sighting
from schedmate.readers.failures.sightings.unknown_lines import UNKNOWN
from schedmate.readers.lines import Speaker

BLOCK_LINES, BLOCK_SIGHTINGS = 1000, 32
NEAR_LINES = 4
"""How far below an exception that introduces it the end of a process is told."""


def with_their_chains(items: Sequence[Sighting]) -> list[Sighting]:
    """Class an exception of which only the kind is known by what an entry knows of those that it led to.

    A client's `TimeoutError: timed out` says little; what the client makes of it, that its server did not answer.
    """
    joined: list[Sighting] = []
    known: dict[Speaker, Failure | None] = {}
    for item in reversed(items):
        raised = item.raised
        assert item.failure
        assert raised
        speaker = item.line.speaker
        later = known.get(speaker)
        if later and raised.fatal and item.failure.role == "root" and is_only_a_kind(item.failure):
            item = replace(item, failure=replace(later, weight=max(later.weight, item.failure.weight)))
        failure = item.failure
        assert failure
        sure = failure.role == "root" and not is_only_a_kind(failure)
        known[speaker] = (failure if sure else later) if raised.follows else None
        joined.append(item)
    return joined[::-1]


def without_what_ends_led_to(items: Iterable[Sighting]) -> Iterator[Sighting]:
    """Give no weight to what a process met while it handled its own end, which somebody outside had asked for."""
    ending: dict[Speaker, bool] = {}
    for item in items:
        assert item.failure
        assert item.raised
        speaker = item.line.speaker
        led_to = item.raised.follows and ending.get(speaker, False)
        asked_for = item.failure.category == "other"
        ending[speaker] = led_to or asked_for
        yield shrugged_off(item) if led_to and not asked_for else item


def with_their_blocks(items: list[Sighting]) -> list[Sighting]:
    """Class an exception whose message only begins on its line by what the lines under it state.

    A compiler back end prints the source that it was given first, and its complaint last.
    """
    return [
        replace(item, failure=found) if (found := stated_below(item, items, at)) else item
        for at, item in enumerate(items)
    ]


def stated_below(item: Sighting, items: Sequence[Sighting], at: int) -> Failure | None:
    """Give the entry of the first line under an open exception that states a cause, before the next exception.

    One that carries the news of a process that ended takes the code that is told under it.
    """
    if not item.line.text.endswith(":") or not item.failure:
        return None
    carries = item.failure.role == "cascade"
    if not carries and not (item.raised and is_only_a_kind(item.failure)):
        return None
    for other in islice(items, at + 1, at + 1 + BLOCK_SIGHTINGS):
        if other.raised or other.number > item.number + BLOCK_LINES or other.line.rank != item.line.rank:
            return None
        if not carries and other.failure and other.failure.role == "root" and not is_only_a_kind(other.failure):
            return other.failure
        if (end := end_in(other)) and end.meaning and other.number - item.number <= NEAR_LINES:
            return by_its_code(other).failure
    return None


def is_only_a_kind(failure: Failure) -> bool:
    """Tell a failure of which only the kind is known."""
    return failure.general or failure.wording or not failure.pattern


def shrugged_off(item: Sighting) -> Sighting:
    """Give an exception without its stack no weight where the line before says that Python passed over it."""
    failure = item.failure or UNKNOWN
    return replace(item, failure=replace(failure, role="teardown", weight=0.0)) if failure.role == "root" else item
