"""Who starts a service only tells that it ended: what the service itself said at that moment says why."""

from collections.abc import Iterable

from schedmate.readers.failures.sightings.sighting import Sighting
from schedmate.tools.late_patterns import late_re2

STARTER = late_re2(r"\bsystemd\[\d+\]: ")
"""How who starts services signs what he tells of them."""
SAME_MOMENT_S = 5.0


def of_service_itself(first: Sighting, same: Iterable[Sighting]) -> Sighting:
    """Give what a service said of the same fault on its host as it ended, in place of its starter's word."""
    own = [other for other in same if tells_less(first, other)]
    return min(own, key=lambda item: item.place, default=first)


def tells_less(first: Sighting, other: Sighting) -> bool:
    """Tell a starter's word beside what another says of the same host, entry and moment."""
    line, at = other.line, first.line
    if line.time_s is None or at.time_s is None or (line.host, line.clock) != (at.host, at.clock):
        return False
    same = first.failure is not None and other.failure is not None and first.failure.id == other.failure.id
    told = STARTER.search(at.text) is not None and STARTER.search(line.text) is None
    return same and told and line.rank is None and abs(line.time_s - at.time_s) <= SAME_MOMENT_S
