"""Whose place a job may take: on each node those who are worth least, and of the nodes the one that costs least.

What a running job is worth is how many jobs a second it promises to end: one over its rank. Only jobs that were seen to
save are asked to go, and what they lose by it counts as if the newcomer took so much longer.
"""

import heapq
from bisect import insort
from collections.abc import Callable, Collection
from typing import NamedTuple

from schedmate.clusters import LiveJob, Placement
from schedmate.scheduling.placement.free_gpus import Pool
from schedmate.scheduling.queueing.keyed_queue import KeyedQueue
from schedmate.scheduling.view import ClusterView

HALF = 0.5
"""A newcomer must be done in this part of what its victims have to go, so that nobody is pushed to and fro."""
AGAIN_S = 60.0
"""What stopping and starting costs at least."""
FRESH_S, FRESH = 60.0, 0.1
"""A rank is worked out anew after so long, or after this part of itself: it hardly changes before."""
MANY_LOOKS = 64
"""Looks that are over may lie about in this number, and as many again as there are tenants."""
NEVER = float("inf")

Choice = tuple[float, list["Tenant"]]
"""What is lost, and by whose going."""
NOBODY: Choice = (NEVER, [])


class Tenant:
    """One job, two that share, or all on a GPU that is cut, as far as making them go is concerned."""

    __slots__ = ("entry", "gpus_on", "jobs", "number", "part_entry", "placement", "rank_s")

    def __init__(self, jobs: tuple[LiveJob, ...], placement: Placement) -> None:
        self.jobs = jobs
        self.number = jobs[0].number
        self.placement = placement
        self.gpus_on: dict[str, int] = {}
        """Counted when it is listed by its nodes."""
        self.rank_s = 0.0
        """When it was last looked at; it stands in the row by this."""
        self.entry: tuple[float, int, Tenant] | None = None
        self.part_entry: tuple[float, int, Tenant] | None = None

    def __lt__(self, other: "Tenant") -> bool:
        """Order by number, where looks fall together."""
        return self.number < other.number


class Clearing(NamedTuple):
    """A node that could be cleared: what that costs, and who goes."""

    cost: float
    node: str
    going: tuple[Tenant, ...]


class Tenants:
    """Who runs where, and what they are worth; who may be asked to go stands in a row, the least worthy first."""

    def __init__(self, rank: Callable[[LiveJob, ClusterView], float]) -> None:
        self.rank = rank
        self.by_node: dict[str, list[Tenant]] = {}
        self.of: dict[int, Tenant] = {}
        """By the numbers of the jobs."""
        self.on_cut: dict[tuple[str, int], Tenant] = {}
        """By the GPU, if it is cut: a whole one comes free only when all have gone."""
        self.row: KeyedQueue[Tenant] = KeyedQueue()
        """Those who were seen to save, by what they had to go when they were last looked at, the most first."""
        self.part_row: KeyedQueue[Tenant] = KeyedQueue()
        """Those on a cut GPU of whom any was seen to save, by the most that one of these had to go."""
        self.looks: list[tuple[float, int, Tenant]] = []
        self.unseen: dict[int, Tenant] = {}
        """Not ranked yet."""
        self.spared: dict[int, float] = {}
        """Until when those are not asked to go whom nodes were emptied for."""
        self.unlisted: dict[int, Tenant] = {}
        """Not put under their nodes yet."""

    def enter(self, job: LiveJob) -> None:
        """Take in a job that has just got its place, or been left alone on it."""
        self.forget(job)
        if job.placement is None:
            return
        if job.placement.piece:
            beside = self.on_cut.get(job.placement.parts[0])
            if beside is not None:
                self.drop(beside)
            self.add(Tenant((*(beside.jobs if beside is not None else ()), job), job.placement))
            return
        if job.partner is not None:
            self.forget(job.partner)
        self.add(Tenant((job,) if job.partner is None else (job, job.partner), job.placement))

    def forget(self, job: LiveJob) -> None:
        """Drop a job that runs no more where it did, and its partner there; who has other parts of its GPU stays."""
        tenant = self.of.get(job.number)
        if tenant is None:
            return
        self.drop(tenant)
        left = tuple(one for one in tenant.jobs if one is not job) if tenant.placement.piece else ()
        if left:
            self.add(Tenant(left, tenant.placement))

    def add(self, tenant: Tenant) -> None:
        """Book a tenant; it is listed and ranked when somebody asks."""
        for one in tenant.jobs:
            self.of[one.number] = tenant
        if tenant.placement.piece:
            self.on_cut[tenant.placement.parts[0]] = tenant
        self.unlisted[tenant.number] = self.unseen[tenant.number] = tenant

    def drop(self, tenant: Tenant) -> None:
        """Take a tenant out of the books."""
        for one in tenant.jobs:
            self.of.pop(one.number, None)
        if tenant.placement.piece:
            self.on_cut.pop(tenant.placement.parts[0], None)
        if self.unlisted.pop(tenant.number, None) is None:
            for node in tenant.gpus_on:
                self.by_node[node].remove(tenant)
        self.unseen.pop(tenant.number, None)
        self.strike(tenant)

    def on(self, node: str) -> list[Tenant]:
        """Give who is on a node."""
        self.list_new()
        return self.by_node.get(node, [])

    def list_new(self) -> None:
        """List tenants under their nodes. Where nobody ever waits nobody asks, and who has left was never listed."""
        for tenant in self.unlisted.values():
            tenant.gpus_on = {name: mask.bit_count() for name, mask in tenant.placement.parts}
            for name in tenant.gpus_on:
                self.by_node.setdefault(name, []).append(tenant)
        self.unlisted.clear()

    def strike(self, tenant: Tenant) -> None:
        """Take a tenant out of the rows."""
        if tenant.entry is not None:
            self.row.remove(tenant.entry)
            tenant.entry = None
        if tenant.part_entry is not None:
            self.part_row.remove(tenant.part_entry)
            tenant.part_entry = None

    def look(self, view: ClusterView) -> None:
        """Rank those anew whose ranks have changed enough to matter."""
        self.list_new()
        due = list(self.unseen.values())
        self.unseen.clear()
        if len(self.looks) > 2 * len(self.of) + MANY_LOOKS:
            self.looks = [look for look in self.looks if self.is_here(look[2])]
            heapq.heapify(self.looks)
        while self.looks and self.looks[0][0] <= view.now_s:
            _, _, tenant = heapq.heappop(self.looks)
            if self.is_here(tenant):
                due.append(tenant)
        for tenant in due:
            self.strike(tenant)
            ranks = [self.rank(job, view) for job in tenant.jobs]
            saved = [one_s for one_s, job in zip(ranks, tenant.jobs, strict=True) if self.may_go(job, view)]
            rank_s = tenant.rank_s = min(ranks)
            if tenant.placement.piece and saved:
                tenant.part_entry = (-max(saved), tenant.number, tenant)
                self.part_row.add(tenant.part_entry)
            if len(saved) == len(ranks):
                tenant.entry = (-rank_s, tenant.number, tenant)
                self.row.add(tenant.entry)
            else:
                rank_s = min(rank_s, *(job.service_s(view.now_s) for job in tenant.jobs))
            heapq.heappush(self.looks, (view.now_s + max(FRESH_S, FRESH * rank_s), tenant.number, tenant))

    def spare(self, job: LiveJob, now_s: float, until_s: float) -> None:
        """Ask a job to go only later: the nodes that were emptied for it would fill with others who stay."""
        self.spared = {number: at_s for number, at_s in self.spared.items() if at_s > now_s}
        self.spared[job.number] = until_s

    def may_go(self, job: LiveJob, view: ClusterView) -> bool:
        """Tell whether a job may be asked to go."""
        return has_saved(job, view) and view.now_s >= self.spared.get(job.number, 0.0)

    def is_here(self, tenant: Tenant) -> bool:
        """Tell whether they are still who they were, where they were."""
        first, last = tenant.jobs[0], tenant.jobs[-1]
        if tenant.placement.piece:
            return self.on_cut.get(tenant.placement.parts[0]) is tenant and all(one.placement for one in tenant.jobs)
        together = first.partner is None if first is last else first.partner is last
        return together and first.placement is tenant.placement and self.of.get(first.number) is tenant

    def cheapest(
        self, job: LiveJob, rank_s: float, view: ClusterView, avoid: Collection[str] = ()
    ) -> list[LiveJob] | None:
        """Choose who goes so that a job has room; None where nobody will do."""
        self.look(view)
        least_s = (rank_s + AGAIN_S) / HALF
        if not self.row.entries or -self.row.entries[0][0] < least_s:
            return None
        pools = [pool for pool in view.inventory.pools if job.kind in ("", pool.kind)]
        choices = [self.in_pool(pool, job.gpus, rank_s, view, avoid) for pool in pools]
        worth, victims = min(choices, key=cost, default=NOBODY)
        return None if worth == NEVER else [one for tenant in victims for one in tenant.jobs]

    def in_pool(self, pool: Pool, gpus: float, rank_s: float, view: ClusterView, avoid: Collection[str]) -> Choice:
        """Choose nodes of a pool, one after the other for each part of a job, and who goes from them."""
        victims: dict[int, Tenant] = {}
        closed = set(avoid)
        for each, count in pool.needs(gpus):
            free = pool.with_room(each, count, closed)
            closed.update(free)
            found = None
            if each < pool.per_node:
                found = self.on_nodes(pool, each, count - len(free), rank_s, view, closed, spares_whole=True)
            if found is None:
                found = self.on_nodes(pool, each, count - len(free), rank_s, view, closed)
            if found is None:
                return NOBODY
            for _, node, going in found:
                closed.add(node)
                victims.update((tenant.number, tenant) for tenant in going)
        return sum(1 / tenant.rank_s for tenant in victims.values()), list(victims.values())

    def on_nodes(
        self,
        pool: Pool,
        gpus: float,
        missing: int,
        rank_s: float,
        view: ClusterView,
        avoid: Collection[str],
        spares_whole: bool = False,
    ) -> list[Clearing] | None:
        """Choose so many nodes, each with so many GPUs to be had.

        The row is walked from the least worthy on, and no further than until no node that was not looked at can cost
        less than those that were found. Nodes may be spared that can be had whole: should the newcomer turn out never
        to save, jobs that want a node would wait for it.
        """
        found: list[Clearing] = []
        seen = set[str]()
        for negative_s, _, tenant in self.row.entries if missing else ():
            if -negative_s * HALF < rank_s + AGAIN_S:
                break
            if len(found) >= missing and found[missing - 1].cost <= -1 / negative_s:
                break
            for node in tenant.gpus_on:
                if node in seen or node in avoid or (slot := pool.slots.get(node)) is None or pool.free[slot] < 0:
                    continue
                seen.add(node)
                if spares_whole and all(one.entry for one in self.on(node)):
                    continue
                choice = self.on_node(node, gpus - pool.free[slot].bit_count(), rank_s, view)
                if choice is not None:
                    insort(found, choice, key=cost)
        return None if len(found) < missing else found[:missing]

    def on_node(self, name: str, missing: float, rank_s: float, view: ClusterView) -> Clearing | None:
        """Choose from one node, the least worthy first."""
        here = [one for one in self.on(name) if one.entry and one.rank_s * HALF >= rank_s + AGAIN_S]
        if sum(one.gpus_on[name] for one in here) < missing:
            return None
        here.sort(key=lambda one: -one.rank_s)
        victims, worth = [], 0.0
        for tenant in here:
            if missing <= 0:
                break
            if rank_s + loss_s(tenant, view) > HALF * tenant.rank_s or not self.is_here(tenant):
                continue
            victims.append(tenant)
            worth += 1 / tenant.rank_s
            missing -= tenant.gpus_on[name]
        return Clearing(worth, name, tuple(victims)) if missing <= 0 else None

    def firm(
        self, name: str, view: ClusterView, ahead_s: Callable[[LiveJob, ClusterView], float]
    ) -> list[tuple[float, int]]:
        """List when those of a node are expected to end who cannot be asked to leave, the first first."""
        ends = []
        for tenant in self.on(name):
            if self.is_here(tenant) and not all(self.may_go(job, view) for job in tenant.jobs):
                at_s = view.now_s + max(ahead_s(job, view) for job in tenant.jobs)
                ends.append((at_s, tenant.gpus_on[name]))
        return sorted(ends)


def cost(choice: Choice | Clearing) -> float:
    """Order by what is lost."""
    return choice[0]


def loss_s(tenant: Tenant, view: ClusterView) -> float:
    """Give what stopping a tenant throws away; without end where it was never seen to save."""
    return max(lost_s(job, view) for job in tenant.jobs)


def has_saved(job: LiveJob, view: ClusterView) -> bool:
    """Tell whether a job was ever seen to save."""
    return view.progress(job).saved_s is not None


def lost_s(job: LiveJob, view: ClusterView) -> float:
    """Give what stopping one job throws away."""
    saved_s = view.progress(job).saved_s
    return NEVER if saved_s is None else max(view.now_s - saved_s, 0.0) + AGAIN_S
