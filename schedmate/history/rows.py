"""A past job as a row of the `jobs` table and back; a workload that many jobs share is kept once."""

import json
from hashlib import blake2b
from pathlib import Path
from sqlite3 import Row
from typing import Any

from schedmate.history.commands import normalise_command
from schedmate.schemas import Diagnosis, Hardware, Job, Metrics, PastJob, Workload
from schedmate.tools.plain_text import encodable

COLUMNS = (
    "source",
    "job_id",
    "user",
    "name",
    "command",
    "workdir",
    "branch",
    "vc",
    "gpus",
    "nodes",
    "status",
    "submit_s",
    "start_s",
    "end_s",
    "ran_s",
    "duration_s",
    "known_s",
    "run_key",
    "workload_id",
    "extra",
    "evidence",
    "metrics",
    "hardware",
    "diagnosis",
    "notes",
)
WORKLOAD_ID = COLUMNS.index("workload_id")

LONGEST_TEXT = 100_000
"""Characters of a command or a name that are kept: accounting may hold whole scripts."""


def writable(job: Job) -> Job:
    """Replace lone surrogates, which stand for broken bytes in names and commands and which no database can hold."""
    texts = {name: getattr(job, name) for name in type(job).model_fields}
    plain = {name: encodable(value) for name, value in texts.items() if isinstance(value, str)}
    extra = {encodable(key): encodable(value) for key, value in job.extra.items()}
    workdir = None if job.workdir is None else Path(encodable(str(job.workdir)))
    return job.model_copy(update={**plain, "extra": extra, "workdir": workdir})


def backwards(job: Job) -> tuple[str, ...]:
    """Say it where a job ended before it started."""
    if job.start_s is None or job.end_s is None or job.end_s >= job.start_s:
        return ()
    return (f"ended {job.start_s - job.end_s:g} s before it started",)


def as_row(past: PastJob) -> list[Any]:
    """Give a job's columns; the workload's id is filled in by whoever has stored the workload."""
    job, workload = past.job, past.workload
    return [
        past.source,
        job.job_id,
        job.user,
        job.name[:LONGEST_TEXT],
        job.command[:LONGEST_TEXT],
        "" if job.workdir is None else str(job.workdir),
        job.git_branch,
        job.vc,
        job.gpus,
        job.nodes,
        job.status,
        job.submit_s,
        job.start_s,
        job.end_s,
        past.ran_s,
        past.duration_s,
        past.known_s,
        run_key(job),
        None,
        json.dumps(job.extra) if job.extra else None,
        evidence_json(workload) if workload and workload.evidence else None,
        kept(past.metrics),
        kept(past.hardware),
        kept(past.diagnosis),
        json.dumps(past.notes) if past.notes else None,
    ]


def kept(noun: Metrics | Hardware | Diagnosis | None) -> str | None:
    """Write what differs from the defaults."""
    return None if noun is None else noun.model_dump_json(exclude_defaults=True)


def evidence_json(workload: Workload) -> str:
    """Write the quotes, which belong to the job and not to the workload that it shares with others."""
    return json.dumps(
        {name: [e.model_dump(exclude_defaults=True) for e in quotes] for name, quotes in workload.evidence.items()}
    )


def facts_json(workload: Workload) -> str:
    """Write what a workload is, without its quotes: the same for all jobs that are the same."""
    return workload.model_dump_json(exclude={"evidence"}, exclude_defaults=True)


def digest(text: str) -> int:
    """Give 64 bits of a hash as the signed number that SQLite stores."""
    return int.from_bytes(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big", signed=True)


def run_key(job: Job) -> int | None:
    """Number what makes two jobs runs of the same thing, except for the branch; None where no command is known."""
    if not job.command.strip():
        return None
    workdir = "" if job.workdir is None else str(job.workdir).rstrip("/")
    return digest("\0".join((job.user, workdir, normalise_command(job.command))))


def from_row(row: Row, facts: str | None) -> PastJob:
    """Give the job of a row, with the facts of its workload."""
    job = Job(
        job_id=row["job_id"],
        user=row["user"],
        name=row["name"],
        command=row["command"],
        workdir=Path(row["workdir"]) if row["workdir"] else None,
        git_branch=row["branch"],
        vc=row["vc"],
        gpus=row["gpus"],
        nodes=row["nodes"],
        submit_s=row["submit_s"],
        start_s=row["start_s"],
        end_s=row["end_s"],
        status=row["status"],
        extra=json.loads(row["extra"]) if row["extra"] else {},
    )
    return PastJob(
        job=job,
        source=row["source"],
        ran_s=row["ran_s"],
        workload=None if facts is None else workload_of(facts, row["evidence"]),
        metrics=Metrics.model_validate_json(row["metrics"]) if row["metrics"] else None,
        hardware=Hardware.model_validate_json(row["hardware"]) if row["hardware"] else None,
        diagnosis=Diagnosis.model_validate_json(row["diagnosis"]) if row["diagnosis"] else None,
        notes=tuple(json.loads(row["notes"])) if row["notes"] else (),
    )


def workload_of(facts: str, evidence: str | None) -> Workload:
    """Put facts and quotes together again."""
    return Workload.model_validate({**json.loads(facts), "evidence": json.loads(evidence) if evidence else {}})
