"""Shortest remaining time first: preemptive, by what an estimator says is left."""

from schedmate.clusters import LiveJob
from schedmate.clusters.simulation.restart_cost import Saving
from schedmate.scheduling.estimators import DurationEstimator
from schedmate.scheduling.view import ClusterView, Plan


class Srtf:
    """Walk all jobs by remaining time with the GPUs as a quota; who falls outside is preempted.

    The published form decides every second. Nothing but arrivals, ends and its own last decision can change the
    outcome (a running job only ever moves ahead of waiting ones, which never changes who fits), so it asks to be called
    again one tick after a decision that changed something, and else not.
    """

    name = "srtf"

    def __init__(self, estimator: DurationEstimator, restart: Saving, tick_s: float = 1.0) -> None:
        self.estimator = estimator
        self.restart = restart
        self.tick_s = tick_s
        self.total_s: dict[int, float] = {}

    def remaining_s(self, job: LiveJob, now_s: float) -> float:
        """Count the restarts that were paid for as work that was added."""
        if job.number not in self.total_s:  # it ran before this policy was asked
            self.total_s[job.number] = self.estimator.duration_s(job)
        return (
            self.total_s[job.number]
            + job.preemptions * self.restart.cost_s(job.number, job.gpus)
            - job.service_s(now_s)
        )

    def decide(self, view: ClusterView) -> Plan:
        """Let the jobs with the least left hold the GPUs."""
        for job in view.arrived:
            if job.number not in self.total_s:
                self.total_s[job.number] = self.estimator.duration_s(job)
        for job in view.ended:
            self.total_s.pop(job.number, None)
        plan = view.plan()
        if not view.pending:
            return plan
        now_s = view.now_s
        # Waiting jobs go first among equals, as in the published form.
        jobs = [(self.remaining_s(job, now_s), 0, job.number, job) for job in view.pending.values()]
        jobs += [(self.remaining_s(job, now_s), 1, job.number, job) for job in view.running.values()]
        jobs.sort()
        walk_quota(plan, [job for *_, job in jobs], view.inventory.total_gpus)
        if plan.actions and view.pending:
            plan.wake_at(now_s + self.tick_s)
        return plan


def walk_quota(plan: Plan, jobs: list[LiveJob], quota: int) -> None:
    """Grant GPUs in this order, skipping who wants more than is left; preempt the others, then start who waits."""
    chosen, victims = [], []
    for job in jobs:
        if job.gpus <= quota:
            quota -= job.gpus
            if job.placement is None:
                chosen.append(job)
        elif job.placement is not None:
            victims.append(job)
    for job in victims:
        plan.preempt(job)
    for job in chosen:
        # Quota is not a place: a consolidated one may be missing, and the job waits on.
        plan.start(job)
