"""Read what a job was from its log and its code, for the history."""

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from schedmate.schemas import Job, PastJob


def read_job(job: "Job", source: str, log: Path | None, repo: Path | None) -> "PastJob":
    """Let the built-in readers look at log and code; a job that completed needs no diagnosis."""
    from schedmate import diagnose, extract, track
    from schedmate.schemas import PastJob

    metrics = track(log, engine="built-in") if log else None
    diagnosis = diagnose(log, engine="built-in") if log and job.status not in {"completed", "cancelled"} else None
    workload = extract(repo, command=job.command, engine="built-in").workload if repo else None
    return PastJob(job=job, source=source, metrics=metrics, diagnosis=diagnosis, workload=workload)
