"""The truth, told beforehand: the bound that no estimator passes."""

from collections.abc import Mapping

from schedmate.schemas import Estimate, Job, PastJob, Workload


class Oracle:
    """Looks a job's duration up by its id; an unknown job has none."""

    def __init__(self, durations_s: Mapping[str, float]) -> None:
        self.durations_s = durations_s

    def estimate(self, job: Job, workload: Workload | None = None, at_s: float | None = None) -> Estimate:
        """Give the truth."""
        truth_s = self.durations_s.get(job.job_id)
        return Estimate(duration_p10_s=truth_s, duration_p50_s=truth_s, duration_p90_s=truth_s, notes=("the truth",))

    def begin(self, job: Job, workload: Workload | None = None, at_s: float | None = None) -> None:
        """Do nothing."""

    def learn(self, past: PastJob) -> None:
        """Do nothing: it knows."""
