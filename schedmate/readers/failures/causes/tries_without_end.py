"""Weigh tries of something up to the log's very end: nobody saw them succeed, and nothing else is told of the job."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from schedmate.readers.failures.case import JobCase, Suspect
from schedmate.readers.failures.reading import FailureReading
from schedmate.readers.failures.sightings.loudness import HANDLED, SOFT, is_handled, tone_of
from schedmate.readers.failures.sightings.scan import reads_like_error
from schedmate.readers.failures.sightings.sighting import Sighting
from schedmate.readers.failures.survival.ordinary_lines import STANDS_STILL, WAY_OUT
from schedmate.tools.late_patterns import late_re2
from schedmate.tools.raw_lines import split_lines

MOST_BYTES, MOST_OTHERS = 1 << 13, 1
"""How much of the log's end is looked at, and how many lines of it may speak of something else."""
TRIES_BYTES = 1 << 16
"""How much of it is looked at for what is done at each try."""
LOUDER = 0.08
"""What counts so much may be the cause itself."""
BEHIND_STEPS = 2
"""Of a job that made steps so many such tries must stand at the end: one may have been enough."""
LEAST_TIMES = 3
"""So often the same thing failed in the same words, with no step since it first did: one more try will not mend it."""
TRIED = late_re2(r"(?i)\bretr(?:y|ies|ied|ying)\b|\btr(?:y|ies|ied|ying) (?:it |this |that )?(?:again|once more)\b")
"""What was done about it; who skips something does not do it again."""
HEAD = late_re2(r"^(?:[A-Z]?\d{4} )?\d{1,20} [\w./-]{1,60}:\d{1,6}\] ")
"""What a logger of Google's puts before its words: a thread, and where it stands in the source."""


def with_tries_without_end(suspects: Sequence[Suspect], case: JobCase) -> list[Suspect]:
    """Let what was tried again count as a warning where the log ends in such tries and nothing else is alive."""
    again = {id(one) for one in repeated_tries(suspects, case)}
    last = [one for one in suspects if is_last_try_of_all(one, case.own(one.sighting))]
    stepped = any(case.own(one.sighting).marks for one in last)
    aside = again | ({id(one) for one in last} if not stepped or len(last) >= BEHIND_STEPS else set())
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


def repeated_tries(suspects: Sequence[Suspect], case: JobCase) -> list[Suspect]:
    """Give what failed again and again in the very same words, was tried again each time, and is at the log's end."""
    alike: dict[tuple[int, str], list[Suspect]] = {}
    for one in filter(is_try, suspects):
        alike.setdefault(words_of(one.sighting), []).append(one)
    often = (tries for tries in alike.values() if len(tries) >= LEAST_TIMES)
    return [one for tries in often if is_all_it_does(tries, case.own(tries[0].sighting)) for one in tries]


def is_all_it_does(tries: Sequence[Suspect], own: FailureReading) -> bool:
    """Tell tries up to the log's end of a program that had made no step: it does nothing else, in no other words.

    Where steps were made, a service at their side may be asked in vain; what each try says besides it says each time.
    """
    first, last = (pick((one.sighting for one in tries), key=lambda item: item.place) for pick in (min, max))
    if own.marks or not is_at_end(last, own):
        return False
    start = own.log.bounds(max(first.start, own.log.size - TRIES_BYTES))[0]
    raws = split_lines(own.log.window(start, own.log.size), 0, start)
    others = Counter(HEAD.sub("", line.text) for line in map(own.cleaner.take, raws) if tells_of_other(line.text))
    return all(times > 1 for times in others.values())


def tells_of_other(text: str) -> bool:
    """Tell what a program says besides that it fails, waits and tries again, and what is not said of its end."""
    if not text.strip() or is_handled(text) or reads_like_error(text):
        return False
    return not (STANDS_STILL.search(text) or WAY_OUT.search(text))


def is_try(one: Suspect) -> bool:
    """Tell a cause that an entry knows and that was tried again."""
    item = one.sighting
    failure = item.failure
    if failure is None or failure.role != "root" or item.raised or one.survived:
        return False
    return tone_of(item) == HANDLED and TRIED.search(item.line.text) is not None


def is_at_end(item: Sighting, own: FailureReading) -> bool:
    """Tell a line close to the end of its log."""
    return own.log.size - item.start <= MOST_BYTES


def words_of(item: Sighting) -> tuple[int, str]:
    """Give what a line says, to the letter, without what its logger says of itself."""
    return item.source, HEAD.sub("", item.line.text)
