"""Know processes that die all the time and end nothing: those that try what a model wrote, one after the other."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from schedmate.readers.failures.case import JobCase
from schedmate.readers.failures.reading import FailureReading
from schedmate.readers.failures.sightings.sighting import Sighting
from schedmate.tools.late_patterns import late

LEAST_DEATHS = 4
"""So many processes of one name died, and the job made steps behind each."""
ACTOR = late(rb"\(([A-Za-z_][\w.:<>-]{0,80}?) pid=\d{1,9}[,)]")
"""How Ray names what printed a line: processes of one kind share it."""


def without_dying_helpers(known: Sequence[Sighting], case: JobCase) -> list[Sighting]:
    """Let what such helpers raise at their top weigh nothing; who tells steps is none of them."""
    died: defaultdict[tuple[int, bytes], list[Sighting]] = defaultdict(list)
    for item in known:
        if item.raised and item.raised.leaves and item.line.pid is not None and item.line.rank is None:
            died[item.source, actor_at(item.start, case.own(item))].append(item)
    helpers = (items for (_, name), items in died.items() if name and are_helpers(name, items, case.own(items[0])))
    starts = {item.place for items in helpers for item in items}
    return [weightless(item) if item.place in starts else item for item in known]


def are_helpers(name: bytes, items: Sequence[Sighting], own: FailureReading) -> bool:
    """Tell processes of one name of which many died, each followed by steps that others made."""
    if len({item.line.pid for item in items}) < LEAST_DEATHS:
        return False
    steps = [mark.start for mark in own.marks if mark.start > items[0].start]
    if any(actor_at(start, own) == name for start in steps):
        return False
    ends = sorted(item.start for item in items)
    between = zip(ends, [*ends[1:], own.log.size], strict=True)
    return sum(any(first < step < last for step in steps) for first, last in between) >= LEAST_DEATHS


def actor_at(place: int, own: FailureReading) -> bytes:
    """Give the name before a line."""
    told = ACTOR.match(own.log.line_at(place).raw)
    return told[1] if told else b""


def weightless(item: Sighting) -> Sighting:
    """Let a line count for nothing."""
    return replace(item, failure=item.failure._replace(role="teardown", weight=0.0)) if item.failure else item
