"""Rows as readers give them, what is wrong with them, and how they become columns."""

import math
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import NamedTuple

import numpy as np

from schedmate.counts import how_many
from schedmate.errors import InputError
from schedmate.traces import OnBad
from schedmate.traces.columns import NO_LABELS, Floats, Labels, Sizes, Trace, by_submission

EPOCHAL_S, DAY_S = 1e8, 86_400.0
"""Times beyond the first are time stamps: they are counted from the midnight before the first job."""
LONGEST_S, MOST_GPUS = 1e11, 1e7
"""Beyond three thousand years, or ten million GPUs, a number is no time and no request."""
ODD_ATTEMPTS = "odd_attempts"
"""Among what else is told of a job: how many of its attempts ended before they started."""
DIGITS, LEAST = 6, 1e-6
"""How finely a part of a GPU is told, and the smallest."""
SHOWN = 5
"""How many bad rows are told one by one."""


class Row(NamedTuple):
    """One job as its file tells it; a duration of None is to be had from elsewhere."""

    line: int
    job_id: str
    submit_s: float
    duration_s: float | None
    gpus: float
    user: str = ""
    vc: str = ""
    name: str = ""
    status: str = ""
    kind: str = ""
    extra: str = ""
    start_s: float | None = None
    end_s: float | None = None
    command: str = ""
    workdir: str = ""
    nodes: int | None = None
    gpu_memory_gib: float | None = None
    gpu_util: float | None = None
    node_list: str = ""
    limit_s: float | None = None
    memory_asked_gib: float | None = None
    memory_used_gib: float | None = None
    account: str = ""
    qos: str = ""


class BadRow(NamedTuple):
    """A row that cannot be used, and why."""

    line: int
    reason: str


def misfit(error: Exception) -> str:
    """Say what is wrong with an entry that is not shaped like a job."""
    if isinstance(error, KeyError):
        return f"it has no {error}"
    return str(error) if isinstance(error, ValueError) else f"it is not shaped like a job: {error}"


class BadRows:
    """Counts bad rows and tells of the first few; with `stop` the first one ends the reading."""

    def __init__(self, source: str, on_bad: OnBad, unit: str = "line") -> None:
        self.source = source
        self.on_bad = on_bad
        self.unit = unit
        self.count = 0
        self.shown: list[str] = []

    def add(self, bad: BadRow) -> None:
        """Take in a bad row."""
        told = f"{self.unit} {bad.line}: {bad.reason}" if bad.line else bad.reason
        if self.on_bad == "stop":
            raise InputError(f"{self.source}, {told}", "mend the row, or have such rows left out: --on-bad skip")
        self.count += 1
        if len(self.shown) < SHOWN:
            self.shown.append(told)

    def notes(self) -> tuple[str, ...]:
        """Tell what was left out."""
        if not self.count:
            return ()
        more = f", and {self.count - len(self.shown)} more" if self.count > len(self.shown) else ""
        return (f"left out {how_many(self.count, 'bad row')} of {self.source}: {'; '.join(self.shown)}{more}",)


def fault(row: Row, needs_duration: bool) -> str:
    """Say what makes a row unusable; empty when nothing does."""
    if not row.job_id:
        return "no job id"
    if not abs(row.submit_s) < LONGEST_S:
        return f"job {row.job_id}: submit time {row.submit_s}"
    if row.duration_s is None:
        return f"job {row.job_id}: no duration" if needs_duration else ""
    if not 0 <= row.duration_s < LONGEST_S:
        return f"job {row.job_id}: duration {row.duration_s:g} s"
    if not 0 <= row.gpus < MOST_GPUS:
        return f"job {row.job_id}: {how_many(row.gpus, 'GPU')}"
    return ""


def gather(rows: Iterable[Row | BadRow], name: str, bad: BadRows, needs_duration: bool = True) -> Trace:
    """Turn rows into columns: sorted, without twins, parts of one GPU at most; what was done to them is noted."""
    good: list[Row] = []
    seen: dict[str, int] = {}
    cpu_jobs = parts = beyond = empty = 0
    for row in rows:
        if isinstance(row, BadRow):
            bad.add(row)
        elif why := fault(row, needs_duration):
            bad.add(BadRow(row.line, why))
        elif row.job_id in seen:
            bad.add(BadRow(row.line, f"job id {row.job_id} was seen at {bad.unit} {seen[row.job_id]}"))
        elif row.gpus == 0:
            cpu_jobs += 1
        else:
            seen[row.job_id] = row.line
            parts += row.gpus < 1
            beyond += row.gpus > 1 and row.gpus != int(row.gpus)
            empty += row.duration_s == 0
            good.append(row)
    notes = list(bad.notes())
    if cpu_jobs:
        notes.append(f"left out {how_many(cpu_jobs, 'job')} without GPUs")
    if beyond:
        notes.append(f"jobs that ask for several GPUs and a part of one, and get a whole one for it: {beyond}")
    if empty:
        notes.append(f"jobs that run for 0 s, so that they wait like others and end at once: {empty}")
    if not good:
        raise InputError(f"{bad.source} holds no GPU job that can be used", "; ".join(notes))
    return columns(good, name, tuple(notes))


def sizes(rows: list[Row]) -> Sizes:
    """Give what each job asks for: whole GPUs, or a part of one."""
    asked = [max(round(row.gpus, DIGITS), LEAST) if row.gpus < 1 else math.ceil(row.gpus) for row in rows]
    has_parts = any(gpus < 1 for gpus in asked)
    return np.array(asked, np.float64) if has_parts else np.array(asked, np.int64)


def waits(rows: list[Row]) -> Floats:
    """Give how long each job waited; nothing where no start is known."""
    if all(row.start_s is None for row in rows):
        return np.empty(0)
    return np.array([math.nan if row.start_s is None else row.start_s - row.submit_s for row in rows])


def limits(rows: list[Row]) -> Floats:
    """Give each job's time limit; nothing where none is known."""
    if all(row.limit_s is None for row in rows):
        return np.empty(0)
    return np.array([math.nan if row.limit_s is None else row.limit_s for row in rows])


def labels(words: list[str]) -> Labels:
    """Put words into a column; none where no row has one."""
    return Labels.of(words) if any(words) else NO_LABELS


def columns(rows: list[Row], name: str, notes: tuple[str, ...] = ()) -> Trace:
    """Put rows into columns, by submit time, then id."""
    count = len(rows)
    submit_s = np.fromiter((row.submit_s for row in rows), np.float64, count)
    earliest, origin_s = float(submit_s.min()) if count else 0.0, 0.0
    if earliest > EPOCHAL_S:
        origin_s = earliest // DAY_S * DAY_S
        submit_s -= origin_s
        notes = (*notes, f"times count from {datetime.fromtimestamp(origin_s, UTC):%Y-%m-%d} 00:00 UTC")
    elif earliest < 0:
        submit_s -= earliest
        notes = (*notes, f"times count from the first job, which came at {earliest:g} s")
    job_id = np.array([row.job_id for row in rows])
    trace = Trace(
        name=name,
        job_id=job_id,
        submit_s=submit_s,
        duration_s=np.fromiter((math.nan if r.duration_s is None else r.duration_s for r in rows), np.float64, count),
        gpus=sizes(rows),
        user=Labels.of([row.user for row in rows]),
        vc=Labels.of([row.vc for row in rows]),
        job_name=Labels.of([row.name for row in rows]),
        status=Labels.of([row.status for row in rows]),
        kind=Labels.of([row.kind for row in rows]),
        line=np.fromiter((row.line for row in rows), np.int64, count),
        extra=tuple(row.extra for row in rows) if any(row.extra for row in rows) else (),
        waited_s=waits(rows),
        limit_s=limits(rows),
        origin_s=origin_s,
        account=labels([row.account for row in rows]),
        qos=labels([row.qos for row in rows]),
        notes=notes,
    )
    order = by_submission(submit_s, job_id)
    if (order == np.arange(count)).all():
        return trace
    return trace.rows_in_order(order)
