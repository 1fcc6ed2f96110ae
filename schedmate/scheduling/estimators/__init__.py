"""What to expect of a job: one Protocol, one file for each way to estimate."""

from typing import Protocol

from schedmate.clusters import LiveJob
from schedmate.schemas import Estimate, Job, PastJob, Workload


class Estimator(Protocol):
    """Estimates from what has ended; nothing of a job's own fate is ever asked of it.

    Callers hand in each job when it is submitted (`begin`) and when its end is known (`learn`), in that order; what
    ends teaches at once. `estimate` changes nothing, so one may ask about jobs that are never submitted.
    """

    def estimate(self, job: Job, workload: Workload | None = None, at_s: float | None = None) -> Estimate: ...
    def begin(self, job: Job, workload: Workload | None = None, at_s: float | None = None) -> None: ...
    def learn(self, past: PastJob) -> None: ...


class DurationEstimator(Protocol):
    """Gives one number a job; a policy never learns where it comes from."""

    def duration_s(self, job: LiveJob) -> float:
        """Estimate the run time without queueing; called once a job enters a queue."""
        ...

    def learn(self, job: LiveJob, duration_s: float, status: str) -> None:
        """Take in that a job has ended; estimators that do not learn do nothing."""
        ...
