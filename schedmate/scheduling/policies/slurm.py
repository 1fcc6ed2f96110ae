"""Slurm as sites run it: multifactor priority with fair share, and EASY backfilling by the users' time limits."""

from bisect import insort
from collections.abc import Callable

from schedmate.clusters import LiveJob
from schedmate.scheduling.estimators import DurationEstimator
from schedmate.scheduling.policies.easy import Easy
from schedmate.scheduling.sites.multifactor import Priority
from schedmate.scheduling.view import ClusterView, Plan

ANEW_S = 300.0
"""How often priorities and use are worked out anew: Slurm's PriorityCalcPeriod."""


class Slurm(Easy):
    """EASY backfilling in the order of priorities; what runs is charged to its user while it runs."""

    name = "slurm"

    def __init__(
        self, limits: DurationEstimator, priority: Priority, partition: Callable[[LiveJob], str] = lambda job: ""
    ) -> None:
        super().__init__(limits)
        self.priority = priority
        self.partition = partition
        self.charged_s: dict[int, float] = {}
        """Up to when each running job has been charged."""
        self.ranked_s = -ANEW_S

    def decide(self, view: ClusterView) -> Plan:
        """Work priorities out anew now and then, and plan as EASY does."""
        for job in (*view.ended, *view.broken):
            self.charge(job, view.now_s)
            self.charged_s.pop(job.number, None)
        if view.now_s >= self.ranked_s + ANEW_S:
            self.ranked_s = view.now_s
            for job in view.running.values():
                self.charge(job, view.now_s)
            self.priority.shares.fade(view.now_s)
            self.queue = sorted((self.key(job, view), job.number, job) for _, _, job in self.queue)
        plan = super().decide(view)
        for job in view.running.values():
            self.charged_s.setdefault(job.number, view.now_s)
        return plan

    def enqueue(self, job: LiveJob, view: ClusterView) -> None:
        """Put a job where its priority of now is."""
        insort(self.queue, (self.key(job, view), job.number, job))

    def key(self, job: LiveJob, view: ClusterView) -> float:
        """Order by priority, the highest first."""
        return -self.priority.of(job, view.now_s, view.inventory.total_gpus, self.partition(job))

    def charge(self, job: LiveJob, now_s: float) -> None:
        """Charge the GPU time since the last charge."""
        since_s = self.charged_s.get(job.number)
        if since_s is not None and now_s > since_s:
            self.priority.shares.charge(job.account, job.user, job.gpus * (now_s - since_s))
            self.charged_s[job.number] = now_s
