"""Philly's cluster_job_log: a JSON list of jobs, each with its attempts."""

from collections.abc import Iterator
from typing import Any, TextIO

from schedmate.traces.formats.json_text import json_items
from schedmate.traces.formats.table import moment_s
from schedmate.traces.rows import ODD_ATTEMPTS, BadRow, Row, misfit


def read(stream: TextIO) -> Iterator[Row | BadRow]:
    """Read one entry a job; `line` counts entries, as the file is one line to an editor."""
    for place, job in enumerate(json_items(stream, hint="Philly's file is cluster_job_log"), 1):
        try:
            yield entry(place, job)
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            yield BadRow(place, misfit(error))


def entry(place: int, job: dict[str, Any]) -> Row:
    """Add the run times of all attempts; the first one tells the GPUs."""
    attempts = [a for a in job.get("attempts") or [] if known(a.get("start_time")) and known(a.get("end_time"))]
    starts = [moment_s(a["start_time"], "start_time") for a in attempts]
    ends = [moment_s(a["end_time"], "end_time") for a in attempts]
    ran = [end - start for start, end in zip(starts, ends, strict=True)]
    odd = sum(one < 0 for one in ran)
    gpus = sum(len(part.get("gpus") or []) for part in (attempts[0].get("detail") or [])) if attempts else 0
    return Row(
        place,
        str(job["jobid"]),
        moment_s(str(job["submitted_time"]), "submitted_time"),
        sum(ran) if attempts else None,
        gpus,
        str(job.get("user") or ""),
        str(job.get("vc") or ""),
        "",
        str(job.get("status") or ""),
        extra=f"attempts={len(attempts)}" + (f";{ODD_ATTEMPTS}={odd}" if odd else ""),
        start_s=min(starts, default=None),
        end_s=max(ends, default=None),
    )


def known(stamp: object) -> bool:
    """Tell whether a time stamp is there; Philly writes None as a word."""
    return isinstance(stamp, str) and stamp not in {"", "None"}
