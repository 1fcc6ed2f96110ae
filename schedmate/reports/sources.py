"""Where a report's jobs come from: the history, a scheduler's records, and the logs of those that died."""

import json
from collections.abc import Iterator
from functools import lru_cache
from sqlite3 import Connection
from typing import Any, TextIO

from schedmate.history.importers import FORMATS
from schedmate.history.importers.from_rows import unusable
from schedmate.history.importers.reading import (
    OWN_READERS,
    Advance,
    OpenedHistory,
    as_text,
    detect,
    jobs_of,
    opened,
    sifted,
    size_of,
    unit_of,
)
from schedmate.history.importers.statuses import status_of, tells_more
from schedmate.history.jobs import count_jobs, iterate_rows
from schedmate.knowledge.own_limits import blames_machine
from schedmate.readers.templates import mask_line
from schedmate.reports.past import NO_NUMBER, Found, Gathering, Told
from schedmate.schemas import Diagnosis, PastJob
from schedmate.traces.formats import reader
from schedmate.traces.reading import file_and_format
from schedmate.traces.rows import LONGEST_S, ODD_ATTEMPTS, BadRow, BadRows, Row

EVERY_ROWS = 2000
MOST_QUOTE = 300
status = lru_cache(maxsize=1000)(status_of)
more = lru_cache(maxsize=1000)(tells_more)


def from_history(gathering: Gathering, connection: Connection, advance: Advance) -> None:
    """Take all jobs of the history; `advance` hears how many of how many."""
    gathering.new_source()
    total = count_jobs(connection)
    for count, row in enumerate(iterate_rows(connection)):
        if count % EVERY_ROWS == 0:
            advance(count, total)
        place = gathering.add(kept(row), f"{row['source']}\0{row['job_id']}")
        if row["diagnosis"]:
            gathering.found[place] = found_of(Diagnosis.model_validate_json(row["diagnosis"]))


def kept(row: Any) -> Told:
    """Read a row of the history's table."""
    extra = json.loads(row["extra"]) if row["extra"] else {}
    util = json.loads(row["hardware"]).get("gpu_util") if row["hardware"] else None
    return Told(
        row["job_id"],
        row["user"],
        row["name"],
        row["vc"],
        row["status"],
        extra.get("state", ""),
        row["gpus"],
        extra.get("node_list", ""),
        row["run_key"] or same(row["user"], row["name"], row["workdir"], row["gpus"]),
        number(row["submit_s"]),
        number(row["start_s"]),
        number(row["end_s"]),
        number(row["duration_s"]),
        number(extra.get("limit_s")),
        number(extra.get("memory_asked_gib")),
        number(extra.get("memory_used_gib")),
        number(util),
        number(extra.get("gpu_s")),
    )


def from_file(gathering: Gathering, path: str, advance: Advance) -> OpenedHistory:
    """Take the jobs of a scheduler's records or of a trace; tell what could not be read."""
    gathering.new_source()
    path, form = file_and_format(path, FORMATS)
    with opened(path) as raw:
        stream = as_text(raw)
        form = form or detect(stream, path)
        reading = OpenedHistory(path, form, form, BadRows(path, "skip", unit_of(stream, form)))
        total = size_of(raw)
        for count, told in enumerate(told_by(stream, reading)):
            if count % EVERY_ROWS == 0:
                advance(raw.tell(), total)
            gathering.add(told)
    return reading


def told_by(stream: TextIO, reading: OpenedHistory) -> Iterator[Told]:
    """Read jobs: records of an engine through the history's reader, tables row by row."""
    if reading.form in OWN_READERS:
        for past in jobs_of(stream, reading, 0.0):
            yield of_past(past)
        return
    for row in sifted(reader(reading.form)(stream), reading):
        if why := unusable(row):
            reading.bad.add(BadRow(row.line, why))
        else:
            yield of_row(row)


def of_row(row: Row) -> Told:
    """Take a row as the history takes it: what the clocks contradict is not known."""
    ended = status(row.status)
    ran_s, start_s, end_s = row.duration_s, row.start_s, row.end_s
    if ran_s is None and start_s is not None and end_s is not None:
        ran_s = end_s - start_s
    if ODD_ATTEMPTS in row.extra:
        ran_s = start_s = None
    if ended in {"pending", "running"} or (start_s is None and end_s is not None and not ran_s):
        ran_s = None
    if ran_s is not None and not 0 <= ran_s < LONGEST_S:
        ran_s = None
    return Told(
        row.job_id,
        row.user,
        row.name,
        row.vc,
        ended,
        row.status if more(row.status) else "",
        row.gpus,
        row.node_list,
        same(row.user, row.name, row.workdir, row.gpus),
        row.submit_s,
        NO_NUMBER if start_s is None else start_s,
        NO_NUMBER if end_s is None or ended in {"pending", "running"} else end_s,
        number(ran_s),
        number(row.limit_s),
        number(row.memory_asked_gib),
        number(row.memory_used_gib),
        number(row.gpu_util),
    )


def of_past(past: PastJob) -> Told:
    """Take a job of an engine's own records."""
    job, extra = past.job, past.job.extra
    return Told(
        job.job_id,
        job.user,
        job.name,
        job.vc,
        job.status,
        extra.get("state", ""),
        job.gpus,
        extra.get("node_list", ""),
        same(job.user, job.name, str(job.workdir or ""), job.gpus),
        number(job.submit_s),
        number(job.start_s),
        number(job.end_s),
        number(past.duration_s),
        number(extra.get("limit_s")),
        number(extra.get("memory_asked_gib")),
        number(extra.get("memory_used_gib")),
        number(None if past.hardware is None else past.hardware.gpu_util),
        number(extra.get("gpu_s")),
    )


def same(user: str, name: str, workdir: str, gpus: float) -> int:
    """Number what is run again and again, where no command tells it: the same name of the same user in one place."""
    return hash((user, name, workdir, gpus)) if name else 0


def number(value: float | str | None) -> float:
    """Read a number that may be missing."""
    try:
        return NO_NUMBER if value is None else float(value)
    except ValueError:
        return NO_NUMBER


def found_of(diagnosis: Diagnosis) -> Found:
    """Take of a diagnosis what is counted."""
    faulty = (*diagnosis.faulty_components, *([diagnosis.root_host] if diagnosis.root_host else []))
    quote = diagnosis.root_excerpt.strip()[:MOST_QUOTE]
    return Found(
        diagnosis.category,
        diagnosis.subcategory or "",
        diagnosis.failure_id or "",
        mask_line(quote),
        quote,
        faulty if blames_machine(diagnosis.category, diagnosis.failure_id) else (),
        diagnosis.should_restart,
    )
