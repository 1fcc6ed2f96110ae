"""The verb `advise`: an estimate from the history, and from an estimator where nothing in it is similar."""

import math
import time
from pathlib import Path
from sqlite3 import Connection

from schedmate.choices import ReaderChoice
from schedmate.graphs.advise import graph_with, past_of_settings, run_advise
from schedmate.graphs.state import Compiled
from schedmate.history.jobs import Which, list_jobs
from schedmate.scheduling.estimators.best import Best
from schedmate.scheduling.estimators.replay import replay
from schedmate.schemas import Estimate, Job, PastJob, Workload
from schedmate.tools.accounts import my_account

LATEST = 400
"""Ended jobs of the user, and of all, that a fallback learns from: enough for its weights, few enough to be quick."""


def advise(
    repo: Path,
    command: str = "",
    workdir: str = ".",
    *,
    user: str = "",
    gpus: float = 0,
    name: str = "",
    vc: str = "",
    engine: ReaderChoice = "auto",
    now_s: float | None = None,
) -> Estimate:
    """Estimate one job that is about to be submitted."""
    submit_s = time.time() if now_s is None else now_s
    request = Job(job_id="", user=user or my_account(), gpus=gpus, name=name, vc=vc, submit_s=submit_s)
    return run_advise(repo, command, workdir, request, past_of_settings(), engine, fall_back)


def build_advising_graph() -> Compiled:
    """Compile the graph `advise` with the estimator that answers where nothing is similar."""
    return graph_with(fall_back).compile()


def fall_back(connection: Connection, job: Job, workload: Workload | None) -> Estimate:
    """Teach an estimator the latest jobs of the user and of all, in the order in which they came, and ask it."""
    latest = [Which(user=job.user, ended=True, known_by_s=job.submit_s), Which(ended=True, known_by_s=job.submit_s)]
    jobs = {past.job.job_id: past for which in latest for past in list_jobs(connection, which, LATEST)}
    if not jobs:
        return Estimate(notes=("no past job is known to estimate from; schedmate history import adds some",))
    if all(past.job.status == "cancelled" for past in jobs.values()):
        return Estimate(notes=("all past jobs were cancelled: how long one takes is not known",))
    taught = sorted(jobs.values(), key=begun_s)
    best = Best(trees=False)
    for _ in replay(with_submission(taught), [best], ask_from_s=math.inf, settle=True):
        pass
    return best.estimate(job, workload)


def begun_s(past: PastJob) -> float:
    """Give when a job came; where nobody told, when it was known to have run."""
    job = past.job
    return next((moment for moment in (job.submit_s, job.start_s, job.end_s) if moment is not None), 0.0)


def with_submission(jobs: list[PastJob]) -> list[PastJob]:
    """Give each job a submission, which replaying needs."""
    return [past.model_copy(update={"job": past.job.model_copy(update={"submit_s": begun_s(past)})}) for past in jobs]
