"""What SchedMate would have said of the site's jobs when they came, beside what they took."""

import numpy as np

from schedmate.reports.findings import Forecast
from schedmate.reports.past import Past
from schedmate.scheduling.estimators.best import Best
from schedmate.scheduling.estimators.replay import replay
from schedmate.schemas import Job, PastJob

MOST_JOBS = 20_000

LEARN_SHARE = 0.25
"""The first of them only teach."""
LEAST_S = 1.0


def forecast(past: Past, most: int = MOST_JOBS) -> Forecast | None:
    """Play the latest jobs by submission; nobody learns of an end before it came."""
    usable = (past["ran_s"] > 0) & ~np.isnan(past["submit_s"]) & (past["gpus"] > 0)
    usable &= past.having("status", "completed", "failed", "timeout", "node_fail")
    places = np.flatnonzero(usable)
    places = places[np.argsort(past["submit_s"][places], kind="stable")][-most:]
    if len(places) < 100:
        return None
    ask_from_s = float(past["submit_s"][places[int(len(places) * LEARN_SHARE)]])
    jobs = (past_job(past, place) for place in places.tolist())
    factors, inside, limits = [], 0, []
    for place, (job, said) in zip(places.tolist(), replay(jobs, [Best(trees=False)], ask_from_s), strict=True):
        if not said or said[0].duration_p50_s is None:
            continue
        told, ran_s = said[0], max(job.duration_s or 0.0, LEAST_S)
        factors.append(off(told.duration_p50_s or 0.0, ran_s))
        inside += (told.duration_p10_s or 0.0) <= ran_s <= (told.duration_p90_s or 0.0)
        if past["limit_s"][place] > 0:
            limits.append(off(float(past["limit_s"][place]), ran_s))
    if not factors:
        return None
    return Forecast(
        jobs=len(factors),
        median_factor=round(float(np.median(factors)), 2),
        within=round(inside / len(factors), 3),
        limit_median_factor=round(float(np.median(limits)), 2) if len(limits) == len(factors) else None,
    )


def off(said_s: float, ran_s: float) -> float:
    """Tell how many times too long or too short."""
    said_s = max(said_s, LEAST_S)
    return max(said_s / ran_s, ran_s / said_s)


def past_job(past: Past, place: int) -> PastJob:
    """Give a job as the estimators take it."""
    job = Job(
        job_id=str(place),
        user=past.word("user", place),
        name=past.word("name", place),
        vc=past.word("vc", place),
        gpus=float(past["gpus"][place]),
        submit_s=float(past["submit_s"][place]),
        status="completed",
    )
    start_s, ran_s = float(past["start_s"][place]), float(past["ran_s"][place])
    if start_s == start_s:
        return PastJob(job=job.model_copy(update={"start_s": start_s, "end_s": start_s + ran_s}))
    return PastJob(job=job, ran_s=ran_s)
