"""Tiresias with discretised two-dimensional least attained service (2D-LAS)."""

import heapq
import math
from bisect import bisect_left

from schedmate.clusters import LiveJob
from schedmate.scheduling.policies.quota import Entry, QuotaRows, all_fit, walk_past
from schedmate.scheduling.view import ClusterView, Plan

HIGH, LOW = 0.0, 1.0
ROUNDING_S = 1e-6


class Tiresias:
    """Two queues by attained GPU seconds, first come first served in each; rounds; nobody is promoted back."""

    name = "tiresias"

    def __init__(self, threshold_gpu_s: float = 18_000.0, round_s: float = 60.0) -> None:
        self.threshold_gpu_s = threshold_gpu_s
        self.round_s = round_s
        self.rows = QuotaRows()
        """By queue, then submission."""
        self.crossings: list[tuple[float, int, float, LiveJob]] = []
        """When running jobs of the high queue will have had the threshold; with when their runs began."""

    def decide(self, view: ClusterView) -> Plan:
        """Walk the high queue, then the low one, with the GPUs as a quota; only at the rounds."""
        rows = self.rows
        rows.take_in(view, self.book)
        plan = view.plan()
        if not view.pending:
            return plan
        now_s = view.now_s
        if now_s % self.round_s:
            plan.wake_at(self.next_round(now_s))
            return plan
        if all_fit(view):
            rows.is_kept = False
            for _, _, job in sorted((self.is_low(job, now_s), job.number, job) for job in view.pending.values()):
                plan.start(job)
        else:
            self.keep_rows(view)
            self.demote(view)

            def came_before(entry: Entry, place: int) -> int:
                return bisect_left(rows.running.entries, entry, place)

            for job in walk_past(plan, rows, came_before):
                self.book(job, view)
        if view.pending:
            self.plan_next_round(view, plan)
        return plan

    def keep_rows(self, view: ClusterView) -> None:
        """Book everybody, unless that was done."""
        if not self.rows.is_kept:
            self.crossings.clear()
            self.rows.begin(view, self.book)

    def book(self, job: LiveJob, view: ClusterView) -> None:
        """Put a job into the rows where it belongs now, if any."""
        rows = self.rows
        rows.waiting.drop(job)
        rows.running.drop(job)
        queue = LOW if self.is_low(job, view.now_s) else HIGH
        if view.pending.get(job.number) is job:
            rows.waiting.put(queue, job)
        elif view.running.get(job.number) is job:
            rows.running.put(queue, job)
            if queue == HIGH:
                cross_s = view.now_s + self.left_s(job, view.now_s)
                heapq.heappush(self.crossings, (cross_s, job.number, job.started_s, job))

    def is_low(self, job: LiveJob, now_s: float) -> bool:
        """Tell whether a job has had more than the threshold."""
        return job.gpus * job.service_s(now_s) > self.threshold_gpu_s

    def left_s(self, job: LiveJob, now_s: float) -> float:
        """Give how long a job may run until it has had the threshold."""
        return self.threshold_gpu_s / job.gpus - job.service_s(now_s)

    def demote(self, view: ClusterView) -> None:
        """Move those to the low queue that have crossed the threshold."""
        early = []
        while self.crossings and self.crossings[0][0] <= view.now_s + ROUNDING_S:
            entry = heapq.heappop(self.crossings)
            job = entry[3]
            if not self.still_runs(entry, view):
                continue
            if self.is_low(job, view.now_s):
                self.book(job, view)
            else:
                early.append(entry)
        for entry in early:
            heapq.heappush(self.crossings, entry)

    def still_runs(self, entry: tuple[float, int, float, LiveJob], view: ClusterView) -> bool:
        """Tell whether it is still the run of which a crossing was written down."""
        _, number, started_s, job = entry
        return view.running.get(number) is job and job.started_s == started_s

    def next_round(self, time_s: float) -> float:
        """Give the first round at or after a time."""
        return math.ceil(time_s / self.round_s) * self.round_s

    def plan_next_round(self, view: ClusterView, plan: Plan) -> None:
        """Sleep until a round can differ: once a running job has crossed the threshold.

        Who was stopped keeps its place, so that a change alone lets nobody in, unless a site has limits.
        """
        now_s = view.now_s
        if view.rules is not None and plan.actions:
            plan.wake_at(now_s + self.round_s)
            return
        self.keep_rows(view)
        while self.crossings and not self.still_runs(self.crossings[0], view):
            heapq.heappop(self.crossings)
        if self.crossings:
            left_s = max(self.left_s(self.crossings[0][3], now_s), 0.0)
            # It must have more than the threshold: a round at the very moment is one too early.
            plan.wake_at((math.floor((now_s + left_s) / self.round_s) + 1) * self.round_s)
