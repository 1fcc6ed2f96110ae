"""Write jobs of the past out again: all that is known as JSON lines, or the project's own table."""

import csv
from collections.abc import Callable, Iterable
from typing import Any, Literal, TextIO

from schedmate.schemas import PastJob
from schedmate.traces.writing import cell

ExportFormat = Literal["jsonl", "csv"]
HEADER = (
    "job_id", "user", "vc", "name", "submit_s", "duration_s", "gpus", "status", "kind", "extra", "start_s", "end_s",
    "command", "workdir",
)  # fmt: skip
EVERY = 500


def export_jobs(
    jobs: Iterable[PastJob], stream: TextIO, form: ExportFormat, advance: Callable[[int], None] = lambda done: None
) -> int:
    """Write one job a line and count them; `import` reads either back."""
    table = csv.writer(stream, lineterminator="\n")
    if form == "csv":
        table.writerow(HEADER)
    count = 0
    for past in jobs:
        if form == "csv":
            table.writerow(cells(past))
        else:
            stream.write(past.model_dump_json(exclude_defaults=True) + "\n")
        count += 1
        if count % EVERY == 0:
            advance(count)
    advance(count)
    return count


def cells(past: PastJob) -> list[Any]:
    """Give the cells of the table; it holds what schedulers know, not what was read of logs and code."""
    job = past.job
    extra = {key: value for key, value in job.extra.items() if key != "gpu_type"}
    return [
        cell(job.job_id),
        cell(job.user),
        cell(job.vc),
        cell(job.name),
        number(job.submit_s),
        number(past.duration_s),
        number(job.gpus),
        job.status.upper(),
        cell(job.extra.get("gpu_type", "")),
        cell(";".join(f"{key}={value}" for key, value in extra.items())),
        number(job.start_s),
        number(job.end_s),
        cell(job.command),
        "" if job.workdir is None else cell(str(job.workdir)),
    ]


def number(value: float | None) -> str:
    """Write whole numbers without a point, and nothing for what is not known."""
    if value is None:
        return ""
    return str(int(value)) if value == int(value) else repr(value)
