"""What slows a part of the machine down: no step gets over it, and who gives up a job that crawls does not say it."""

import re2

from schedmate.readers.failures.case import JobCase, Suspect
from schedmate.readers.failures.causes.stated_in_words import SCORE, leaves_open
from schedmate.readers.failures.sightings.sighting import Sighting

SLOW = "slow gpu"
"""What the catalogue calls that a card runs slower than it should."""
TOO_SLOW = re2.compile(
    r"(?i)\b(?:throughput|straggl\w+|too slow|slower|slow(?:ed)? ?down|step time|(?:samples|tokens|images|it|steps)"
    r"(?:/| per )s(?:ec(?:ond)?)?)\b"
)
"""Of what a guard speaks that ends a job because it crawls."""


def what_slowed_it(chosen: Suspect, case: JobCase) -> Suspect:
    """Give the first word of what still slowed a card down, where the choice says only that the job was too slow."""
    item = chosen.sighting
    if not leaves_open(chosen) or chosen.survived or not TOO_SLOW.search(item.line.text):
        return chosen
    told = [one for one in case.suspects if slows(one.sighting, item)]
    last = max(told, key=lambda one: one.sighting.start, default=None)
    if last is None or last.survived:
        return chosen
    same = [one for one in told if of_same_host(one.sighting, last.sighting)]
    return Suspect(min(same, key=lambda one: one.sighting.start).sighting, SCORE, survived=False)


def slows(item: Sighting, end: Sighting) -> bool:
    """Tell what a card's watcher says of its being slow, before the end."""
    failure = item.failure
    return failure is not None and failure.fault == SLOW and item.source == end.source and item.start < end.start


def of_same_host(item: Sighting, other: Sighting) -> bool:
    """Tell lines of one machine."""
    return item.line.host == other.line.host
