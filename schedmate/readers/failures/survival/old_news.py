"""Know lines that say nothing new: a source had said them several times, and the job had outlived each."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from schedmate.readers.failures.case import Fact, JobCase, Suspect
from schedmate.readers.failures.sightings.loudness import is_end, is_of_machine
from schedmate.readers.failures.sightings.sighting import Sighting
from schedmate.readers.failures.survival.late_output import is_launchers_word
from schedmate.readers.templates import mask_line

OFTEN, MANY_TIMES = 2, 4
"""How often a line was outlived that says nothing new when it stands once more, and one that was got over then, too."""

EXPLAINS = 0.3
"""What an entry weighs at least that may be why a process ended."""
SAID_BEFORE_FACTOR = 0.5
"""What a line counts that says nothing new."""


def with_old_news(suspects: Sequence[Suspect], case: JobCase) -> list[Suspect]:
    """Let what is said once more, as often before, count for less: it says nothing new."""
    old = outlived_before(case.facts)
    return [said_once_more(one) if words_of_line(one.sighting) in old else one for one in suspects]


def said_once_more(one: Suspect) -> Suspect:
    """Lower what nobody raised and what is no end."""
    if one.effect or one.sighting.raised or is_end(one.sighting):
        return one
    return replace(one, maybe=False) if one.survived else replace(one, score=one.score * SAID_BEFORE_FACTOR)


def outlived_before(facts: Sequence[Fact]) -> set[tuple[str | None, str]]:
    """Give the lines, figures aside, that a source had said several times and the job had outlived each time."""
    said = Counter(words_of_line(fact.item) for fact in facts if fact.past and not fact.item.raised)
    return {words for words, times in said.items() if times >= OFTEN}


def words_of_line(item: Sighting) -> tuple[str | None, str]:
    """Give who said a line, and its words without figures."""
    return item.line.host, mask_line(item.line.text)


def with_habits(facts: Sequence[Fact], case: JobCase) -> list[Fact]:
    """Let a line of a kind that the job had got over many times count as got over once more.

    Not what a stack or a machine states, nor an end: these may come one time too many. Nor what comes last before a
    launcher tells of an end that nothing else explains.
    """
    past: Counter[str] = Counter()
    told = []
    for fact in facts:
        words = mask_line(fact.item.line.text)
        if fact.alive and past[words] >= MANY_TIMES and not (fact.item.raised or may_be_the_last(fact.item)):
            fact = replace(fact, outlived=True)
        past[words] += fact.past and not fact.dumped
        told.append(fact)
    return list(facts) if is_unexplained(told) else told


def is_unexplained(facts: Sequence[Fact]) -> bool:
    """Tell where a launcher says that a process ended and no cause is left for it."""
    alive = [fact.item for fact in facts if fact.alive]
    causes = (item.failure for item in alive if item.failure and item.failure.role == "root")
    return any(map(is_launchers_word, alive)) and all(failure.weight < EXPLAINS for failure in causes)


def may_be_the_last(item: Sighting) -> bool:
    """Tell what a machine states, or what ends a job: that it was well before says nothing of this time."""
    told = item.line.host is not None and item.failure is not None and item.failure.daemon
    return told or is_end(item) or is_of_machine(item)
