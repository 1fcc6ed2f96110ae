"""Shortest job first: by the duration that an estimator gives; with the oracle it is the published baseline."""

from schedmate.clusters import LiveJob
from schedmate.scheduling.estimators import DurationEstimator
from schedmate.scheduling.queueing.queues import Queue
from schedmate.scheduling.view import ClusterView, Plan


class Sjf:
    """Head-of-line blocking, no preemption."""

    name = "sjf"

    def __init__(self, estimator: DurationEstimator) -> None:
        self.queue = Queue(estimator.duration_s)

    def decide(self, view: ClusterView) -> Plan:
        """Start the shortest first, until one does not fit."""
        self.queue.extend(view.arrived)
        plan = view.plan()
        self.queue.start_in_order(plan.start)
        return plan

    def waiting(self) -> list[LiveJob]:
        """Give who waits, from the head of the queue on."""
        return self.queue.in_order()
