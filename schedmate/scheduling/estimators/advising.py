"""The verb `advise` and its graph: an estimate from the history, and from an estimator where nothing is similar."""

import math
import time
from contextlib import ExitStack, closing
from pathlib import Path
from sqlite3 import Connection

from schedmate.choices import ReaderChoice
from schedmate.graphs.advise import AdviseContext, AdviseState, HistoryContext, graph_with
from schedmate.graphs.state import Compiled
from schedmate.history.jobs import Which, list_jobs
from schedmate.history.read_only import look_into
from schedmate.history.rows import writable
from schedmate.scheduling.estimators.best import Best
from schedmate.scheduling.estimators.replay import replay
from schedmate.schemas import Estimate, Extraction, Job, PastJob, Workload

LATEST = 400
"""Ended jobs of the user, and of all, that a fallback learns from: enough for its weights, few enough to be quick."""


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


GRAPH = graph_with(fall_back)


def build_advise_graph() -> Compiled:
    """Compile the graph with LangGraph; no server needs to be up."""
    return GRAPH.compile()


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
) -> Estimate:
    """Estimate one job that is about to be submitted."""
    asked: AdviseState = {"repo": str(repo), "command": command, "workdir": workdir}
    return walked({**asked, "user": user, "gpus": gpus, "name": name, "vc": vc}, engine)


def run_advise(
    root: Path, command: str, workdir: str, request: Job, past: HistoryContext, engine: ReaderChoice = "auto"
) -> Estimate:
    """Estimate a job that a scheduler knows, from a history of its own."""
    asked: AdviseState = {"repo": str(root), "command": command, "workdir": workdir}
    return walked({**asked, "request": request, "past": past}, engine)


def run_estimate(job: Job, extraction: Extraction, past: HistoryContext) -> Estimate:
    """Estimate a job whose code was read before, and elsewhere: nothing of it is looked at."""
    with closing(look_into(past.data_dir)) as connection:
        read: AdviseState = {"past": past, "connection": connection, "job": writable(job), "notes": ()}
        read |= {"extraction": extraction.model_dump(mode="json"), "started_s": time.perf_counter()}
        return walked(read, "built-in", start="understand")


def walked(state: AdviseState, engine: ReaderChoice, start: str = "") -> Estimate:
    """Walk the graph for one job."""
    with ExitStack() as files:
        final = GRAPH.walk({**state, "files": files}, AdviseContext(engine), start=start)
        return Estimate.model_validate(final["estimate"])
