"""Where a waiting job stands: who is before it, what it waits for, when it is expected to start."""

import copy
import heapq
from collections.abc import Callable, Collection, Sequence
from typing import Protocol, runtime_checkable

from schedmate.clusters import LiveJob, Placement
from schedmate.counts import how_many
from schedmate.scheduling.live.messages import QueuedJob, Standing
from schedmate.scheduling.placement.inventory import Inventory
from schedmate.scheduling.policies.schedmate import SchedMate
from schedmate.scheduling.view import ClusterView
from schedmate.scheduling.virtual_cluster import VirtualCluster

Expected = Callable[[LiveJob], float]

SHOWN = 5
"""How many of those before it are named."""
MOST_BEFORE, MOST_TURNS = 300, 1_000
"""Jobs before it, and ends, that are played through to say when: the loop has other work. Beyond, nobody knows."""


@runtime_checkable
class Ordered(Protocol):
    """A policy that can tell in which order it looks at those that wait."""

    def waiting(self) -> Sequence[LiveJob]: ...


def standing(
    job: LiveJob, part: VirtualCluster, expected: Expected, knows: Callable[[LiveJob], bool] = lambda job: True
) -> Standing:
    """Put together what a user wants to know of a job that waits; a guess without any ground is not told."""
    view, policy = part.view, part.policy
    order = list(policy.waiting()) if isinstance(policy, Ordered) else None
    place = order.index(job) if order is not None and job in order else None
    before = order[:place] if order is not None and place is not None else []
    known = all(knows(one) for one in (*before, *view.running.values()))
    return {
        "policy": policy.name,
        "waiting": len(view.pending),
        "position": None if place is None else place + 1,
        "before": [described(one, view.now_s, expected, knows) for one in before[:SHOWN]],
        "expected_s": expected(job) if knows(job) else None,
        "waits_for": waits_for(job, part),
        "expected_start_in_s": None if place is None or not known else start_in_s(job, before, view, expected),
    }


def end_s(job: LiveJob, now_s: float, expected_s: float) -> float:
    """Say when a running job is expected to end; who is overdue may run as long again as it has."""
    at_s = job.started_s + expected_s
    return at_s if at_s >= now_s else 2 * now_s - job.started_s


def described(job: LiveJob, now_s: float, expected: Expected, knows: Callable[[LiveJob], bool]) -> QueuedJob:
    """Give what orders a job."""
    return {
        "job": job.number, "job_id": job.job_id, "name": job.name, "user": job.user, "slots": int(job.gpus),
        "expected_s": expected(job) if knows(job) else None,
        "waited_s": max(0.0, now_s - job.submit_s - job.served_s),
    }  # fmt: skip


def waits_for(job: LiveJob, part: VirtualCluster) -> str:
    """Say what is missing now."""
    view, policy = part.view, part.policy
    avoid = view.avoided(job)
    if isinstance(policy, SchedMate) and policy.drain.job is not None:
        nodes = ", ".join(sorted(policy.drain.nodes))
        if policy.drain.job is job:
            return f"{nodes} to be empty enough: kept for it, because it waits most out of proportion"
        if fits(view.inventory, job, avoid):
            return f"a place beside {nodes}, kept for job {policy.drain.job.job_id}, which waits more out of proportion"
    pools = [pool for pool in view.inventory.pools if job.kind in ("", pool.kind)]
    free, total = sum(pool.free_gpus for pool in pools), sum(pool.total_gpus for pool in pools)
    if total < job.gpus:
        return f"{how_many(job.gpus, 'slot')}; the nodes that take jobs have {total}"
    if fits(view.inventory, job, avoid):
        return "those before it"
    if avoid and fits(view.inventory, job, ()):
        return f"a place elsewhere than on {', '.join(sorted(avoid))}: it failed there, or its user excluded them"
    most = max((count for pool in pools for count, nodes in enumerate(pool.buckets) if nodes), default=0)
    scattered = f", {most} at most on one node" if free >= job.gpus else ""
    return f"{how_many(job.gpus, 'slot')} together; {free} of {total} are free{scattered}"


def fits(inventory: Inventory, job: LiveJob, avoid: Collection[str]) -> bool:
    """Tell whether there is room now, without some nodes; the books are left as they are."""
    placement = inventory.place_off(avoid, job.gpus, job.kind)
    if placement is not None:
        inventory.give(placement)
    return placement is not None


def start_in_s(job: LiveJob, before: Sequence[LiveJob], view: ClusterView, expected: Expected) -> float | None:
    """Play what runs and what is before the job through, each for as long as is expected; None if it never ends."""
    if len(before) > MOST_BEFORE:
        return None
    inventory, now_s = copy.deepcopy(view.inventory), view.now_s
    ends: list[tuple[float, int, Placement]] = []
    for one in view.running.values():
        if one.placement is not None and (one.partner is None or one.partner.number > one.number):
            ends.append((end_s(one, view.now_s, expected(one)), one.number, one.placement))
    heapq.heapify(ends)
    queue = [*before, job]
    for _ in range(MOST_TURNS):
        misfit, left = float(1 << 60), list[LiveJob]()
        for one in queue:
            placement = inventory.place(one.gpus, one.kind) if one.gpus < misfit else None
            if placement is None:
                misfit = min(misfit, one.gpus) if not one.kind else misfit
                left.append(one)
            elif one is job:
                return now_s - view.now_s
            else:
                heapq.heappush(ends, (now_s + expected(one), one.number, placement))
        queue = left
        if not ends:
            return None
        now_s, _, placement = heapq.heappop(ends)
        inventory.give(placement)
    return None
