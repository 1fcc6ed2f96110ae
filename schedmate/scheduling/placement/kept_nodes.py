"""Nodes kept for one job that waits out of all proportion, while those who cannot be asked to leave run to their ends.

As in EASY backfilling others may begin there who are expected to be gone in time. What lies idle for it is bounded: a
cluster has so many GPU seconds a day for this, and a drain that would cost more than are left does not begin. Once all
who stay are expected to be gone in minutes, nobody else begins: one newcomer that never saves could take days.
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from schedmate.clusters import LiveJob
from schedmate.scheduling.placement.free_gpus import Pool
from schedmate.scheduling.placement.inventory import Inventory
from schedmate.scheduling.view import ClusterView

IDLE_SHARE = 0.05
DAY_S = 86_400.0

AGAIN_S = 60.0
"""Nodes that are not empty when they should be are chosen anew, but no sooner than after this."""
HOLD_S, HOLD_SHARE = 600.0, 0.05
"""Others are held back for so long at most, and for this part of all time."""
Length = Callable[[LiveJob, ClusterView], float]
"""How long a job that runs is expected to have run in the end."""
Firm = Callable[[str], list[tuple[float, int]]]
"""When GPUs of a node come free that nobody can be asked to leave: moments in ascending order, and how many."""


class Offer(NamedTuple):
    """Nodes that would do, when they would, and what lies idle until then."""

    until_s: float
    idle_gpu_s: float
    nodes: tuple[str, ...]


class Drain:
    """One job's nodes: closed to others but for those that are expected to be gone in time."""

    def __init__(self) -> None:
        self.job: LiveJob | None = None
        self.nodes: frozenset[str] = frozenset()
        self.until_s = 0.0
        self.idle_gpus: float = 0
        self.budget_gpu_s = 0.0
        self.since_s: float | None = None
        self.hold_s = HOLD_S
        """For how much longer others may be held back."""
        self.is_holding = False
        self.held_up_by = ""
        """The node on which somebody stayed for too long when it was last looked."""

    def account(self, view: ClusterView) -> None:
        """Pay for what lay idle since the last decision; the budget of a day is refilled evenly."""
        rate = IDLE_SHARE * view.inventory.total_gpus
        if self.since_s is None:
            self.budget_gpu_s = rate * DAY_S
        else:
            span_s = view.now_s - self.since_s
            self.hold_s = min(self.hold_s + (HOLD_SHARE - self.is_holding) * span_s, HOLD_S)
            self.budget_gpu_s = min(self.budget_gpu_s + (rate - self.idle_gpus) * span_s, rate * DAY_S)
        self.since_s = view.now_s
        self.idle_gpus = 0
        self.is_holding = False
        if self.job is not None and (view.pending.get(self.job.number) is not self.job or self.budget_gpu_s < 0):
            self.drop()

    def keep_for(self, job: LiveJob, view: ClusterView, firm: Firm, whole_s: Length) -> None:
        """Choose nodes for a job, the same ones for as long as they do; none where it would cost too much."""
        if self.job is job and view.now_s < self.until_s and view.inventory.has(self.nodes):
            return
        self.drop()
        offer = soonest(job, view, firm, view.barred_until(job))
        if offer is None:
            return
        if offer.idle_gpu_s <= self.budget_gpu_s or missed_gpu_s(offer, view, whole_s) <= self.budget_gpu_s:
            self.job, self.nodes = job, frozenset(offer.nodes)
            self.until_s = max(offer.until_s, view.now_s + AGAIN_S)

    def holds_back(self, view: ClusterView, firm: Firm) -> bool:
        """Tell whether nobody else may begin: who cannot be asked to leave is expected to be gone in minutes."""
        until_s = view.now_s + self.hold_s

        def holds_up(node: str) -> bool:
            ends = firm(node)
            return bool(ends) and ends[-1][0] > until_s

        if self.job is None or self.hold_s <= 0 or holds_up(self.held_up_by):
            return False
        self.held_up_by = next(filter(holds_up, self.nodes), "")
        self.is_holding = not self.held_up_by
        return self.is_holding

    def settle(self, inventory: Inventory, wanted_gpus: float) -> None:
        """Note what this decision leaves idle that others could have had."""
        self.idle_gpus = min(inventory.free_on(self.nodes), wanted_gpus)

    def drop(self) -> None:
        """Keep nothing any more."""
        self.job, self.nodes = None, frozenset()


def missed_gpu_s(offer: Offer, view: ClusterView, whole_s: Length) -> float:
    """Expect what others will miss beyond what the budget gains meanwhile.

    Who runs now is a sample of who would like to begin; those stay out who would not be gone in time.
    """
    span_s = offer.until_s - view.now_s
    wanted_gpu_s = sum(job.gpus * min(whole_s(job, view), span_s) for job in view.running.values())
    return min(offer.idle_gpu_s, wanted_gpu_s) - IDLE_SHARE * view.inventory.total_gpus * span_s


def soonest(job: LiveJob, view: ClusterView, firm: Firm, barred: Mapping[str, float] = {}) -> Offer | None:
    """Choose the nodes of one pool on which a job is expected to have room first; None if it never has.

    Where it is barred for now, it has room when that is over.
    """
    pools = [pool for pool in view.inventory.pools if job.kind in ("", pool.kind)]
    offers = [offer for pool in pools if (offer := of_pool(pool, job.gpus, view.now_s, firm, barred))]
    return min(offers, default=None)


def of_pool(pool: Pool, gpus: float, now_s: float, firm: Firm, barred: Mapping[str, float] = {}) -> Offer | None:
    """Choose whole nodes first, then one for the remainder."""
    up = {name: pool.per_node for name, slot in pool.slots.items() if pool.free[slot] >= 0}
    for slot, out in pool.out.items():
        up[pool.names[slot]] -= out.bit_count()
    ends = {name: [(barred[name], pool.per_node)] if name in barred else firm(name) for name in up}
    taken: list[tuple[float, float, str]] = []
    for wanted, count in pool.needs(gpus):
        chosen = {name for _, _, name in taken}
        may = {name: gpus - wanted for name, gpus in up.items() if name not in chosen and gpus >= wanted}
        ready = sorted((ready_s(ends[name], may[name], now_s), name) for name in may)
        if len(ready) < count:
            return None
        taken += [(at_s, wanted, name) for at_s, name in ready[:count]]
    until_s = max((at_s for at_s, _, _ in taken), default=now_s)
    idle = sum(idle_gpu_s(ends[name], wanted, now_s, until_s) for _, wanted, name in taken)
    return Offer(until_s, idle, tuple(name for _, _, name in taken))


def ready_s(ends: list[tuple[float, int]], may_stay: float, now_s: float) -> float:
    """Give when so few GPUs of a node are still held that there is room."""
    held = sum(gpus for _, gpus in ends)
    for end_s, gpus in ends:
        if held <= may_stay:
            break
        held -= gpus
        now_s = end_s
    return now_s


def idle_gpu_s(ends: list[tuple[float, int]], wanted: float, now_s: float, until_s: float) -> float:
    """Give what lies idle of a node where nothing new begins."""
    held = sum(gpus for _, gpus in ends)
    idle = max(wanted - held, 0) * (until_s - now_s)
    return idle + sum(gpus * (until_s - end_s) for end_s, gpus in ends if end_s < until_s)
