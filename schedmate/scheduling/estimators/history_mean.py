"""What a user's earlier jobs took: the history half of Helios's predictor, learned as jobs end."""

from collections import defaultdict

from schedmate.clusters import LiveJob


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
    """Mean of the same user's jobs of the same name and size; else of the user's jobs; else of all.

    It stands in for QSSF's LightGBM where no published prediction is at hand; it never sees a job before its end.
    """

    def __init__(self, first_guess_s: float = 3600.0) -> None:
        self.first_guess_s = first_guess_s
        self.means: dict[tuple[object, ...], Mean] = defaultdict(Mean)

    def keys(self, job: LiveJob) -> tuple[tuple[object, ...], ...]:
        """Give the groups that a job belongs to, closest first."""
        return (job.user, job.name, job.gpus), (job.user, job.name), (job.user,), ()

    def duration_s(self, job: LiveJob) -> float:
        """Give the mean of the closest group that has ended jobs."""
        for key in self.keys(job):
            if key in self.means:
                return self.means[key].mean
        return self.first_guess_s

    def learn(self, job: LiveJob, duration_s: float, status: str) -> None:
        """Add an ended job to all its groups."""
        for key in self.keys(job):
            self.means[key].add(duration_s)
