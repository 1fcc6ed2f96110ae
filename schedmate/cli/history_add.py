"""`schedmate history add`: one job, told by hand or by the end of its own script."""

import time
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from schedmate.cli.history_options import AS_JSON, STATUSES, history, moment
from schedmate.cli.saying import say

if TYPE_CHECKING:
    from schedmate.schemas import Job, JobStatus, PastJob


def add(
    job_id: str = typer.Argument(..., metavar="JOB", help="The job's id."),
    user: str = typer.Option("", "--user", "-u", help="Whose job it was."),
    name: str = typer.Option("", "--name", help="Its name."),
    command: str = typer.Option("", "--command", "-c", help="What it ran."),
    workdir: Path | None = typer.Option(None, "--workdir", help="Where it ran."),
    branch: str = typer.Option("", "--branch", help="Git branch of its code; without it, the one REPO is on."),
    vc: str = typer.Option("", "--vc", help="Partition, queue or virtual cluster."),
    gpus: float = typer.Option(0, "--gpus", "-g", min=0, help="GPUs it had."),
    status: str = typer.Option("", "--status", "-s", help="How it ended, in the scheduler's word or ours."),
    submit: str = typer.Option("", "--submit", metavar="TIME", help="When it was submitted."),
    start: str = typer.Option("", "--start", metavar="TIME", help="When it started."),
    end: str = typer.Option("", "--end", metavar="TIME", help="When it ended."),
    log: Path | None = typer.Option(None, "--log", help="Its log: metrics are read from it, and why it failed."),
    repo: Path | None = typer.Option(None, "--repo", help="Its source code: what it is is read from it."),
    source: str = typer.Option("schedmate", "--source", help="Name of where this comes from."),
    as_json: bool = AS_JSON,
) -> None:
    """Add a job, or more about one that is there: what is not given is kept as it was.

    Made for the end of a job script.

    Example: schedmate history add $SLURM_JOB_ID --source sacct --log train.log --repo . --status completed --end now
    """
    from schedmate.cli.history_pages import print_job
    from schedmate.history.jobs import add_job, get_job
    from schedmate.history.rows import backwards
    from schedmate.schemas import Job
    from schedmate.tools.git_branch import git_branch

    submit_s, start_s, end_s = (time.time() if text == "now" else moment(text) for text in (submit, start, end))
    job = Job(
        job_id=job_id,
        user=user,
        name=name,
        command=command,
        # As `advise` names it, which looks for runs of the same thing.
        workdir=workdir.resolve() if workdir else None,
        git_branch=branch or (git_branch(repo) if repo else ""),
        vc=vc,
        gpus=gpus,
        status=told_status(status),
        submit_s=submit_s,
        start_s=start_s,
        end_s=end_s,
    )
    past = read_job(job, source, log, repo)
    with history() as connection:
        add_job(connection, past)
        kept = get_job(connection, job_id, source) or past
        if odd := backwards(kept.job):
            kept = kept.model_copy(update={"notes": odd})
            add_job(connection, kept)
    if as_json:
        say(kept.model_dump_json(exclude_defaults=True))
    else:
        print_job(kept, [])


def told_status(status: str) -> "JobStatus":
    """Take our word for how a job ended, or a scheduler's."""
    from schedmate.errors import InputError
    from schedmate.history.importers.statuses import status_of

    told = status_of(status)
    if status and told == "unknown" and status != "unknown":
        raise InputError(f"there is no status {status}", f"give one of {', '.join(STATUSES)}, or a scheduler's word")
    return told


def read_job(job: "Job", source: str, log: Path | None, repo: Path | None) -> "PastJob":
    """Let the built-in readers look at log and code; a job that completed needs no diagnosis."""
    from schedmate import diagnose, extract, track
    from schedmate.schemas import PastJob

    metrics = track(log, engine="built-in") if log else None
    diagnosis = diagnose(log, engine="built-in") if log and job.status not in {"completed", "cancelled"} else None
    workload = extract(repo, command=job.command, engine="built-in").workload if repo else None
    return PastJob(job=job, source=source, metrics=metrics, diagnosis=diagnosis, workload=workload)
