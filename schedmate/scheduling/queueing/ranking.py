"""How soon a job is likely to be done: what jobs are ordered by, and what a running one is worth.

Nothing here knows the truth: a log is believed once it has had time to tell, before that a job is taken to have as much
before it as behind it, and at first as much as an end of its like costs; where too few of these have ended, a part of
what is expected.
"""

from schedmate.clusters import LiveJob
from schedmate.scheduling.estimators import DurationEstimator
from schedmate.scheduling.queueing.ends import KindEnds
from schedmate.scheduling.view import ClusterView

PART = 0.3
"""Of the expected duration: most jobs of a skewed distribution take far less than their mean."""
HEARD_S = 180.0
"""Service after which a log is asked."""


class Ranks:
    """Seconds to go, as far as they can be known; the smaller, the sooner a job is served."""

    def __init__(self, estimator: DurationEstimator, progress: bool = True, estimates: bool = True) -> None:
        self.estimator = estimator
        self.progress = progress
        self.estimates = estimates
        self.expected_s: dict[int, float] = {}
        self.ends = KindEnds()

    def take_in(self, job: LiveJob) -> None:
        """Ask what is expected of a job, when it comes and when more is known of it."""
        self.expected_s[job.number] = max(self.estimator.duration_s(job), 1.0)

    def forget(self, job: LiveJob) -> None:
        """Drop a job that is over, and learn from it."""
        self.ends.note(job)
        self.expected_s.pop(job.number, None)

    def told_s(self, job: LiveJob, view: ClusterView) -> float | None:
        """Give what is left of a job by its own log, where that is heard and the job has run for a while."""
        heard = self.progress and job.service_s(view.now_s) >= HEARD_S
        return view.progress(job).remaining_s if heard else None

    def of(self, job: LiveJob, view: ClusterView) -> float:
        """Give what a job is ranked by now."""
        served_s, told_s = job.service_s(view.now_s), self.told_s(job, view)
        if told_s is not None:
            return max(told_s, 1.0)
        if not self.estimates:
            return max(served_s, 1.0)
        soonest_s = self.ends.soonest_s(job)
        return max(served_s, 1.0, PART * self.expected_s[job.number] if soonest_s is None else soonest_s)

    def ahead_s(self, job: LiveJob, view: ClusterView) -> float:
        """Give what a job is expected to run on for, where plans rest on it."""
        served_s, told_s = job.service_s(view.now_s), self.told_s(job, view)
        if told_s is not None:
            return told_s
        left_s = self.expected_s[job.number] - served_s
        return left_s if left_s > 0 else served_s

    def whole_s(self, job: LiveJob, view: ClusterView) -> float:
        """Give what a job is expected to run for from its first start to its end."""
        return job.service_s(view.now_s) + self.ahead_s(job, view)
