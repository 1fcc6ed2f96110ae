"""What a policy asks when it wants to know how long a job will run."""

from typing import Protocol

from schedmate.clusters import LiveJob


class DurationEstimator(Protocol):
    """Gives one number a job; a policy never learns where it comes from."""

    def duration_s(self, job: LiveJob) -> float:
        """Estimate the run time without queueing; called once a job enters a queue."""
        ...

    def learn(self, job: LiveJob, duration_s: float, status: str) -> None:
        """Take in that a job has ended; estimators that do not learn do nothing."""
        ...
