"""Find since when a collective hung: the watchdog's time minus its time-out."""

import re
from collections.abc import Sequence

from schedmate.readers.failures.sightings.sighting import Sighting

WAITED = re.compile(
    r"ran for (?P<ran>\d{3,12}) milliseconds|Timeout\(ms\) ?= ?(?P<limit>\d{3,12})"
    r"|timeout[^\d]{0,12}(?P<plain>\d{3,12}) ?ms"
)


def waited_s(text: str) -> float | None:
    """Read how long a watchdog says it waited."""
    match = WAITED.search(text[:4000])
    if not match:
        return None
    return int(match["ran"] or match["limit"] or match["plain"]) / 1000.0


def stalled_since(sightings: Sequence[Sighting]) -> float | None:
    """Give the earliest moment at which some rank began to wait in vain."""
    moments = [
        item.line.time_s - wait
        for item in sightings
        if item.failure
        and item.failure.role != "root"
        and item.line.time_s is not None
        and item.line.clock == "epoch"
        and (wait := waited_s(item.line.text)) is not None
    ]
    return min(moments, default=None)
