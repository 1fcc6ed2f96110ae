"""Know what somebody asked for when all was over, a dump or a table of events: its place in the log tells no time."""

import re
from collections.abc import Sequence
from dataclasses import replace

from schedmate.readers.failures.case import Fact, JobCase, Suspect
from schedmate.readers.failures.reading import FailureReading
from schedmate.readers.failures.sightings.loudness import is_hardware
from schedmate.readers.failures.sightings.sighting import Sighting
from schedmate.readers.failures.survival.dump_clocks import last_life_s

IN_A_TABLE = re.compile(r"^(?:\d{1,4}[smhd][\dsmh]{0,4} +)?(?:Warning|Normal) +[A-Z]\w+ +")
"""A row of the events that `kubectl` prints."""

DUMPED_FACTOR = 0.85
"""What stands in a dump."""
BACK_FACTOR = 0.5
"""What a dump says of a part that it also says was back at once."""
DEVICES = frozenset({"gpu", "nvlink"})
"""What ranks cannot do without, and soon miss."""
NOTICED_S = 120.0
"""So soon ranks miss a device that failed: some steps were under way, or did without it."""


def looks_back(one: Suspect) -> bool:
    """Tell what somebody asked for when all was over: a dump, or a row of a table of events."""
    return one.dumped or (one.sighting.raised is None and IN_A_TABLE.search(one.sighting.line.text) is not None)


def with_dumps_back(suspects: Sequence[Suspect], case: JobCase) -> list[Suspect]:
    """Let what stands in a dump count less: nothing tells it from older trouble but its clock."""
    return [
        looking_back(one, fact, case.own(fact.item)) if fact.dumped else one
        for one, fact in zip(suspects, case.facts, strict=True)
    ]


def looking_back(one: Suspect, fact: Fact, own: FailureReading) -> Suspect:
    """Note that a line looks back, whether the part was back at once, and whether the job soon stopped behind it."""
    factor = DUMPED_FACTOR * (BACK_FACTOR if fact.back else 1.0)
    maybe = fact.outlived and not fact.back and is_soon_missed(fact.item, own)
    return replace(one, dumped=True, maybe=maybe or (fact.back and not fact.outlived), score=one.score * factor)


def is_soon_missed(item: Sighting, own: FailureReading) -> bool:
    """Tell a device that its driver gave up shortly before the job's last step: hardly more were made without it."""
    if item.failure is None or item.failure.subcategory not in DEVICES or not is_hardware(item):
        return False
    last_s = last_life_s(item, own) if item.line.clock == "epoch" else None
    return last_s is not None and item.line.time_s is not None and 0 <= last_s - item.line.time_s <= NOTICED_S
