"""A rank that says that its data ended, and others that then wait for it: no link between them is at fault."""

from collections.abc import Sequence
from dataclasses import replace

from schedmate.readers.failures.case import JobCase
from schedmate.readers.failures.reading import FailureReading
from schedmate.readers.failures.sightings.sighting import Sighting
from schedmate.tools.late_patterns import late_re2

LEFT = "script.ran_out_of_data"
WAITED = frozenset({"distributed.watchdog_timeout", "distributed.nccl_remote_error", "distributed.nccl_peer_closed"})
WEIGHT, LAST_STEPS = 0.8, 3

GOES_ON = late_re2(
    r"(?i)\b(?:start(?:s|ing)?|begin(?:s|ning)?|next epoch|again|wrap(?:s|ping)|re-?shuffl\w+|restart\w*)\b"
)
"""How a rank says that it takes its data from the start."""


def with_early_leavers(items: Sequence[Sighting], case: JobCase) -> list[Sighting]:
    """Let the first that said so state the cause where ranks then waited in vain, and hardly any said the same."""
    waits = [item for item in items if item.failure and item.failure.id in WAITED]
    said = (item for item in items if item.failure and item.failure.id == LEFT)
    left = [item for item in said if is_at_the_end(item, case.own(item)) and not GOES_ON.search(item.line.text)]
    if not waits or not left or len(left) >= len(waits):
        return list(items)
    first = left[0]
    return [
        replace(item, failure=item.failure._replace(weight=WEIGHT)) if item is first and item.failure else item
        for item in items
    ]


def is_at_the_end(item: Sighting, own: FailureReading) -> bool:
    """Tell what was said behind the last steps: what was said at the end of an epoch before has no part in it."""
    return len(own.later_marks(item)) <= LAST_STEPS
