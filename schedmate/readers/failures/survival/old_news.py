"""Know lines that say nothing new: a source had said them several times, and the job had outlived each."""

from collections import Counter
from collections.abc import Sequence

from schedmate.readers.failures.sightings.sighting import Sighting
from schedmate.readers.failures.survival.outcomes import Fact
from schedmate.readers.templates import mask_line

OFTEN = 2
"""How often a line was outlived that says nothing new when it stands once more."""


def outlived_before(facts: Sequence[Fact]) -> set[tuple[str | None, str]]:
    """Give the lines, figures aside, that a source had said several times and the job had outlived each time."""
    said = Counter(words_of_line(fact.item) for fact in facts if fact.past and not fact.item.raised)
    return {words for words, times in said.items() if times >= OFTEN}


def words_of_line(item: Sighting) -> tuple[str | None, str]:
    """Give who said a line, and its words without figures."""
    return item.line.host, mask_line(item.line.text)
