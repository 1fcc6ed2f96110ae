"""How long the live jobs will run: what the advisor has answered, and until it has, what such jobs took before."""

from schedmate.clusters import LiveJob
from schedmate.history.expectation import expected_s
from schedmate.history.live import LiveStore
from schedmate.history.live_past import durations, open_estimates
from schedmate.scheduling.estimators.history_mean import HistoryMean
from schedmate.schemas import Estimate


class LiveEstimates:
    """A duration for every job at any time; never waits."""

    def __init__(self, store: LiveStore) -> None:
        self.fallback = HistoryMean()
        self.known_s: dict[int, float] = {}
        for one in durations(store):
            self.fallback.learn(LiveJob(0, "", one.slots, 0.0, one.user, one.name), one.took_s, "completed")
        for number, estimate in open_estimates(store):
            self.answer(number, Estimate.model_validate_json(estimate))

    def answer(self, number: int, estimate: Estimate) -> bool:
        """Keep the mean of the three most similar jobs, else the median; tell whether that is news."""
        duration_s = expected_s(estimate)
        if duration_s is None or self.known_s.get(number) == duration_s:
            return False
        self.known_s[number] = duration_s
        return True

    def knows(self, job: LiveJob) -> bool:
        """Tell whether a job's duration rests on any job that has ended; a policy must have a number even so."""
        return job.number in self.known_s or bool(self.fallback.means)

    def duration_s(self, job: LiveJob) -> float:
        """Give what the advisor says, or the mean of the same user's jobs of this name."""
        known_s = self.known_s.get(job.number)
        return self.fallback.duration_s(job) if known_s is None else known_s

    def learn(self, job: LiveJob, duration_s: float, status: str) -> None:
        """Take in an end."""
        self.known_s.pop(job.number, None)
        self.fallback.learn(job, duration_s, status)
