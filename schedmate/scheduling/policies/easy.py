"""EASY backfilling, as Slurm and PBS run it: by submission, and others go ahead who delay the first in no way.

Nobody is believed but the users: a job runs for as long as the limit that its user has set.
"""

from bisect import insort

from schedmate.clusters import LiveJob
from schedmate.clusters.jobs import Reach
from schedmate.scheduling.estimators import DurationEstimator
from schedmate.scheduling.placement.kept_nodes import Offer, soonest
from schedmate.scheduling.view import ClusterView, Plan

TESTED = 100
"""How many jobs behind the first are looked at, as Slurm's bf_max_job_test had it for long."""

ANEW_S = 600.0
"""How often the nodes that are kept are chosen anew."""


class Easy:
    """Keeps nodes for the first in the queue from the moment at which, by the limits, it has room there."""

    name = "easy"

    def __init__(self, limits: DurationEstimator, tested: int = TESTED) -> None:
        self.limits = limits
        self.tested = tested
        self.queue: list[tuple[float, int, LiveJob]] = []
        self.limit_s: dict[int, float] = {}
        self.head: LiveJob | None = None
        self.kept: Offer | None = None
        """The nodes that are kept for the head; None where it never has room."""
        self.anew_s = 0.0

    def decide(self, view: ClusterView) -> Plan:
        """Start from the head until one does not fit, then whoever is out of its way."""
        for job in view.ended:
            self.limit_s.pop(job.number, None)
        for job in view.arrived:
            self.limit_s[job.number] = self.limits.duration_s(job)
            self.enqueue(job, view)
        plan = view.plan()
        waiting = self.waiting()
        first = next((place for place, job in enumerate(waiting) if not plan.start(job)), None)
        if first is not None and first + 1 < len(waiting) and not view.inventory.is_full:
            self.keep_for(waiting[first], view)
            self.backfill(plan, waiting[first + 1 : first + 1 + self.tested])
        self.queue = [entry for entry in self.queue if view.pending.get(entry[1]) is entry[2]]
        return plan

    def enqueue(self, job: LiveJob, view: ClusterView) -> None:
        """Put a job behind those that came before it."""
        insort(self.queue, (job.submit_s, job.number, job))

    def waiting(self) -> list[LiveJob]:
        """Give who waits, from the head of the queue on."""
        return [job for _, _, job in self.queue]

    def ends(self, view: ClusterView) -> dict[str, list[tuple[float, int]]]:
        """Give for each node when GPUs come free there at the latest, in order, and how many."""
        found: dict[str, list[tuple[float, int]]] = {}
        cut_s: dict[tuple[str, int], float] = {}
        for job in view.running.values():
            if job.placement is None or (job.partner is not None and job.partner.number < job.number):
                continue
            end_s = max(job.started_s + self.limit_s.get(job.number, 0.0), view.now_s)
            for node, mask in job.placement.parts:
                if job.placement.piece:  # such a GPU is free when the last of those on it has ended
                    cut_s[node, mask] = max(end_s, cut_s.get((node, mask), 0.0))
                else:
                    found.setdefault(node, []).append((end_s, mask.bit_count()))
        for (node, _), end_s in cut_s.items():
            found.setdefault(node, []).append((end_s, 1))
        return {node: sorted(moments) for node, moments in found.items()}

    def keep_for(self, head: LiveJob, view: ClusterView) -> None:
        """Choose nodes for the head, and now and then anew: jobs that end before their limits can only hasten it."""
        late = self.kept is not None and self.kept.until_s <= view.now_s
        if self.head is head and not late and view.now_s < self.anew_s:
            return
        ends = self.ends(view)
        barred = view.barred_until(head)
        self.head, self.anew_s = head, view.now_s + ANEW_S
        self.kept = soonest(head, view, lambda node: ends.get(node, []), barred)

    def backfill(self, plan: Plan, others: list[LiveJob]) -> None:
        """Start others elsewhere, or on the nodes that are kept if they are gone in time."""
        inventory, kept, now_s = plan.view.inventory, self.kept, plan.view.now_s
        before = inventory.close(kept.nodes if kept is not None else ())
        left = start_past(plan, others)
        inventory.reopen(before)
        if kept is not None:
            start_past(plan, [job for job in left if now_s + self.limit_s[job.number] <= kept.until_s])


def start_past(plan: Plan, jobs: list[LiveJob]) -> list[LiveJob]:
    """Start who fits; give who does not. What is as large as one that did not fit does not fit either."""
    left: list[LiveJob] = []
    misfits: dict[tuple[str, Reach], float] = {}
    for job in jobs:
        shape = job.kind, job.reach
        if job.gpus >= misfits.get(shape, job.gpus + 1) or not plan.start(job):
            misfits[shape] = min(job.gpus, misfits.get(shape, job.gpus))
            left.append(job)
    return left
