"""What becomes of a job that a fault of the cluster ended."""

from typing import Protocol

from schedmate.clusters import LiveJob


class FailureHandler(Protocol):
    """Decides when a job that lost its node goes back into the queue."""

    def requeue_after_s(self, job: LiveJob, now_s: float) -> float | None:
        """Give the delay; None leaves the job ended."""
        ...


class RequeueAtOnce:
    """The baselines' own: no diagnosis, back into the queue; `delay_s` plays a person who has to notice first."""

    def __init__(self, delay_s: float = 0.0) -> None:
        self.delay_s = delay_s

    def requeue_after_s(self, job: LiveJob, now_s: float) -> float | None:
        """Give the same delay for every job."""
        return self.delay_s


class LeaveEnded:
    """Give up a job that lost its node, as a cluster without requeueing does."""

    def requeue_after_s(self, job: LiveJob, now_s: float) -> float | None:
        """Leave it ended."""
        return None
