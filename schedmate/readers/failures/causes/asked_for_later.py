"""Know what somebody asked for when all was over, a dump or a table of events: its place in the log tells no time."""

import re
from collections.abc import Sequence
from dataclasses import replace

from schedmate.readers.failures.case import Fact, JobCase, Suspect

IN_A_TABLE = re.compile(r"^(?:\d{1,4}[smhd][\dsmh]{0,4} +)?(?:Warning|Normal) +[A-Z]\w+ +")
"""A row of the events that `kubectl` prints."""

DUMPED_FACTOR = 0.85
"""What stands in a dump."""
BACK_FACTOR = 0.5
"""What a dump says of a part that it also says was back at once."""


def looks_back(one: Suspect) -> bool:
    """Tell what somebody asked for when all was over: a dump, or a row of a table of events."""
    return one.dumped or (one.sighting.raised is None and IN_A_TABLE.search(one.sighting.line.text) is not None)


def with_dumps_back(suspects: Sequence[Suspect], case: JobCase) -> list[Suspect]:
    """Let what stands in a dump count less: nothing tells it from older trouble but its clock."""
    return [looking_back(one, fact) if fact.dumped else one for one, fact in zip(suspects, case.facts, strict=True)]


def looking_back(one: Suspect, fact: Fact) -> Suspect:
    """Note that a line looks back, and whether the part was back at once."""
    factor = DUMPED_FACTOR * (BACK_FACTOR if fact.back else 1.0)
    return replace(one, dumped=True, maybe=fact.back and not fact.outlived, score=one.score * factor)
