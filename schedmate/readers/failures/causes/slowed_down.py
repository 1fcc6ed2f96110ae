"""What slows a part of the machine down: no step gets over it, and who gives up a job that crawls does not say it."""

from schedmate.readers.failures.case import JobCase, Suspect
from schedmate.readers.failures.causes.stated_in_words import SCORE, leaves_open
from schedmate.readers.failures.sightings.sighting import Sighting
from schedmate.tools.late_patterns import late_re2

SLOW = "slow gpu"
"""What the catalogue calls that a card runs slower than it should."""
TOO_SLOW = late_re2(
    r"(?i)\b(?:throughput|straggl\w+|too slow|slower|slow(?:ed)? ?down|step time|(?:samples|tokens|images|it|steps)"
    r"(?:/| per )s(?:ec(?:ond)?)?)\b"
)
"""Of what a guard speaks that ends a job because it crawls."""

CARD = late_re2(
    r"(?i)\b(?:gpu|device|card|accelerator)[\s_=:#]*([0-9]+)\b|\b([0-9a-f]{4,8}:[0-9a-f]{2}:[0-9a-f]{2}(?:\.[0-9])?)\b"
)
"""How a line names a card: by its number or by its address."""
LONGEST_PAUSE_S = 1800.0
"""So soon a watcher speaks again of a card that is still slow."""


def what_slowed_it(chosen: Suspect, case: JobCase) -> Suspect:
    """Give the first word of what still slowed a card down, where the choice says only that the job was too slow."""
    item = chosen.sighting
    if not leaves_open(chosen) or chosen.survived or not TOO_SLOW.search(item.line.text):
        return chosen
    told = sorted((one for one in case.suspects if slows(one.sighting, item)), key=lambda one: one.sighting.start)
    if not told or told[-1].survived:
        return chosen
    first = told[-1].sighting
    for one in reversed(told[:-1]):
        first = one.sighting if goes_on_in(one.sighting, first) else first
    return Suspect(first, SCORE, survived=False)


def slows(item: Sighting, end: Sighting) -> bool:
    """Tell what a card's watcher says of its being slow, before the end."""
    failure = item.failure
    return failure is not None and failure.fault == SLOW and item.source == end.source and item.start < end.start


def goes_on_in(item: Sighting, later: Sighting) -> bool:
    """Tell what is said of the same card of the same machine again soon: what cooled meanwhile was another trouble."""
    told, again = item.line, later.line
    if told.host is None or told.host != again.host or (card := card_of(item)) is None or card != card_of(later):
        return False
    return told.time_s is not None and again.time_s is not None and again.time_s - told.time_s <= LONGEST_PAUSE_S


def card_of(item: Sighting) -> str | None:
    """Name the card that a line speaks of, by its number or its address."""
    match = CARD.search(item.line.text)
    return str(match[1] or match[2]).lower() if match else None
