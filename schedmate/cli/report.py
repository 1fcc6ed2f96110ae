"""`schedmate report`: what the jobs of a site tell, as a page and as figures."""

import os
import time
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from schedmate.cli.saying import say
from schedmate.counts import how_many
from schedmate.scheduling.policy_table import COMPARED, REPLAYABLE

if TYPE_CHECKING:
    from schedmate.reports.findings import Report
    from schedmate.reports.past import Gathering

SINCE_S = 30 * 86_400.0
MOST_LINES = 10


def report(
    logs: list[str] = typer.Argument(None, metavar="[LOGS]...", help="Logs to diagnose: files, folders, patterns."),
    history: bool = typer.Option(
        False, "--history", help="The jobs of `schedmate history`; so where nothing is named."
    ),
    slurm: bool = typer.Option(False, "--slurm", help="Ask this host's sacct."),
    jobs: list[str] | None = typer.Option(
        None,
        "--jobs",
        metavar="FILE",
        help="Records: FILE or FILE:format (sacct, ray, kubernetes, philly, helios, acme, pai, csv). Several times.",
    ),
    since: str = typer.Option(
        "", "--since", metavar="TIME", help="Jobs over since then: 2026-05-01, 30d; else all (--slurm: 30d)."
    ),
    until: str = typer.Option("", "--until", metavar="TIME", help="Jobs over by then."),
    output: Path | None = typer.Option(None, "--output", "-o", metavar="FILE.html", help="Write the page there."),
    as_json: bool = typer.Option(False, "--json", help="Print the figures as one JSON object."),
    saved_every: float = typer.Option(
        30.0, "--saved-every", min=0, metavar="MINUTES", help="How often jobs are taken to save."
    ),
    nodes: str = typer.Option(
        "", "--nodes", help="The cluster to replay on, as 16x8:a100; else as the records show it."
    ),
    policy: str = typer.Option(",".join(COMPARED), "--policy", help="Replayed, commas between; empty: nothing."),
    workers: int = typer.Option(0, "--workers", min=0, help="Logs read at once; 0: one a core."),
) -> None:
    """Report on a site's jobs: failures and their cost, nodes that fail more than chance, waiting, and what if.

    Reads only. docs/report.md tells what each figure means and rests on.

    Examples: schedmate report --slurm --since 30d -o report.html;
    sacct -a -P -S 2026-09-01 -o ALL > jobs.txt && schedmate report --jobs jobs.txt 'logs/slurm-*.out' -o report.html;
    schedmate report --history --json | jq .nodes.rows
    """
    from schedmate.cli.history_options import moment
    from schedmate.cli.render import progress
    from schedmate.reports.making import ReportOptions, make_report
    from schedmate.reports.past import Gathering

    check_page(output, as_json)
    asked = ReportOptions(saved_every * 60, nodes, policies_of(policy))
    since_s, until_s = moment(since), moment(until)
    if slurm and since_s is None:
        since_s = time.time() - SINCE_S
    gathering = Gathering()
    sources, notes = gathered(gathering, history or not (slurm or jobs or logs), slurm, jobs or [], since_s)
    if logs:
        notes += diagnosed(gathering, logs, workers or os.cpu_count() or 1)
        sources.append(how_many(len(gathering.found), "log"))
    past = gathering.past().over_within(since_s, until_s)
    with progress("counting") as advance:
        made = make_report(past, sources, asked, notes, advance)
    hand_out(made, output, as_json)


def check_page(output: Path | None, as_json: bool) -> None:
    """Refuse before all the work what could not be written after it."""
    from schedmate.errors import InputError
    from schedmate.tools.output import check_output

    if output is None and not as_json:
        raise InputError("nothing says where the report goes", "give -o report.html, or --json, or both")
    if output is not None and output.suffix != ".html":
        raise InputError(f"{output} is no page", "end it in .html")
    check_output(output)


def hand_out(made: "Report", output: Path | None, as_json: bool) -> None:
    """Write the page, and print the figures or what they come to."""
    from schedmate.cli.history_options import say_notes
    from schedmate.reports.page import page
    from schedmate.tools.output import whole

    if output is not None:
        with whole(output) as stream:
            stream.write(page(made))
    say(made.model_dump_json() if as_json else in_short(made, output))
    say_notes(list(made.notes)[:10])


def diagnosed(gathering: "Gathering", logs: list[str], workers: int) -> list[str]:
    """Add what the logs tell; give what was wrong with them."""
    from schedmate.cli.render import progress
    from schedmate.reports.logs import from_logs

    with progress("diagnosing") as advance:
        return from_logs(gathering, logs, workers, advance)


def policies_of(text: str) -> tuple[str, ...]:
    """Read the policies to be replayed."""
    from schedmate.errors import InputError

    wanted = tuple(dict.fromkeys(name.strip() for name in text.split(",") if name.strip()))
    if unknown := [name for name in wanted if name not in REPLAYABLE]:
        raise InputError(f"there is no policy '{unknown[0]}'", f"there are: {', '.join(REPLAYABLE)}")
    return wanted


def gathered(
    gathering: "Gathering", history: bool, slurm: bool, files: list[str], since_s: float | None
) -> tuple[list[str], list[str]]:
    """Take the jobs of all sources that are named; give their names, and what was wrong with them."""
    import tempfile

    from schedmate.cli.history_options import history_to_read
    from schedmate.cli.render import progress
    from schedmate.clusters.engines import write_accounting
    from schedmate.reports.sources import from_file, from_history

    sources: list[str] = []
    notes: list[str] = []
    if history:
        with history_to_read() as connection, progress("reading the history") as advance:
            from_history(gathering, connection, advance)
        sources.append("the history")
    if slurm:
        with tempfile.NamedTemporaryFile("w", suffix=".sacct") as table:
            with progress("asking sacct") as advance:
                write_accounting(table.file, since_s or 0.0, time.time(), advance)
            table.flush()
            from_file(gathering, f"{table.name}:sacct", lambda done, total: None)
        sources.append("Slurm's accounting")
    for path in files:
        with progress(f"reading {path}", as_bytes=True) as advance:
            read = from_file(gathering, path, advance)
        sources.append(path)
        notes += read.bad.notes()
    return sources, notes


def in_short(made: "Report", output: Path | None) -> str:
    """Write the few lines that an operator wants at once."""
    from schedmate.reports.markup import amount, took

    lines = [
        f"{made.since} to {made.until}: {how_many(made.jobs, 'job')}, {amount(made.gpu_hours)} GPU hours",
        f"{made.failures:,} failed and had taken {amount(made.failed_gpu_hours)} GPU hours; of "
        f"{made.diagnosed:,} a log was read",
    ]
    lines += [
        f"  {group.name:16} {how_many(group.failures, 'failure'):>14} {amount(group.gpu_hours):>12} GPU hours"
        for group in made.by_class
    ]
    bad = [row for row in made.nodes.rows if row.stands_out]
    if made.nodes.compared:
        lines.append(f"{len(bad)} of {how_many(made.nodes.compared, 'node')} fail more than chance")
        lines += [
            f"  {row.node:16} {how_many(row.failures, 'failure'):>14}, {row.expected:.2g} by chance "
            f"({row.low:.1f} to {row.high:.1f} times)"
            for row in bad[:MOST_LINES]
        ]
    if wait := next((one for one in made.waits if one.name == "all"), None):
        lines.append(f"jobs waited {took(wait.mean_s)} on average, one in ten more than {took(wait.p90_s)}")
    if output is not None:
        lines.append(f"wrote {output}")
    return "\n".join(lines)
