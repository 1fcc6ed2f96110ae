"""Lets a policy of the simulator or of the running loop ask any estimator."""

import math
from collections import deque

from schedmate.clusters import LiveJob
from schedmate.scheduling.estimators import Estimator
from schedmate.scheduling.estimators.replay import past_jobs, replay
from schedmate.schemas import Job, JobStatus, PastJob
from schedmate.traces.columns import Trace

NOTHING_KNOWN_S = 600.0
"""What a policy is told where nothing is known: it needs a number, and this one says nothing."""
STATUSES: dict[str, JobStatus] = {"completed": "completed", "failed": "failed", "cancelled": "cancelled"}


class LiveEstimator:
    """One number a job: what it is expected to take, else its median; it learns from this run's ends.

    A queue in the order of medians puts jobs that are mostly short and sometimes very long before those never long.
    """

    def __init__(self, estimator: Estimator) -> None:
        self.estimator = estimator

    def teach(self, before: Trace) -> None:
        """Let it learn from jobs that had all ended when the first job of the simulation came."""
        ends_s = max(past.known_s or 0.0 for past in past_jobs(before))
        # A policy does not know what a trace says beyond user, name, cluster and GPUs: nor may what it learns from.
        plain = (
            past.model_copy(update={"job": past.job.model_copy(update={"extra": {}})})
            for past in past_jobs(before, -ends_s - 1)
        )
        deque(replay(plain, [self.estimator], ask_from_s=math.inf, settle=True), maxlen=0)

    def duration_s(self, job: LiveJob) -> float:
        """Ask when the job comes, and say that it has come."""
        known = described(job)
        estimate = self.estimator.estimate(known)
        said = estimate.duration_p50_s if estimate.duration_mean_s is None else estimate.duration_mean_s
        self.estimator.begin(known)
        return NOTHING_KNOWN_S if said is None else said

    def learn(self, job: LiveJob, duration_s: float, status: str) -> None:
        """Hand an end on."""
        ended = described(job).model_copy(update={"status": STATUSES.get(status.lower(), "unknown")})
        self.estimator.learn(PastJob(job=ended, ran_s=duration_s))


def described(job: LiveJob) -> Job:
    """Write a live job as the estimators know jobs."""
    return Job(job_id=job.job_id, user=job.user, name=job.name, vc=job.vc, gpus=job.gpus, submit_s=job.submit_s)
