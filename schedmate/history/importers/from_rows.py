"""A trace's row as a past job: what the clocks contradict is left out and said, the job is kept."""

import math
from collections.abc import Iterable, Iterator
from pathlib import Path

from schedmate.counts import how_many
from schedmate.history.importers.statuses import status_of, tells_more
from schedmate.history.rows import backwards
from schedmate.schemas import Hardware, Job, PastJob
from schedmate.traces.rows import EPOCHAL_S, LONGEST_S, MOST_GPUS, ODD_ATTEMPTS, BadRow, Row

SLACK_S = 1.0
"""By how much a told run time and end less start may differ through rounding."""


def past_jobs(rows: Iterable[Row | BadRow], source: str, origin_s: float = 0.0) -> Iterator[PastJob | BadRow]:
    """Turn rows into past jobs; `origin_s` is added to times that count from a trace's own beginning."""
    for row in rows:
        if isinstance(row, BadRow):
            yield row
        elif why := unusable(row):
            yield BadRow(row.line, why)
        else:
            yield past_job(row, source, origin_s)


def unusable(row: Row) -> str:
    """Say why nothing can be learned from a row; empty where something can."""
    if not row.job_id:
        return "no job id"
    if not abs(row.submit_s) < LONGEST_S:
        return f"job {row.job_id}: submit time {row.submit_s}"
    if not 0 <= row.gpus < MOST_GPUS:
        return f"job {row.job_id}: {how_many(row.gpus, 'GPU')}"
    return ""


def past_job(row: Row, source: str, origin_s: float = 0.0) -> PastJob:
    """Keep times as told, and the run time where start and end do not give it."""
    notes: list[str] = []
    start_s, end_s = moment(row.start_s), moment(row.end_s)
    ran_s = row.duration_s
    if ran_s is not None and not 0 <= ran_s < LONGEST_S:
        notes.append(f"a run time of {ran_s:g} s is impossible and left out")
        ran_s = None
    if not ran_s and start_s is None and end_s is not None:
        # Cancelled while it waited: it did not run for no time, it did not run.
        ran_s = None
    if start_s is not None and end_s is not None and ran_s is not None:
        ran_s = None if abs(ran_s - (end_s - start_s)) <= SLACK_S else ran_s
    if start_s is not None and start_s < row.submit_s - SLACK_S:
        notes.append(f"started {row.submit_s - start_s:g} s before it was submitted")
    extra = dict(pair.split("=", 1) for pair in row.extra.split(";") if "=" in pair)
    if odd := extra.get(ODD_ATTEMPTS):
        # The other attempts' time is not the job's, nor is the time between the first start and the last end.
        notes.append(f"{odd} of its attempts ended before they started")
        ran_s = start_s = None
    status = status_of(row.status)
    if status in {"pending", "running"}:
        ran_s, end_s = None, None
    shift_s = 0.0 if abs(row.submit_s) > EPOCHAL_S else origin_s
    extra |= {"state": row.status} if tells_more(row.status) else {}
    extra |= {"gpu_type": row.kind} if row.kind else {}
    extra |= beside(row)
    job = Job(
        job_id=row.job_id,
        user=row.user,
        name=row.name,
        command=row.command,
        workdir=Path(row.workdir) if row.workdir else None,
        vc=row.vc,
        gpus=row.gpus,
        nodes=row.nodes,
        submit_s=row.submit_s + shift_s,
        start_s=None if start_s is None else start_s + shift_s,
        end_s=None if end_s is None else end_s + shift_s,
        status=status,
        extra=extra,
    )
    used = row.gpu_util, row.gpu_memory_gib
    hardware = None if used == (None, None) else Hardware(gpu_util=used[0], gpu_memory_gib=used[1])
    told = (*backwards(job), *notes)
    return PastJob(job=job, source=source, ran_s=ran_s, hardware=hardware, notes=told)


def beside(row: Row) -> dict[str, str]:
    """Write what has no field of its own: where it ran, its limit, the host's memory."""
    numbers = (row.limit_s, row.memory_asked_gib, row.memory_used_gib)
    names = ("limit_s", "memory_asked_gib", "memory_used_gib")
    told = {name: f"{value:.6g}" for name, value in zip(names, numbers, strict=True) if value is not None}
    return told | ({"node_list": row.node_list} if row.node_list else {})


def moment(told_s: float | None) -> float | None:
    """Give a time that can be one."""
    return told_s if told_s is not None and math.isfinite(told_s) and abs(told_s) < LONGEST_S else None
