"""When a job that a fault of the cluster ended goes back into the queue; in simulations, where nobody reads logs."""

from collections.abc import Mapping
from typing import Protocol

from schedmate.clusters import LiveJob
from schedmate.clusters.simulation.draws import drawn


class Requeueing(Protocol):
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


class RequeueRecognised:
    """Requeues soon whom a reader of logs recognises as hit by the cluster; for the others a person has to notice."""

    def __init__(self, recall: float, soon_s: float, notice_s: float, seed: int = 0) -> None:
        self.recall = recall
        """Share of such ends that the reader recognises."""
        self.soon_s = soon_s
        """What reading the log and checking the nodes takes."""
        self.notice_s = notice_s
        self.seed = seed

    def requeue_after_s(self, job: LiveJob, now_s: float) -> float | None:
        """Draw whether the end is recognised, anew at each end."""
        told = drawn(f"recognised at {now_s:.0f}", self.seed, job.number) < self.recall
        return min(self.soon_s, self.notice_s) if told else self.notice_s


class RequeueAsMeasured:
    """Requeues each job after the time that it took where the same fault was played."""

    def __init__(self, measured_s: Mapping[int, float], notice_s: float) -> None:
        self.measured_s = measured_s
        self.notice_s = notice_s

    def requeue_after_s(self, job: LiveJob, now_s: float) -> float | None:
        """Give what was measured of the job; a person has to notice what was not."""
        return self.measured_s.get(job.number, self.notice_s)


class LeaveEnded:
    """Give up a job that lost its node, as a cluster without requeueing does."""

    def requeue_after_s(self, job: LiveJob, now_s: float) -> float | None:
        """Leave it ended."""
        return None
