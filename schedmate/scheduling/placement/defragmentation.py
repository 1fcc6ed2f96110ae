"""Who could move together so that a larger job has room: GPUs may be free in plenty, and none of them side by side.

A job that moves goes on at once elsewhere, so that it loses no more than the stop: whoever was seen to save may be
asked, whatever it is worth, as long as all that is lost is little beside what the newcomer has to go.
"""

from collections.abc import Collection

from schedmate.clusters import LiveJob
from schedmate.scheduling.placement.displacing import HALF, NEVER, Clearing, Tenant, Tenants, loss_s
from schedmate.scheduling.placement.free_gpus import Pool
from schedmate.scheduling.view import ClusterView


def movers(
    tenants: Tenants, job: LiveJob, rank_s: float, view: ClusterView, avoid: Collection[str] = ()
) -> list[Tenant] | None:
    """Choose who moves so that a job has room; None where that would not help, or cost too much."""
    best: tuple[float, list[Tenant]] | None = None
    for pool in view.inventory.pools:
        if job.kind in ("", pool.kind) and pool.free_gpus >= job.gpus:
            found = in_pool(tenants, pool, job.gpus, view, avoid)
            if found is not None and (best is None or found[0] < best[0]):
                best = found
    return best[1] if best is not None and best[0] <= HALF * rank_s else None


def in_pool(
    tenants: Tenants, pool: Pool, gpus: float, view: ClusterView, avoid: Collection[str]
) -> tuple[float, list[Tenant]] | None:
    """Clear the nodes of a pool where fewest GPUs are held, if there is room on the others for all who move."""
    free = {name: pool.free[slot].bit_count() for name, slot in pool.slots.items() if pool.free[slot] >= 0}
    emptiest = sorted(((count, name) for name, count in free.items() if name not in avoid), reverse=True)
    chosen = dict[str, Clearing]()
    for each, wanted in pool.needs(gpus):
        wanted += len(chosen)
        for count, name in emptiest:
            if len(chosen) == wanted or each - count > pool.free_gpus:
                break
            if name not in chosen and (offer := clearing(tenants, name, each - count, view)) is not None:
                chosen[name] = offer
        if len(chosen) < wanted:
            return None
    moving = [tenant for offer in chosen.values() for tenant in offer.going]
    room = sorted(count for name, count in free.items() if count and name not in chosen and name not in avoid)
    return (sum(offer.cost for offer in chosen.values()), moving) if fit(moving, room) else None


def clearing(tenants: Tenants, node: str, missing: float, view: ClusterView) -> Clearing | None:
    """Choose who would go from a node, those first who lose least; None where that does not do."""
    if missing <= 0:
        return Clearing(0.0, node, ())
    alone = [one for one in tenants.on(node) if len(one.gpus_on) == 1 and tenants.is_here(one)]
    costs = sorted((loss_s(one, view) * len(one.jobs), one.number, one) for one in alone)
    chosen, lost_s, gpus = list[Tenant](), 0.0, 0
    for cost_s, _, tenant in costs:
        if gpus >= missing or cost_s == NEVER:
            break
        chosen.append(tenant)
        lost_s += cost_s
        gpus += tenant.gpus_on[node]
    return Clearing(lost_s, node, tuple(chosen)) if gpus >= missing else None


def fit(moving: list[Tenant], room: list[int]) -> bool:
    """Tell whether all find room, the largest first, each on the fullest node that will do."""
    for tenant in sorted(moving, key=lambda one: -sum(one.gpus_on.values())):
        gpus = sum(tenant.gpus_on.values())
        place = next((place for place, count in enumerate(room) if count >= gpus), None)
        if place is None:
            return False
        room[place] -= gpus
        room.sort()
    return True
