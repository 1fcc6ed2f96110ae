"""The mean of what the same user's like jobs took; what Helios falls back to, and everybody's first idea."""

from collections import defaultdict

from schedmate.history.commands import normalise_command
from schedmate.scheduling.estimators.history_mean import Mean
from schedmate.schemas import Estimate, Job, PastJob, Workload


class UserMean:
    """Mean of the same user's jobs of the same name and size; else of that name; else of the user; else of all."""

    def __init__(self) -> None:
        self.means: dict[tuple[object, ...], Mean] = defaultdict(Mean)

    def groups(self, job: Job) -> tuple[tuple[object, ...], ...]:
        """Give the groups that a job belongs to, closest first."""
        name = normalise_command(job.name) if job.name else ""
        return (job.user, name, job.gpus), (job.user, name), (job.user,), ()

    def mean_s(self, job: Job) -> float | None:
        """Give the mean of the closest group that has ended jobs; None before any has."""
        return next((self.means[key].mean for key in self.groups(job) if key in self.means), None)

    def estimate(self, job: Job, workload: Workload | None = None, at_s: float | None = None) -> Estimate:
        """Give the mean."""
        mean_s = self.mean_s(job)
        note = "the mean of the user's jobs" if mean_s is not None else "no job has ended yet"
        return Estimate(duration_p50_s=mean_s, notes=(note,))

    def begin(self, job: Job, workload: Workload | None = None, at_s: float | None = None) -> None:
        """Do nothing: a mean looks at ends only."""

    def learn(self, past: PastJob) -> None:
        """Add an ended job to all its groups."""
        if past.duration_s is not None:
            for key in self.groups(past.job):
                self.means[key].add(past.duration_s)
