"""Nodes set aside for one job that has waited too long: others may use them only as long as it could not anyway.

Expectations choose the nodes and the moment from which nothing new begins there. That moment never moves, and what runs
then ends some day: so the wait is bounded, however wrong anybody's expectations are.
"""

from collections.abc import Iterable, Mapping

from schedmate.clusters import LiveJob, Placement
from schedmate.scheduling.inventory import Inventory, Pool
from schedmate.scheduling.view import View


class Reservation:
    """The nodes of one job; they are in the inventory only while that job looks for its place."""

    def __init__(self) -> None:
        self.job: LiveJob | None = None
        self.nodes: tuple[str, ...] = ()
        self.until_s = 0.0
        """When the job is expected to have its place; jobs that end before may still begin on the nodes."""
        self.withheld: list[Placement] = []

    def keep_for(self, job: LiveJob, view: View, expected_s: Mapping[int, float]) -> bool:
        """Set nodes aside, the same ones for as long as they are there; False if no nodes would ever do."""
        if self.job is not job or not self.nodes or not all(has(view.inventory, node) for node in self.nodes):
            self.job, (self.until_s, self.nodes) = job, soonest(job, view, expected_s)
        for node in self.nodes:
            if (free := view.inventory.withhold(node)) is not None:
                self.withheld.append(free)
        return bool(self.nodes)

    def reopen(self, inventory: Inventory) -> None:
        """Give back what nobody may have: the books are whole outside of a decision."""
        for free in self.withheld:
            inventory.give(free)
        self.withheld.clear()

    def drop(self) -> None:
        """Set nothing aside any more."""
        self.job, self.nodes = None, ()

    def covers(self, placement: Placement | None) -> bool:
        """Tell whether a place lies on these nodes."""
        return placement is not None and any(node in self.nodes for node, _ in placement.parts)


def has(inventory: Inventory, node: str) -> bool:
    """Tell whether a node is up."""
    return any(node in pool.slots and pool.free[pool.slots[node]] >= 0 for pool in inventory.pools)


def soonest(job: LiveJob, view: View, expected_s: Mapping[int, float]) -> tuple[float, tuple[str, ...]]:
    """Choose the nodes of one pool that are expected to have room for a job first, and when; none if it cannot fit."""
    ends = ends_by_node(view.running.values(), view.now_s, expected_s)
    best: tuple[float, tuple[str, ...]] | None = None
    for pool in view.inventory.pools:
        if job.kind and pool.kind != job.kind:
            continue
        chosen = nodes_of(pool, job.gpus, ends, view.now_s)
        if chosen is not None and (best is None or chosen < best):
            best = chosen
    return (0.0, ()) if best is None else best


def nodes_of(
    pool: Pool, gpus: int, ends: Mapping[str, list[tuple[float, int]]], now_s: float
) -> tuple[float, tuple[str, ...]] | None:
    """Give the moment at which a pool has room, and the nodes: whole ones first, then one for the remainder."""
    whole, rest = divmod(gpus, pool.per_node)
    wants = [pool.per_node] * whole + ([rest] if rest else [])
    names, last_s = list[str](), now_s
    for want, count in ((pool.per_node, whole), (rest, len(wants) - whole)):
        if not count:
            continue
        open_s = [
            (at_s, -pool.free[slot].bit_count(), name)
            for name, slot in pool.slots.items()
            if pool.free[slot] >= 0 and name not in names
            for at_s in [room_s(pool.free[slot].bit_count(), want, ends.get(name, []), now_s)]
            if at_s is not None
        ]
        if len(open_s) < count:
            return None
        taken = sorted(open_s)[:count]
        names += [name for _, _, name in taken]
        last_s = max(last_s, taken[-1][0])
    return last_s, tuple(names)


def room_s(free: int, wanted: int, ends: list[tuple[float, int]], now_s: float) -> float | None:
    """Give when a node has so many GPUs free; None when it never has."""
    if free >= wanted:
        return now_s
    for end_s, gpus in ends:
        free += gpus
        if free >= wanted:
            return end_s
    return None


def ends_by_node(
    running: Iterable[LiveJob], now_s: float, expected_s: Mapping[int, float]
) -> dict[str, list[tuple[float, int]]]:
    """List when GPUs of each node are expected to come free."""
    ends: dict[str, list[tuple[float, int]]] = {}
    for job in running:
        if job.placement is None or (job.partner is not None and job.partner.number < job.number):
            continue
        for node, mask in job.placement.parts:
            at_s = end_s(job, now_s, expected_s.get(job.number, 0.0))
            ends.setdefault(node, []).append((at_s, mask.bit_count()))
    for each in ends.values():
        each.sort()
    return ends


def end_s(job: LiveJob, now_s: float, expected_s: float) -> float:
    """Say when a running job is expected to end; who is overdue may run as long again as it has."""
    at_s = job.started_s + expected_s
    return at_s if at_s >= now_s else 2 * now_s - job.started_s
