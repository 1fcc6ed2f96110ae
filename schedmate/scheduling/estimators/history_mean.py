"""What a user's earlier jobs took: the history half of Helios's predictor, learned as jobs end."""

from collections import defaultdict, deque

from schedmate.clusters import LiveJob
from schedmate.history.expectation import NEAREST
from schedmate.scheduling.estimators.replay import STATUSES

SHORT = frozenset({"failed", "cancelled", "timeout", "node_fail"})
"""Ends that say when something went wrong, and not what a job takes."""


class Mean:
    """A running mean."""

    __slots__ = ("count", "mean")

    def __init__(self) -> None:
        self.count = 0
        self.mean = 0.0

    def add(self, value: float) -> None:
        """Take in one value."""
        self.count += 1
        self.mean += (value - self.mean) / self.count


class HistoryMean:
    """Mean of the latest of the same user's jobs of the same name and size; else of all of the user's; else of all.

    As many of the latest as of runs of the same thing, and of similar jobs, where commands and code are known. The
    running loop asks it until the advisor has answered, and the simulator where no estimator is named. Only jobs
    that came to their own end teach; a trace that tells no status tells of no others.
    """

    def __init__(self, first_guess_s: float = 3600.0) -> None:
        self.first_guess_s = first_guess_s
        self.latest: dict[tuple[object, ...], deque[float]] = defaultdict(lambda: deque(maxlen=NEAREST))
        self.means: dict[tuple[object, ...], Mean] = defaultdict(Mean)

    def keys(self, job: LiveJob) -> tuple[tuple[object, ...], ...]:
        """Give the groups that a job belongs to beyond the closest, closest first."""
        return (job.user, job.name), (job.user,), ()

    def duration_s(self, job: LiveJob) -> float:
        """Give the mean of the closest group that has ended jobs."""
        means, latest = self.means, self.latest.get((job.user, job.name, job.gpus))
        if latest:
            return sum(latest) / len(latest)
        for key in self.keys(job):
            if key in means:
                return means[key].mean
        return self.first_guess_s

    def learn(self, job: LiveJob, duration_s: float, status: str) -> None:
        """Add a job that came to its own end to all its groups."""
        if STATUSES.get(status.lower()) in SHORT:
            return
        self.latest[job.user, job.name, job.gpus].append(duration_s)
        for key in self.keys(job):
            self.means[key].add(duration_s)
