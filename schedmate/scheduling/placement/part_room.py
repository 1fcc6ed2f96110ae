"""Whose parts of a cut GPU a newcomer's part may take, so that no further GPU has to be cut for it.

Others stay on that GPU, those too that were never seen to save: they would hold it anyway, while a GPU that is cut for
the newcomer is lost to whole jobs for as long as it runs.
"""

from collections.abc import Collection, Sequence

from schedmate.clusters import LiveJob
from schedmate.scheduling.placement.cut_gpus import Cut
from schedmate.scheduling.placement.displacing import AGAIN_S, HALF, NEVER, Tenant, Tenants, has_saved, lost_s
from schedmate.scheduling.view import ClusterView

Ranked = tuple[float, LiveJob]
"""A job, and the seconds that it has to go."""


def givers(
    tenants: Tenants, job: LiveJob, rank_s: float, view: ClusterView, avoid: Collection[str] = ()
) -> list[LiveJob] | None:
    """Choose who goes from one cut GPU, those that are worth least; None where that makes room on none.

    The row is walked from the least worthy on, and no further than until no GPU that was not looked at can cost less.
    """
    tenants.look(view)
    pools = [pool for pool in view.inventory.pools if job.kind in ("", pool.kind)]
    least, best = NEVER, list[LiveJob]()
    for negative_s, _, tenant in tenants.part_row.entries:
        if -negative_s * HALF < rank_s + AGAIN_S or -1 / negative_s >= least:
            break
        node, bit = tenant.placement.parts[0]
        pool = next((pool for pool in pools if node in pool.slots), None)
        held = pool.cuts.held.get((pool.slots[node], bit)) if pool is not None else None
        if pool is None or held is None or node in avoid or not tenants.is_here(tenant):
            continue
        going = enough(willing(tenants, tenant, rank_s, view), held, job.gpus, pool.cuts.cut)
        worth = sum(1 / one_s for one_s, _ in going)
        if going and worth < least:
            least, best = worth, [one for _, one in going]
    return best or None


def enough(ranked: Sequence[Ranked], held: int, part: float, cut: Cut) -> list[Ranked]:
    """Take so many from the first on that a part has room, and leave out again those that it can do without."""
    going = list[Ranked]()
    for one in ranked:
        going.append(one)
        held -= piece_of(one)
        if cut.fit(held, part):
            break
    else:
        return []
    for one in going[-2::-1]:
        if cut.fit(held + piece_of(one), part):
            held += piece_of(one)
            going.remove(one)
    return going


def piece_of(one: Ranked) -> int:
    """Give what a job holds of its GPU."""
    placement = one[1].placement
    return placement.piece if placement is not None else 0


def willing(tenants: Tenants, tenant: Tenant, rank_s: float, view: ClusterView) -> list[Ranked]:
    """Give those of a GPU in whose time to go a newcomer is done twice, and what they lose; the least worthy first."""
    ranked = [(tenants.rank(one, view), one) for one in tenant.jobs if has_saved(one, view)]
    ranked.sort(key=lambda one: (-one[0], one[1].number))
    return [(one_s, one) for one_s, one in ranked if rank_s + lost_s(one, view) <= HALF * one_s]
