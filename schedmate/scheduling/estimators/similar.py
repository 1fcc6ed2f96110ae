"""A scheduler's own estimate beside that of the three latest similar jobs: whoever expects longer is believed."""

from collections import defaultdict, deque

from schedmate.clusters import LiveJob
from schedmate.scheduling.estimators import DurationEstimator

SIMILAR = 3
"""As many as the paper takes the mean of."""


class Similar:
    """Similar is what the same user asked for under the same name, of the same size and in the same cluster.

    Without preemption the two ways to be wrong are not alike: a job that is put ahead by mistake holds its GPUs until
    it ends, one that is put behind by mistake waits.
    """

    def __init__(self, own: DurationEstimator) -> None:
        self.own = own
        self.latest: dict[tuple[str, str, int, str], deque[float]] = defaultdict(lambda: deque(maxlen=SIMILAR))

    def duration_s(self, job: LiveJob) -> float:
        """Give the longer of the two expectations; where nothing similar has ended, the scheduler's own."""
        similar, own_s = self.latest.get(kind_of(job)), self.own.duration_s(job)
        return max(own_s, sum(similar) / len(similar)) if similar else own_s

    def learn(self, job: LiveJob, duration_s: float, status: str) -> None:
        """Take in an end, and hand it on."""
        self.latest[kind_of(job)].append(duration_s)
        self.own.learn(job, duration_s, status)


def kind_of(job: LiveJob) -> tuple[str, str, int, str]:
    """Tell similar jobs from others."""
    return job.user, job.name, job.gpus, job.vc
