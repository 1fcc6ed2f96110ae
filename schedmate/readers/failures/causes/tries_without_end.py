"""Weigh tries of something up to the log's very end: nobody saw them succeed, and nothing else is told of the job."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import re2

from schedmate.readers.failures.causes.suspect import Suspect
from schedmate.readers.failures.reading import FailureReading
from schedmate.readers.failures.sightings.loudness import HANDLED, SOFT, is_handled, tone_of
from schedmate.readers.failures.sightings.sighting import Sighting
from schedmate.tools.logfile import split_lines

MOST_BYTES, MOST_OTHERS = 1 << 13, 1
"""How much of the log's end is looked at, and how many lines of it may speak of something else."""
LOUDER = 0.08
"""What counts so much may be the cause itself."""
LEAST_TIMES = 3
"""So often the same thing failed in the same words, with no step since it first did: one more try will not mend it."""
TRIED = re2.compile(r"(?i)\bretr(?:y|ies|ied|ying)\b|\btr(?:y|ies|ied|ying) (?:it |this |that )?(?:again|once more)\b")
"""What was done about it; who skips something does not do it again."""
HEAD = re2.compile(r"^(?:[A-Z]?\d{4} )?\d{1,20} [\w./-]{1,60}:\d{1,6}\] ")
"""What a logger of Google's puts before its words: a thread, and where it stands in the source."""


def with_tries_without_end(suspects: Sequence[Suspect], readings: Sequence[FailureReading]) -> list[Suspect]:
    """Let what was tried again count as a warning where the log ends in such tries and nothing else is alive."""
    again = {id(one) for one in repeated_tries(suspects, readings)}
    aside = again | {id(one) for one in suspects if is_last_try_of_all(one, readings[one.sighting.source])}
    begun = min((one.sighting.start for one in suspects if id(one) in again), default=0)
    others = (one for one in suspects if id(one) not in aside and not one.survived)
    if not aside or any(one.score >= (LOUDER if one.sighting.start >= begun else SOFT) for one in others):
        return list(suspects)
    return [
        replace(one, score=one.score * SOFT / HANDLED, in_vain=id(one) in again) if id(one) in aside else one
        for one in suspects
    ]


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


def repeated_tries(suspects: Sequence[Suspect], readings: Sequence[FailureReading]) -> list[Suspect]:
    """Give what failed again and again in the very same words, was tried again each time, and is at the log's end."""
    tries = [one for one in suspects if is_try(one)]
    times = Counter(words_of(one.sighting) for one in tries)
    often = [one for one in tries if times[words_of(one.sighting)] >= LEAST_TIMES]
    logs = {one.sighting.source: readings[one.sighting.source] for one in often}
    ends = {words_of(one.sighting) for one in often if is_at_end(one.sighting, logs[one.sighting.source])}
    return [
        one
        for one in often
        if words_of(one.sighting) in ends and not logs[one.sighting.source].later_marks(one.sighting)
    ]


def is_try(one: Suspect) -> bool:
    """Tell a cause that an entry knows and that was tried again."""
    item = one.sighting
    failure = item.failure
    if failure is None or failure.role != "root" or failure.wording or item.raised or one.survived:
        return False
    return tone_of(item) == HANDLED and TRIED.search(item.line.text) is not None


def is_at_end(item: Sighting, own: FailureReading) -> bool:
    """Tell a line close to the end of its log."""
    return own.log.size - item.start <= MOST_BYTES


def words_of(item: Sighting) -> tuple[int, str]:
    """Give what a line says, to the letter, without what its logger says of itself."""
    return item.source, HEAD.sub("", item.line.text)
