"""Lets a policy of the simulator or of the running loop ask any estimator."""

from schedmate.clusters import LiveJob
from schedmate.scheduling.estimators import Estimator
from schedmate.scheduling.estimators.published import NOTHING_KNOWN_S
from schedmate.schemas import Job, JobStatus, PastJob

STATUSES: dict[str, JobStatus] = {"completed": "completed", "failed": "failed", "cancelled": "cancelled"}


class LiveEstimator:
    """One number a job, its median; what the estimator learns it learns from this run's ends."""

    def __init__(self, estimator: Estimator) -> None:
        self.estimator = estimator

    def duration_s(self, job: LiveJob) -> float:
        """Ask when the job comes, and say that it has come."""
        known = described(job)
        said = self.estimator.estimate(known).duration_p50_s
        self.estimator.begin(known)
        return NOTHING_KNOWN_S if said is None else said

    def learn(self, job: LiveJob, duration_s: float, status: str) -> None:
        """Hand an end on."""
        ended = described(job).model_copy(update={"status": STATUSES.get(status.lower(), "unknown")})
        self.estimator.learn(PastJob(job=ended, ran_s=duration_s))


def described(job: LiveJob) -> Job:
    """Write a live job as the estimators know jobs."""
    return Job(job_id=job.job_id, user=job.user, name=job.name, vc=job.vc, gpus=job.gpus, submit_s=job.submit_s)
