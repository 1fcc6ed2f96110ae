"""Find what the machine itself says, in its own log, of a fault that a rank states in another."""

from collections.abc import Sequence

from schedmate.knowledge.own_limits import blames_machine
from schedmate.readers.failures.causes.first_cause import CauseVerdict
from schedmate.readers.failures.hosts.rank_hosts import Whereabouts, without_domain
from schedmate.readers.failures.reading import FailureReading
from schedmate.readers.failures.sightings.sighting import Sighting
from schedmate.readers.failures.survival.kernel_dumps import by_machine

NEAR_S = 900.0

YEAR_S = 365 * 86_400.0
"""A kernel's stamp tells no year, so what is a whole year off is the same time."""


def machines_line(
    root: Sighting,
    verdict: CauseVerdict,
    readings: Sequence[FailureReading],
    rank: int | None,
    host: str,
    known: Whereabouts,
) -> Sighting | None:
    """Give the machine's line of the same fault: that of the rank's own process, else the only one that can be it."""
    own = readings[root.source]
    if not root.failure or not blames_machine(root.failure.category, root.failure.id):
        return None
    if by_machine(root, own.log, own.cleaner):
        return None
    seat = known.seats.get(rank) if rank is not None else None
    hosts = {without_domain(name) for name in (host, seat.host if seat else "") if name}
    lines = [
        one.sighting
        for one in verdict.suspects
        if not one.survived and is_of_same_kind(one.sighting, root) and is_machines_own(one.sighting, readings)
    ]
    lines = [item for item in lines if not (hosts and item.line.host) or without_domain(item.line.host) in hosts]
    by_pid = [item for item in lines if rank is not None and known.rank_of_pid(item.named.get("pid", "")) == rank]
    if not by_pid and rank is None:
        by_pid = [item for item in lines if known.has_ended(item.named.get("pid", ""))]
    if by_pid:
        return by_pid[0]
    near = [
        item
        for item in lines
        if is_near(item, root, own) and known.rank_of_pid(item.named.get("pid", "")) in (None, rank)
    ]
    places = {(item.line.host, item.named.get("pci")) for item in near}
    return near[0] if len(places) == 1 and not known.is_doubtful(near[0].named.get("pid", "")) else None


def is_of_same_kind(item: Sighting, root: Sighting) -> bool:
    """Tell a cause of the same sub-class."""
    return item is not root and item.failure is not None and item.failure.role == "root" and item.kind == root.kind


def is_machines_own(item: Sighting, readings: Sequence[FailureReading]) -> bool:
    """Tell what a kernel or a daemon wrote."""
    reading = readings[item.source]
    return by_machine(item, reading.log, reading.cleaner)


def is_near(item: Sighting, root: Sighting, own: FailureReading) -> bool:
    """Tell what happened about when the rank failed, by its own stamp or that of its last step; no without one."""
    when = root.line.time_s if root.line.clock == "epoch" else None
    if when is None:
        times = [mark.time_s for mark in own.marks if mark.start < root.start and mark.time_s is not None]
        when = times[-1] if times else None
    if when is None or item.line.time_s is None or item.line.clock != "epoch":
        return False
    apart_s = abs(item.line.time_s - when) % YEAR_S
    return min(apart_s, YEAR_S - apart_s) <= NEAR_S
