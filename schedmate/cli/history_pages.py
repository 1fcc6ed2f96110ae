"""How jobs of the past look on a terminal."""

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from schedmate.cli.render import console
from schedmate.counts import how_many
from schedmate.tools.shortening import short

if TYPE_CHECKING:
    from schedmate.history.importers.importing import Imported
    from schedmate.history.stats import Stats
    from schedmate.schemas import PastJob, Workload

COLOURS = {"completed": "green", "failed": "red", "timeout": "red", "node_fail": "red", "running": "cyan"}
LONGEST = 60


def when(moment_s: float | None) -> str:
    """Write a moment; seconds that count from a trace's own beginning stay seconds."""
    if moment_s is None:
        return "-"
    if abs(moment_s) < 1e8:
        return f"{moment_s:,.0f} s"
    try:
        return f"{datetime.fromtimestamp(moment_s, UTC):%Y-%m-%d %H:%M}"
    except (OverflowError, ValueError, OSError):
        return f"{moment_s:g} s"


def long(duration_s: float | None) -> str:
    """Write a duration in two units."""
    if duration_s is None:
        return "-"
    for unit, size, smaller, part in (("d", 86_400, "h", 3_600), ("h", 3_600, "m", 60), ("m", 60, "s", 1)):
        if duration_s >= size:
            return f"{int(duration_s // size)}{unit} {int(duration_s % size // part)}{smaller}"
    return f"{duration_s:.0f}s"


def coloured(status: str) -> Text:
    """Colour a status."""
    return Text(status, COLOURS.get(status, ""))


def kind_of(workload: "Workload | None") -> str:
    """Say in a few words what a job was."""
    if workload is None:
        return ""
    return " · ".join(value for value in (workload.model_name, workload.dataset_name, workload.task) if value)


def print_jobs(jobs: "list[PastJob]", total: int) -> None:
    """Print one line a job."""
    page = console()
    if not jobs:
        page.print("no such jobs; schedmate history stats says what there is, history import adds some")
        return
    table = Table(
        "job", "user", "what", "gpus", "status", "submitted", "ran", box=None, header_style="bold", pad_edge=False
    )
    table.columns[3].justify = table.columns[6].justify = "right"
    for past in jobs:
        job = past.job
        what = kind_of(past.workload) or job.name or job.command
        cells = (job.job_id, job.user, short(what, LONGEST), f"{job.gpus:g}", coloured(job.status))
        table.add_row(*cells, when(job.submit_s), long(past.duration_s))
    page.print(table)
    if total > len(jobs):
        page.print(f"{len(jobs):,} of {total:,}; more with --limit", style="dim")


def print_job(past: "PastJob", before: "list[PastJob]") -> None:
    """Print all that is known of a job, then earlier runs of the same thing."""
    page = console()
    job = past.job
    head = Text.assemble((job.job_id, "bold"), f" from {past.source}  ", coloured(job.status))
    page.print(head.append(f"  {long(past.duration_s)}"))
    table = Table(box=None, show_header=False, pad_edge=False)
    fields = {
        "user": job.user,
        "name": job.name,
        "command": job.command,
        "workdir": str(job.workdir or ""),
        "branch": job.git_branch,
        "vc": job.vc,
        "gpus": f"{job.gpus:g}" if job.gpus else "",
        "submitted": when(job.submit_s),
        "started": when(job.start_s),
        "ended": when(job.end_s),
        **job.extra,
    }
    if past.workload:
        facts = past.workload.model_dump(exclude={"evidence", "extra"}, exclude_none=True)
        fields |= {f"workload {name}": str(value) for name, value in facts.items()}
    if past.metrics:
        facts = past.metrics.model_dump(
            include={"step_time_s", "throughput", "throughput_unit", "loss", "step", "phase"}
        )
        fields |= {name: str(value) for name, value in facts.items() if value is not None}
    if past.hardware:
        fields |= {name: f"{value:g}" for name, value in past.hardware.model_dump(exclude_none=True).items() if value}
    if past.diagnosis:
        fields["diagnosis"] = f"{past.diagnosis.failure_id or past.diagnosis.category}: {past.diagnosis.root_excerpt}"
    for name, value in fields.items():
        if value and value != "-":
            table.add_row(name, value)
    page.print(table)
    for note in past.notes:
        page.print(f"note: {note}", style="yellow")
    if before:
        page.print("\nearlier runs of the same thing", style="bold")
        print_jobs(before, len(before))


def print_imported(done: "Imported") -> None:
    """Print what an import did, and what was wrong with the file."""
    page = console()
    rate = f", {(done.new + done.changed + done.same) / done.elapsed_s:,.0f} a second" if done.elapsed_s > 1 else ""
    page.print(
        f"{done.path} ({done.format}): {done.new:,} new, {done.changed:,} changed, {done.same:,} known"
        f" in {done.elapsed_s:.1f} s{rate}"
    )
    for what, count, shown in (
        (how_many(done.bad, "bad row") + " left out", done.bad, done.bad_shown),
        (how_many(done.odd, "odd job") + " kept", done.odd, done.odd_shown),
    ):
        if count:
            page.print(what, style="yellow")
            for line in shown:
                page.print(f"  {line}")
            if count > len(shown):
                page.print(f"  and {count - len(shown):,} more")


def print_stats(told: "Stats") -> None:
    """Print the numbers."""
    page = console()
    if not told.jobs:
        page.print("the history holds no jobs yet; fill it with: schedmate history import FILE")
        return
    table = Table(box=None, show_header=False, pad_edge=False)

    def share(count: int) -> str:
        return f"{count:,} ({count / told.jobs:.0%})" if told.jobs else "0"

    table.add_row("jobs", f"{told.jobs:,}, {told.ended:,} ended, of {how_many(told.users, 'user')}")
    table.add_row("submitted", f"{when(told.first_submit_s)} to {when(told.last_submit_s)}")
    table.add_row("GPU hours", f"{told.gpu_hours:,.0f}")
    table.add_row("ran", f"half up to {long(told.duration_p50_s)}, nine in ten up to {long(told.duration_p90_s)}")
    table.add_row("with a command", share(told.with_command))
    table.add_row("runs of the same", share(told.runs_of_the_same))
    table.add_row("with a workload", f"{share(told.with_workload)}, {how_many(told.workloads, 'different one')}")
    table.add_row("with metrics", share(told.with_metrics))
    table.add_row("with GPU use", share(told.with_hardware))
    table.add_row("with a diagnosis", share(told.with_diagnosis))
    table.add_row("with odd times", share(told.odd))
    for name, counts in (("status", told.by_status), ("sources", told.by_source), ("users", told.by_user)):
        table.add_row(name, ", ".join(f"{word or '(none)'} {count:,}" for word, count in counts.items()))
    table.add_row("on disk", f"{told.store_bytes / (1 << 20):,.1f} MB")
    page.print(table)
