"""A rank that says that its data ended, and others that then wait for it: no link between them is at fault."""

from collections.abc import Sequence
from dataclasses import replace

from schedmate.readers.failures.sightings.sighting import Sighting

LEFT, WAITED = "script.ran_out_of_data", "distributed.watchdog_timeout"
WEIGHT = 0.8


def with_early_leavers(items: Sequence[Sighting]) -> list[Sighting]:
    """Let the first that said so state the cause where ranks then waited in vain, and hardly any said the same."""
    waits = [item for item in items if item.failure and item.failure.id == WAITED]
    left = [item for item in items if item.failure and item.failure.id == LEFT]
    if not waits or not left or len(left) >= len(waits):
        return list(items)
    first = left[0]
    return [
        replace(item, failure=replace(item.failure, weight=WEIGHT)) if item is first and item.failure else item
        for item in items
    ]
