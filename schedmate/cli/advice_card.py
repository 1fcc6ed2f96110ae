"""The card of an estimate: what to expect, what to look out for, and the jobs that say so."""

from rich.console import Console
from rich.table import Table
from rich.text import Text

from schedmate.cli.extraction_card import LABELS
from schedmate.cli.render import console
from schedmate.counts import how_many
from schedmate.history.expectation import expected_s, rests_on_few
from schedmate.schemas import Estimate, SimilarJob

SOURCES = {
    "resubmission": "it has run before",
    "similar": "from similar jobs",
    "fallback": "nothing similar is known",
}
STYLES = {"completed": "green", "failed": "red", "node_fail": "red", "timeout": "yellow", "cancelled": "yellow"}

SHOWN = 6
"""Fields of each kind, and jobs, that are named on a card; --json has them all."""


def print_card(estimate: Estimate) -> None:
    """Print what to expect."""
    out = console()
    for label, value in rows_of(estimate):
        line = Text(f"{label:14}", style="bold")
        line.append(value, style="yellow" if value.startswith("unknown") else "none")
        out.print(line)
    for warning in estimate.warnings:
        out.print(Text(f"warning: {warning}", style="bold yellow"))
    if estimate.similar:
        out.print()
        print_similar(out, estimate)
    out.print()
    told = [SOURCES[estimate.source], *([rests(estimate.rests_on)] if estimate.rests_on else [])]
    out.print(Text(f"{'; '.join(told)}; {estimate.elapsed_s * 1000:,.0f} ms", style="dim"))
    for note in estimate.notes:
        out.print(Text(f"note: {note}", style="yellow"))


def rests(jobs: tuple[str, ...]) -> str:
    """Name the past jobs that the answer rests on; of many the first; --json lists all."""
    more = f" and {len(jobs) - SHOWN} more" if len(jobs) > SHOWN else ""
    return f"rests on past job{'s' * (len(jobs) != 1)} {', '.join(jobs[:SHOWN])}{more}"


def rows_of(estimate: Estimate) -> list[tuple[str, str]]:
    """Give label and value of each line."""
    speed = None if estimate.throughput is None else f"{estimate.throughput:,.4g} {estimate.throughput_unit or ''}"
    memory = None if estimate.gpu_memory_gib is None else f"{estimate.gpu_memory_gib:.1f} GiB"
    return [
        ("duration", duration(estimate)),
        ("GPU busy", percent(estimate.gpu_util)),
        ("GPU memory", memory or "unknown"),
        ("throughput", (speed or "unknown").strip()),
        ("fails", chance(estimate.p_failure, estimate)),
        ("is cancelled", chance(estimate.p_cancel, estimate)),
    ]


def duration(estimate: Estimate) -> str:
    """Write what is expected, and how far it may lie from that; few jobs tell no range."""
    if (mean_s := expected_s(estimate)) is None:
        return "unknown"
    told = span(mean_s)
    if rests_on_few(estimate):
        return f"{told}; its range is unknown ({few(estimate)})"
    if estimate.duration_p90_s is not None:
        told += f", 9 in 10 end within {span(estimate.duration_p90_s)}"
    if estimate.duration_p10_s is not None:
        told += f" (1 in 10 within {span(estimate.duration_p10_s)})"
    return told


def chance(share: float | None, estimate: Estimate) -> str:
    """Write how likely an end is; few jobs tell no more than what they themselves did."""
    return f"unknown ({few(estimate)})" if share is not None and rests_on_few(estimate) else percent(share)


def few(estimate: Estimate) -> str:
    """Write which few jobs there are, with their ends where they are known."""
    ends = {job.job_id: job.status for job in estimate.similar}
    named = ", ".join(f"{job} {ends[job]}" if job in ends else job for job in estimate.rests_on)
    count = how_many(len(estimate.rests_on), "past job")
    return f"{count}: {named}" if named else count


def print_similar(out: Console, estimate: Estimate) -> None:
    """Print the past jobs, and why they are thought to be alike."""
    table = Table(box=None, header_style="bold", pad_edge=False)
    for column, justify in (("past job", "left"), ("user", "left"), ("likeness", "right"), ("ran", "right")):
        table.add_column(column, justify="right" if justify == "right" else "left", no_wrap=True)
    table.add_column("ended", no_wrap=True)
    table.add_column("agrees / differs (here, there)")
    for job in estimate.similar:
        table.add_row(
            Text(job.job_id),
            Text(job.user),
            f"{job.similarity:.2f}",
            "-" if job.duration_s is None else span(job.duration_s),
            Text(job.status, style=STYLES.get(job.status, "dim")),
            why(job),
        )
    out.print(table)


def why(job: SimilarJob) -> Text:
    """Name the fields that agree, then those that differ with both values."""
    agreeing = [label(name) for name in job.agrees[:SHOWN]]
    text = Text(", ".join(agreeing) or "-", style="green" if agreeing else "dim")
    for name in job.differs[:SHOWN]:
        here, there = job.compared.get(name, ("", ""))
        text.append(f"; {label(name)} {here}, {there}", style="yellow")
    return text


def label(name: str) -> str:
    """Write a field's name for people."""
    return LABELS.get(name, name.replace("_", " "))


def percent(share: float | None) -> str:
    """Write a share."""
    return "unknown" if share is None else f"{share:.0%}"


def span(seconds: float) -> str:
    """Write a time with the two units that matter."""
    if seconds < 60:
        return f"{seconds:.0f} s"
    if seconds < 3600:
        return f"{seconds // 60:.0f} min {seconds % 60:.0f} s"
    if seconds < 86_400:
        return f"{seconds // 3600:.0f} h {seconds % 3600 // 60:.0f} min"
    return f"{seconds // 86_400:.0f} d {seconds % 86_400 // 3600:.0f} h"
