"""A scheduler's own estimate beside what similar jobs took: two guesses with errors of their own, put together."""

import math
from collections import defaultdict, deque

from schedmate.clusters import LiveJob
from schedmate.scheduling.estimators import DurationEstimator

REMEMBERED = 24
"""The paper takes the mean of three; more of them err less, and still follow what a user does now."""


class Similar:
    """Similar is what the same user asked for under the same name, of the same size and in the same cluster."""

    def __init__(self, own: DurationEstimator) -> None:
        self.own = own
        self.latest: dict[tuple[str, str, float, str], deque[float]] = defaultdict(lambda: deque(maxlen=REMEMBERED))

    def duration_s(self, job: LiveJob) -> float:
        """Give the geometric mean of both expectations; where nothing similar has ended, the scheduler's own."""
        similar, own_s = self.latest.get(kind_of(job)), self.own.duration_s(job)
        return math.sqrt(max(own_s, 1.0) * sum(similar) / len(similar)) if similar else own_s

    def learn(self, job: LiveJob, duration_s: float, status: str) -> None:
        """Take in an end, and hand it on."""
        self.latest[kind_of(job)].append(max(duration_s, 1.0))
        self.own.learn(job, duration_s, status)


def kind_of(job: LiveJob) -> tuple[str, str, float, str]:
    """Tell similar jobs from others."""
    return job.user, job.name, job.gpus, job.vc
