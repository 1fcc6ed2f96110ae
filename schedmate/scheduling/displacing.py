"""Whose place a job may take: on each node those who are worth least, and of the nodes the one that costs least.

What a running job is worth is how many jobs a second it promises to end: one over its rank. Only jobs that were seen to
save are asked to go, and what they lose by it counts as if the newcomer took so much longer.
"""

from collections.abc import Callable, Collection

from schedmate.clusters import LiveJob
from schedmate.scheduling.inventory import Pool
from schedmate.scheduling.view import View

HALF = 0.5
"""A newcomer must be done in this part of what its victims have to go, so that nobody is pushed to and fro."""
AGAIN_S = 60.0
"""What stopping and starting costs at least."""
FRESH_S, FRESH = 60.0, 0.1
"""A rank is worked out anew after so long, or after this part of itself: it hardly changes before."""
Choice = tuple[float, list["Tenant"]]


class Tenant:
    """One job, or two that share, as far as making them go is concerned."""

    __slots__ = ("gpus_on", "jobs", "placement", "rank_s", "stale_s")

    def __init__(self, jobs: tuple[LiveJob, ...]) -> None:
        self.jobs = jobs
        self.placement = jobs[0].placement
        parts = () if self.placement is None else self.placement.parts
        self.gpus_on = {node: mask.bit_count() for node, mask in parts}
        self.rank_s = 0.0
        self.stale_s = -1.0


class Tenants:
    """Who runs where, and what they are worth."""

    def __init__(self, rank: Callable[[LiveJob, View], float]) -> None:
        self.rank = rank
        self.by_node: dict[str, list[Tenant]] = {}
        self.latest: dict[int, Tenant] = {}
        """As what each job was last seen: alone, or beside another."""
        self.most_s = 0.0
        """No rank is above this; found out now and then."""
        self.counted_s = -1.0

    def enter(self, job: LiveJob) -> None:
        """Take in a job that has just got its place, or been left alone on it."""
        if job.placement is None:
            return
        tenant = Tenant((job,) if job.partner is None else (job, job.partner))
        self.latest.update((one.number, tenant) for one in tenant.jobs)
        for node in tenant.gpus_on:
            self.by_node.setdefault(node, []).append(tenant)

    def cheapest(self, job: LiveJob, rank_s: float, view: View, avoid: Collection[str] = ()) -> list[LiveJob] | None:
        """Choose who goes so that a job has room; None where nobody will do."""
        if self.highest_s(view) * HALF < rank_s + AGAIN_S:
            return None
        best: Choice | None = None
        for pool in view.inventory.pools:
            if job.kind and pool.kind != job.kind:
                continue
            found = self.in_pool(pool, job.gpus, rank_s, view, avoid)
            if found is not None and (best is None or found[0] < best[0]):
                best = found
        return None if best is None else [one for tenant in best[1] for one in tenant.jobs]

    def highest_s(self, view: View) -> float:
        """Bound all ranks from above."""
        if not self.counted_s <= view.now_s < self.counted_s + FRESH_S:
            self.counted_s = view.now_s
            self.most_s = 0.0
            for name in [*self.by_node]:
                here = [tenant for tenant in self.by_node[name] if self.stays(tenant)]
                if not here:
                    del self.by_node[name]
                    continue
                self.by_node[name] = here
                self.most_s = max(self.most_s, max(self.rank_of(tenant, view) for tenant in here))
        return self.most_s

    def stays(self, tenant: Tenant) -> bool:
        """Tell whether they are still who they were, where they were."""
        first, last = tenant.jobs[0], tenant.jobs[-1]
        together = first.partner is None if first is last else first.partner is last
        return together and first.placement is tenant.placement and self.latest.get(first.number) is tenant

    def firm(self, name: str, view: View, ahead_s: Callable[[LiveJob, View], float]) -> list[tuple[float, int]]:
        """List when those of a node are expected to end who cannot be asked to leave, the first first."""
        ends = []
        for tenant in self.by_node.get(name, ()):
            if self.stays(tenant) and loss_s(tenant, view) == float("inf"):
                at_s = view.now_s + max(ahead_s(job, view) for job in tenant.jobs)
                ends.append((at_s, tenant.gpus_on[name]))
        return sorted(ends)

    def forget(self, job: LiveJob) -> None:
        """Drop a job that is over."""
        self.latest.pop(job.number, None)

    def rank_of(self, tenant: Tenant, view: View) -> float:
        """Give the rank of the one that is served sooner."""
        if tenant.stale_s < view.now_s:
            tenant.rank_s = min(self.rank(job, view) for job in tenant.jobs)
            tenant.stale_s = view.now_s + max(FRESH_S, FRESH * tenant.rank_s)
        return tenant.rank_s

    def in_pool(self, pool: Pool, gpus: int, rank_s: float, view: View, avoid: Collection[str]) -> Choice | None:
        """Look at the nodes of one pool: whole ones, then one for the remainder."""
        whole, rest = divmod(gpus, pool.per_node)
        if not whole:
            return min(self.options(pool, rest, rank_s, view, avoid), key=cost, default=None)
        options = sorted(self.options(pool, pool.per_node, rank_s, view, avoid), key=cost)
        wanted = whole + (1 if rest else 0)
        if len(options) < wanted:
            return None
        victims = {id(tenant): tenant for _, each in options[:wanted] for tenant in each}
        return sum(1 / tenant.rank_s for tenant in victims.values()), list(victims.values())

    def options(self, pool: Pool, gpus: int, rank_s: float, view: View, avoid: Collection[str]) -> list[Choice]:
        """Give what room would cost on each node where it can be had."""
        found = []
        for name, slot in pool.slots.items():
            if pool.free[slot] >= 0 and name not in avoid:
                missing = gpus - pool.free[slot].bit_count()
                choice = self.on_node(name, missing, rank_s, view)
                if choice is not None:
                    found.append(choice)
        return found

    def on_node(self, name: str, missing: int, rank_s: float, view: View) -> Choice | None:
        """Choose from one node, the least worthy first."""
        if missing <= 0:
            return 0.0, []
        least_s = (rank_s + AGAIN_S) / HALF
        here = [one for one in self.by_node.get(name, ()) if self.stays(one) and self.rank_of(one, view) >= least_s]
        if sum(one.gpus_on[name] for one in here) < missing:
            return None
        here.sort(key=lambda one: -one.rank_s)
        victims, worth = [], 0.0
        for tenant in here:
            if missing <= 0:
                break
            if rank_s + loss_s(tenant, view) > HALF * tenant.rank_s:
                continue
            victims.append(tenant)
            worth += 1 / tenant.rank_s
            missing -= tenant.gpus_on[name]
        return (worth, victims) if missing <= 0 else None


def cost(choice: Choice) -> float:
    """Order by what is lost."""
    return choice[0]


def loss_s(tenant: Tenant, view: View) -> float:
    """Give what stopping a tenant throws away; without end where it was never seen to save."""
    lost_s = AGAIN_S
    for job in tenant.jobs:
        saved_s = view.progress(job).saved_s
        if saved_s is None:
            return float("inf")
        lost_s = max(lost_s, view.now_s - saved_s + AGAIN_S)
    return lost_s
