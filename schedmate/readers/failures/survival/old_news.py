"""Know lines that say nothing new: a source had said them several times, and the job had outlived each."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from schedmate.readers.failures.sightings.loudness import is_end, is_of_machine
from schedmate.readers.failures.sightings.sighting import Sighting
from schedmate.readers.failures.survival.outcomes import Fact
from schedmate.readers.templates import mask_line

OFTEN, MANY_TIMES = 2, 4
"""How often a line was outlived that says nothing new when it stands once more, and one that was got over then, too."""


def outlived_before(facts: Sequence[Fact]) -> set[tuple[str | None, str]]:
    """Give the lines, figures aside, that a source had said several times and the job had outlived each time."""
    said = Counter(words_of_line(fact.item) for fact in facts if fact.past and not fact.item.raised)
    return {words for words, times in said.items() if times >= OFTEN}


def words_of_line(item: Sighting) -> tuple[str | None, str]:
    """Give who said a line, and its words without figures."""
    return item.line.host, mask_line(item.line.text)


def with_habits(facts: Sequence[Fact]) -> list[Fact]:
    """Let a line of a kind that the job had got over many times count as got over once more.

    Not what a stack or a machine states, nor an end: these may come one time too many.
    """
    past: Counter[str] = Counter()
    told = []
    for fact in facts:
        words = mask_line(fact.item.line.text)
        if fact.alive and past[words] >= MANY_TIMES and not (fact.item.raised or may_be_the_last(fact.item)):
            fact = replace(fact, outlived=True)
        past[words] += fact.past and not fact.dumped
        told.append(fact)
    return told


def may_be_the_last(item: Sighting) -> bool:
    """Tell what a machine states, or what ends a job: that it was well before says nothing of this time."""
    told = item.line.host is not None and item.failure is not None and item.failure.daemon
    return told or is_end(item) or is_of_machine(item)
