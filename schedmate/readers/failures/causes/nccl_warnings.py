"""Walk back from the exception in which NCCL gave up to the warning in which it had said why."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import islice

from schedmate.readers.failures.lines.steps import is_progress
from schedmate.readers.failures.reading import FailureReading
from schedmate.readers.failures.sightings.catalogue_search import ready_entries
from schedmate.readers.failures.sightings.sighting import Sighting

WARNS = "NCCL WARN "
GAVE_UP = frozenset(
    f"distributed.nccl_{how}" for how in ("unhandled_system", "unhandled_cuda", "internal", "invalid_usage")
)
"""What says only which kind of call failed: NCCL logs the call itself before it returns."""
LINES_BACK = 60


def said_before(root: Sighting, readings: Sequence[FailureReading]) -> Sighting:
    """Give the first warning above that no entry knows, since the last step; one that is known speaks for itself."""
    if root.failure is None or root.failure.id not in GAVE_UP or WARNS in root.line.text:
        return root
    own, first = readings[root.source], root
    for raw in islice(own.log.lines_backward(root.start), LINES_BACK):
        if raw.start < own.attempt.start or is_progress((line := own.cleaner.take(raw)).text):
            break
        if WARNS not in line.text:
            continue
        if (found := ready_entries().match(line.text)) and not found[0].general:
            return root
        first = replace(root, number=raw.number, start=raw.start, line=line)
    return first
