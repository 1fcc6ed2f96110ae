"""Quasi-shortest service first (Helios): by predicted GPU time, without preemption."""

import heapq
from collections.abc import Iterable

from schedmate.clusters import LiveJob
from schedmate.scheduling.estimators import DurationEstimator
from schedmate.scheduling.view import ClusterView, Plan


class Qssf:
    """By predicted duration x GPUs when anyone waits from before; else the smallest request first."""

    name = "qssf"

    def __init__(self, estimator: DurationEstimator) -> None:
        self.estimator = estimator
        self.heap: list[tuple[float, float, int]] = []

    def decide(self, view: ClusterView) -> Plan:
        """Start from the head of the queue until one does not fit."""
        plan = view.plan()
        fresh = sorted(view.arrived, key=lambda job: (job.gpus, job.number))
        if not self.heap:
            # Nobody waits, so nobody needs a prediction: this is how the published form saves its model's time.
            while fresh and plan.start(fresh[0]):
                fresh.pop(0)
            if fresh:
                self._queue(fresh)
            return plan
        self._queue(fresh)
        while self.heap:
            job = view.pending.get(self.heap[0][2])
            if job is not None and not plan.start(job):
                break
            heapq.heappop(self.heap)
        return plan

    def _queue(self, jobs: Iterable[LiveJob]) -> None:
        for job in jobs:
            heapq.heappush(self.heap, (self.estimator.duration_s(job) * job.gpus, job.gpus, job.number))
