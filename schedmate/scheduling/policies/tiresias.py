"""Tiresias with discretised two-dimensional least attained service (2D-LAS)."""

import math

from schedmate.clusters import LiveJob
from schedmate.scheduling.policies.srtf import walk_quota
from schedmate.scheduling.view import ClusterView, Plan


class Tiresias:
    """Two queues by attained GPU seconds, first come first served in each; rounds; nobody is promoted back."""

    name = "tiresias"

    def __init__(self, threshold_gpu_s: float = 18_000.0, round_s: float = 60.0) -> None:
        self.threshold_gpu_s = threshold_gpu_s
        self.round_s = round_s

    def decide(self, view: ClusterView) -> Plan:
        """Walk the high queue, then the low one, with the GPUs as a quota; only at the rounds."""
        plan = view.plan()
        if not view.pending:
            return plan
        now_s = view.now_s
        if now_s % self.round_s:
            plan.wake_at(self.next_round(now_s))
            return plan
        total = view.inventory.total_gpus
        jobs = [*view.running.values(), *view.pending.values()]
        high: list[LiveJob] = []
        low: list[LiveJob] = []
        for job in jobs:
            crowd = low if job.gpus * job.service_s(now_s) > self.threshold_gpu_s else high
            crowd.append(job)
        high.sort(key=number)
        low.sort(key=number)
        walk_quota(plan, high + low, total)
        if view.pending:
            self.plan_next_round(view, plan)
        return plan

    def next_round(self, time_s: float) -> float:
        """Give the first round at or after a time."""
        return math.ceil(time_s / self.round_s) * self.round_s

    def plan_next_round(self, view: ClusterView, plan: Plan) -> None:
        """Sleep until a round can differ: after a change, or once a running job has crossed the threshold."""
        now_s = view.now_s
        if plan.actions:
            plan.wake_at(now_s + self.round_s)
            return
        for job in view.running.values():
            left_s = self.threshold_gpu_s / job.gpus - job.service_s(now_s)
            if left_s >= 0:
                # It must have more than the threshold: a round at the very moment is one too early.
                plan.wake_at((math.floor((now_s + left_s) / self.round_s) + 1) * self.round_s)


def number(job: LiveJob) -> int:
    """Order by submit time, then id."""
    return job.number
