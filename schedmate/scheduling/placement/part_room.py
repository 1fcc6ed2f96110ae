"""Whose parts of a cut GPU a newcomer's part may take, so that no further GPU has to be cut for it.

Others stay on that GPU, those too that were never seen to save: they would hold it anyway, while a GPU that is cut for
the newcomer is lost to whole jobs for as long as it runs.
"""

from collections.abc import Collection

from schedmate.clusters import LiveJob
from schedmate.scheduling.placement.displacing import HALF, NEVER, Tenant, Tenants, lost_s
from schedmate.scheduling.view import ClusterView


def givers(
    tenants: Tenants, job: LiveJob, rank_s: float, view: ClusterView, avoid: Collection[str] = ()
) -> list[LiveJob] | None:
    """Choose who goes from one cut GPU, those that are worth least; None where that makes room on none."""
    best: tuple[float, list[LiveJob]] = NEVER, []
    for pool in view.inventory.pools:
        for (slot, bit), held in pool.cuts.held.items() if job.kind in ("", pool.kind) else ():
            node = pool.names[slot]
            tenant = tenants.on_cut.get((node, bit))
            if tenant is None or node in avoid or not tenants.is_here(tenant):
                continue
            worth, going = 0.0, list[LiveJob]()
            for one_s, one in willing(tenants, tenant, rank_s, view):
                worth += 1 / one_s
                going.append(one)
                held -= one.placement.piece if one.placement is not None else 0
                if worth >= best[0]:
                    break
                if pool.cuts.cut.fit(held, job.gpus):
                    best = worth, going
                    break
    return best[1] or None


def willing(tenants: Tenants, tenant: Tenant, rank_s: float, view: ClusterView) -> list[tuple[float, LiveJob]]:
    """Give those of a GPU whose rank a newcomer's is below half of, with what they lose; the least worthy first."""
    ranked = sorted(((tenants.rank(one, view), -one.number, one) for one in tenant.jobs), reverse=True)
    return [(one_s, one) for one_s, _, one in ranked if rank_s + lost_s(one, view) <= HALF * one_s]
