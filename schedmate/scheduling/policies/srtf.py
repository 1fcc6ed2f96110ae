"""Shortest remaining time first: preemptive, by what an estimator says is left."""

from bisect import bisect_left

from schedmate.clusters import LiveJob
from schedmate.clusters.simulation.restart_cost import Saving
from schedmate.scheduling.estimators import DurationEstimator
from schedmate.scheduling.policies.quota import Entry, QuotaRows, all_fit, walk_past
from schedmate.scheduling.view import ClusterView, Plan


class Srtf:
    """Walk all jobs by remaining time with the GPUs as a quota; who falls outside is preempted.

    The published form decides every second. Nothing but arrivals and ends can change the outcome: a running job only
    ever moves ahead of waiting ones, one that was stopped falls behind, and neither changes who fits. Only where a site
    has limits may a stop let somebody in, and then it asks to be called again one tick later.
    """

    name = "srtf"

    def __init__(self, estimator: DurationEstimator, restart: Saving, tick_s: float = 1.0) -> None:
        self.estimator = estimator
        self.restart = restart
        self.tick_s = tick_s
        self.total_s: dict[int, float] = {}
        self.rows = QuotaRows()
        """Who waits by remaining time, who runs by when it will be done: both stand still meanwhile."""

    def remaining_s(self, job: LiveJob, now_s: float) -> float:
        """Count the restarts that were paid for as work that was added."""
        if job.number not in self.total_s:
            self.total_s[job.number] = self.estimator.duration_s(job)
        return (
            self.total_s[job.number]
            + job.preemptions * self.restart.cost_s(job.number, job.gpus)
            - job.service_s(now_s)
        )

    def decide(self, view: ClusterView) -> Plan:
        """Let the jobs with the least left hold the GPUs."""
        rows, now_s = self.rows, view.now_s
        rows.take_in(view, self.book)
        for job in view.ended:
            self.total_s.pop(job.number, None)
        plan = view.plan()
        if not view.pending:
            return plan
        if all_fit(view):
            rows.is_kept = False
            for _, _, job in sorted((self.remaining_s(job, now_s), job.number, job) for job in view.pending.values()):
                plan.start(job)
        else:
            rows.begin(view, self.book)

            def done_before(entry: Entry, least: int) -> int:
                running, left_s = rows.running.entries, entry[0]
                place = bisect_left(running, (left_s + now_s,), least)
                # Rounding may have put it one off.
                while place > least and running[place - 1][0] - now_s >= left_s:
                    place -= 1
                while place < len(running) and running[place][0] - now_s < left_s:
                    place += 1
                return place

            # Those who will be done before the first that waits keep what they have; it goes first among equals.
            for job in walk_past(plan, rows, done_before):
                self.book(job, view)
        if view.rules is not None and plan.actions and view.pending:
            plan.wake_at(now_s + self.tick_s)
        return plan

    def book(self, job: LiveJob, view: ClusterView) -> None:
        """Put a job into the row where it belongs now, if any."""
        self.rows.waiting.drop(job)
        self.rows.running.drop(job)
        if view.pending.get(job.number) is job:
            self.rows.waiting.put(self.remaining_s(job, view.now_s), job)
        elif view.running.get(job.number) is job:
            self.rows.running.put(self.remaining_s(job, view.now_s) + view.now_s, job)
