"""First in, first out: by submission, and nobody overtakes a job that does not fit."""

from schedmate.clusters import LiveJob
from schedmate.scheduling.queueing.queues import Queue
from schedmate.scheduling.view import ClusterView, Plan


def by_submission(job: LiveJob) -> float:
    """Order by submit time."""
    return job.submit_s


class Fifo:
    """Head-of-line blocking, no preemption."""

    name = "fifo"

    def __init__(self) -> None:
        self.queue = Queue(by_submission)

    def decide(self, view: ClusterView) -> Plan:
        """Start from the head of the queue until one does not fit."""
        self.queue.extend(view.arrived)
        plan = view.plan()
        self.queue.start_in_order(plan.start)
        return plan

    def waiting(self) -> list[LiveJob]:
        """Give who waits, from the head of the queue on."""
        return self.queue.in_order()
