"""Let what may have ended the job count though steps stand behind it: these may have lain in buffers."""

from collections.abc import Sequence
from dataclasses import replace

from schedmate.readers.failures.case import Fact, JobCase, Suspect
from schedmate.readers.failures.causes.suspects import survived_factor
from schedmate.readers.failures.reading import FailureReading
from schedmate.readers.failures.survival.late_output import died_of_it, in_buffer_reach
from schedmate.readers.failures.survival.outcomes import (
    ended_badly,
    ended_its_process,
    ended_the_job,
    is_notice,
    may_be_late,
    was_stopped,
)

LATE_FACTOR = 0.7
"""What ended a process though steps, perhaps held back, were printed after it."""


def with_late_words(suspects: Sequence[Suspect], case: JobCase) -> list[Suspect]:
    """Judge anew, but for what stands in a dump, what steps stand behind."""
    badly = ended_badly(case.facts)
    return [
        one if fact.dumped else printed_late(one, fact, case.own(fact.item), badly)
        for one, fact in zip(suspects, case.facts, strict=True)
    ]


def printed_late(one: Suspect, fact: Fact, own: FailureReading, badly: bool) -> Suspect:
    """Tell what may have ended the job all the same, or ended it for all that is known."""
    if fact.past and was_stopped(fact.item) and in_buffer_reach(fact.item, own):
        return replace(one, survived=False, score=one.score / survived_factor(fact.item, badly))
    if fact.back:
        return replace(one, maybe=not fact.outlived)
    if not fact.past or not (may_be_late(fact.item, own) or is_notice(fact.item, own)):
        return one
    if (ended_its_process(fact.item) or died_of_it(fact.item, own)) and ended_the_job(fact.item, own, badly):
        score = one.score / survived_factor(fact.item, badly) * LATE_FACTOR
        return replace(one, survived=False, score=score)
    return replace(one, maybe=True)
