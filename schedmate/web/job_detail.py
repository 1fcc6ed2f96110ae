"""All that is known of one job, put together for its page."""

import time
from dataclasses import dataclass, field
from typing import Any, TypeVar

from markupsafe import Markup
from pydantic import ValidationError

from schedmate.errors import SchedMateError
from schedmate.history.live import LiveStore
from schedmate.history.live_rows import LiveRow, RunRow
from schedmate.history.overviews import JobLine, Lines, gpu_load, job_lines
from schedmate.scheduling.live.job_account import facts_of, place_of, stands
from schedmate.scheduling.live.stores import OwnStore
from schedmate.schemas import Diagnosis, Estimate, Evidence, Hardware, Noun, Workload
from schedmate.tools.time_spans import span
from schedmate.web.charts import Span, line_chart, time_line
from schedmate.web.curve import Curves
from schedmate.web.log_page import LogLine, log_page
from schedmate.web.queries import Deed, deeds

AROUND = 14
"""Lines of a log that are shown around the first fault."""
N = TypeVar("N", bound=Noun)
FIELDS_LEFT_OUT = frozenset({"extra", "evidence"})


@dataclass(frozen=True)
class FoundField:
    """One thing that was read of what the job is, and where that stands."""

    name: str
    value: str
    quotes: tuple[Evidence, ...]


@dataclass(frozen=True)
class JobDetail:
    """A job's page."""

    row: LiveRow
    line: JobLine
    facts: list[str]
    queue: dict[str, Any] | None
    fields: list[FoundField]
    estimate: Estimate | None
    hardware: Hardware | None
    runs: list[RunRow]
    run_words: list[str]
    time_line: Markup
    loss: Markup
    speed: Markup
    load: Markup
    """How busy its GPUs are."""
    skipped: int
    diagnosis: Diagnosis | None
    failed_run: int
    """The run that the diagnosis is of; 0: none."""
    log: str
    """Its log."""
    around: list[LogLine]
    deeds: list[Deed]
    log_note: str = ""
    trouble: list[str] = field(default_factory=list)


def job_detail(store: OwnStore, curves: Curves, name: str) -> JobDetail:
    """Put a job's page together; what its log does not give is left out and said."""
    row = store.job(store.number_of(name))
    runs = store.runs(row.id)
    queue = stands(row, store)
    trouble: list[str] = []
    diagnosis = read_back(Diagnosis, row.diagnosis, trouble)
    workload = read_back(Workload, row.workload, trouble)
    failed = next((run.run for run in reversed(runs) if run.failure), runs[-1].run if runs and diagnosis else 0)
    loss, speed, skipped = curves.of(store.log_of(row.id, runs[-1].run)) if runs else ([], [], 0)
    around, note = surroundings(store, row, failed, diagnosis)
    return JobDetail(
        row=row,
        line=job_lines(store.connection, Lines(numbers=(row.id,)), limit=1)[0],
        facts=facts_of(row, store, queue),
        queue=None if queue is None else {**queue},
        fields=fields_of(workload) if workload is not None else [],
        estimate=read_back(Estimate, row.estimate, trouble),
        hardware=read_back(Hardware, row.hardware, trouble),
        runs=runs,
        run_words=[words_of(run) for run in runs],
        time_line=drawn(row, runs),
        loss=line_chart(loss, "loss", "step"),
        speed=line_chart(speed, "seconds a step", "step"),
        load=load_of(store, runs[-1]) if runs else Markup(""),
        skipped=skipped,
        diagnosis=diagnosis,
        failed_run=failed,
        log=str(store.log_of(row.id, failed)) if failed else "",
        around=around,
        deeds=deeds(store, job=row.id).deeds,
        log_note=note,
        trouble=trouble,
    )


def read_back(noun: type[N], text: str, trouble: list[str]) -> N | None:
    """Read what the store keeps; what another version has written, and this one cannot read, is said to be there."""
    try:
        return noun.model_validate_json(text) if text else None
    except ValidationError:
        trouble.append(f"its {noun.__name__.lower()} was written by another version of SchedMate, and is not shown")
        return None


def fields_of(workload: Workload) -> list[FoundField]:
    """List what was read of the job's code, with the lines that it rests on."""
    told = workload.model_dump(exclude_none=True)
    known = [(name, value) for name, value in told.items() if name not in FIELDS_LEFT_OUT]
    known += sorted(workload.extra.items())
    return [FoundField(name, worded(value), workload.evidence.get(name, ())) for name, value in known]


def worded(value: object) -> str:
    """Write a value for people."""
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else f"{value}"


def words_of(run: RunRow) -> str:
    """Say where a run was and how it ended."""
    words = place_of(run.parts)
    if run.ended_s is None:
        return f"{words}: runs"
    code = f", code {run.code}" if run.code else ""
    failure = f", {run.failure}" if run.failure else ""
    return f"{words}: {run.outcome or run.stopping} after {span(run.took_s or 0.0)}{code}{failure}"


def load_of(store: LiveStore, run: RunRow) -> Markup:
    """Draw how busy a run keeps its GPUs; of one that was measured hardly or not there is nothing."""
    began_s = run.began_s or run.intended_s
    points = [((at_s - began_s) / 60, 100 * share) for at_s, share in gpu_load(store.connection, run.job, run.run)]
    return line_chart(points, "GPU load in %", "minute", (0.0, 100.0))


def drawn(row: LiveRow, runs: list[RunRow]) -> Markup:
    """Draw waiting and runs over time."""
    now_s = time.time()
    end_s = row.end_s if row.end_s is not None and row.state not in ("pending", "running") else now_s
    spans, free_s = [], row.submit_s
    for run in runs:
        began_s = run.began_s or run.intended_s
        ended_s = now_s if run.ended_s is None else run.ended_s
        if began_s - free_s > 0:
            spans.append(Span("waits", free_s, began_s, "waiting", f"waits {span(began_s - free_s)}"))
        kind = "running" if run.ended_s is None else run.outcome or "stopped"
        spans.append(Span(f"run {run.run}", began_s, ended_s, kind, f"run {run.run} on {words_of(run)}"))
        free_s = ended_s
    if row.state in ("pending", "held", "examined"):
        spans.append(Span("waits", free_s, now_s, "waiting", f"{row.state} {span(now_s - free_s)}"))
        end_s = now_s
    clock = "%m-%d %H:%M:%S"
    ends = (time.strftime(clock, time.localtime(row.submit_s)), time.strftime(clock, time.localtime(end_s)))
    return time_line(spans, row.submit_s, max(end_s, row.submit_s + 1), ends) if spans else Markup("")


def surroundings(store: LiveStore, row: LiveRow, run: int, diagnosis: Diagnosis | None) -> tuple[list[LogLine], str]:
    """Give the lines around the first fault."""
    if diagnosis is None or not diagnosis.root_line or not run:
        return [], ""
    path = store.log_of(row.id, run)
    if diagnosis.root_path and diagnosis.root_path not in (str(path), diagnosis.log):
        return [], f"the first fault is in {diagnosis.root_path}"
    try:
        return log_page(path, line=diagnosis.root_line, lines=2 * AROUND).lines, ""
    except SchedMateError as error:
        return [], f"{error.message}; [keep] says how long logs stay"
