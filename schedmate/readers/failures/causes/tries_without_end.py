"""Weigh tries of something up to the log's very end: nobody saw them succeed, and nothing else is told of the job."""

from collections.abc import Sequence
from dataclasses import replace

from schedmate.readers.failures.causes.suspects import Suspect
from schedmate.readers.failures.reading import FailureReading
from schedmate.readers.failures.sightings.loudness import HANDLED, SOFT, is_handled, tone_of
from schedmate.tools.logfile import split_lines

MOST_BYTES, MOST_OTHERS = 1 << 13, 1
"""How much of the log's end is looked at, and how many lines of it may speak of something else."""
LOUDER = 0.08
"""What counts so much may be the cause itself."""


def with_tries_without_end(suspects: Sequence[Suspect], readings: Sequence[FailureReading]) -> list[Suspect]:
    """Let what was tried again count as a warning where the log ends in such tries and nothing else is alive."""
    last = [one for one in suspects if is_last_try_of_all(one, readings[one.sighting.source])]
    aside = {id(one) for one in last}
    if not last or any(not one.survived and one.score >= LOUDER for one in suspects if id(one) not in aside):
        return list(suspects)
    return [replace(one, score=one.score * SOFT / HANDLED) if id(one) in aside else one for one in suspects]


def is_last_try_of_all(one: Suspect, own: FailureReading) -> bool:
    """Tell a service that was asked in vain and asked again, behind which the log says nothing else."""
    item = one.sighting
    failure = item.failure
    if failure is None or failure.subcategory != "other" or failure.role != "root" or tone_of(item) != HANDLED:
        return False
    if item.raised or one.survived or own.log.size - item.start > MOST_BYTES:
        return False
    rest = split_lines(own.log.window(item.start, own.log.size), item.number, item.start)
    texts = (own.cleaner.take(raw).text.strip() for raw in rest)
    return sum(bool(text) and not is_handled(text) for text in texts) <= MOST_OTHERS
