"""Play past jobs in the order in which they came: each is asked about when it came, and teaches when it had ended."""

import heapq
import math
from collections.abc import Iterable, Iterator, Sequence

from schedmate.scheduling.estimators import Estimator
from schedmate.schemas import Estimate, Job, JobStatus, PastJob
from schedmate.traces.columns import Trace

STATUSES: dict[str, JobStatus] = {
    "completed": "completed",
    "pass": "completed",
    "succeeded": "completed",
    "failed": "failed",
    "cancelled": "cancelled",
    "killed": "cancelled",
    "timeout": "timeout",
    "node_fail": "node_fail",
}


def past_jobs(trace: Trace, shift_s: float = 0.0) -> Iterator[PastJob]:
    """Turn a trace into past jobs; where it tells no queueing, an end is known one duration after the submission."""
    for number in range(len(trace)):
        duration_s, submit_s = float(trace.duration_s[number]), float(trace.submit_s[number]) + shift_s
        pairs = (pair.partition("=") for pair in (trace.extra[number].split(";") if trace.extra else ()))
        job = Job(
            job_id=str(trace.job_id[number]),
            user=trace.user[number],
            name=trace.job_name[number],
            vc=trace.vc[number],
            gpus=float(trace.gpus[number]),
            submit_s=submit_s,
            status=STATUSES.get(trace.status[number].lower(), "unknown"),
            extra={key: value for key, _, value in pairs if value},
        )
        yield PastJob(job=job, ran_s=None if math.isnan(duration_s) else duration_s)


def replay(
    jobs: Iterable[PastJob], estimators: Sequence[Estimator], ask_from_s: float = -math.inf, settle: bool = False
) -> Iterator[tuple[PastJob, list[Estimate]]]:
    """Give each job with what each estimator said of it when it came; `jobs` come in the order of submission.

    A job's end is known at `known_s`, and not a moment before. Jobs before `ask_from_s` only teach.
    With `settle` those that are still under way when the last has come teach too.
    """
    under_way: list[tuple[float, int, PastJob]] = []
    for number, past in enumerate(jobs):
        now_s = past.job.submit_s or 0.0
        while under_way and under_way[0][0] <= now_s:
            ended = heapq.heappop(under_way)[2]
            for estimator in estimators:
                estimator.learn(ended)
        asked = past.job.model_copy(update={"start_s": None, "end_s": None, "status": "pending"})
        said = (
            [estimator.estimate(asked, past.workload, now_s) for estimator in estimators] if now_s >= ask_from_s else []
        )
        for estimator in estimators:
            estimator.begin(asked, past.workload, now_s)
        if past.known_s is not None:
            heapq.heappush(under_way, (past.known_s, number, past))
        yield past, said
    while settle and under_way:
        ended = heapq.heappop(under_way)[2]
        for estimator in estimators:
            estimator.learn(ended)
