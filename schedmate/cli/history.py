"""`schedmate history`: the jobs of the past, looked at, added, imported, exported, pruned."""

import json
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from sqlite3 import Connection

    from schedmate.history.jobs import Which

app = typer.Typer(no_args_is_help=True, help="The jobs of the past: import, list, show, export, prune them.")

USER = typer.Option("", "--user", "-u", help="Only this user's jobs.")
STATUS = typer.Option(None, "--status", "-s", help="Only jobs that ended so; may be given several times.")
SOURCE = typer.Option("", "--source", help="Only jobs that this source told of.")
NAME = typer.Option("", "--name", help="Only jobs whose name contains this.")
SINCE = typer.Option("", "--since", metavar="TIME", help="Only jobs submitted then or later: 2026-05-01, 30d.")
UNTIL = typer.Option("", "--until", metavar="TIME", help="Only jobs submitted then or before.")
AS_JSON = typer.Option(False, "--json", help="Print JSON.")
STATUSES = ("pending", "running", "completed", "failed", "cancelled", "timeout", "node_fail", "unknown")


@contextmanager
def history() -> "Iterator[Connection]":
    """Open the history that the settings name."""
    from schedmate.history.database import open_database
    from schedmate.settings import get_settings

    with closing(open_database(get_settings().data_dir)) as connection:
        yield connection


def moment(text: str) -> float | None:
    """Read a time: 2026-05-01, 2026-05-01T12:00+02:00, seconds since 1970, or 30d, 12h, 10m ago; without a zone UTC."""
    from schedmate.errors import InputError
    from schedmate.traces.formats.table import moment_s

    if not text:
        return None
    units = {"d": 86_400, "h": 3_600, "m": 60}
    if text[-1] in units and text[:-1].replace(".", "", 1).isdecimal():
        return time.time() - float(text[:-1]) * units[text[-1]]
    try:
        return moment_s(text, "time")
    except ValueError as error:
        raise InputError(str(error), "as in 2026-05-01, 2026-05-01T12:00+02:00, 30d") from None


def which(user: str, status: list[str] | None, source: str, name: str, since: str, until: str) -> "Which":
    """Put the options together."""
    from schedmate.errors import InputError
    from schedmate.history.jobs import Which

    if wrong := [word for word in status or [] if word not in STATUSES]:
        raise InputError(f"there is no status {wrong[0]}", f"give one of {', '.join(STATUSES)}")
    picked = tuple(status or ())
    return Which(user=user, status=picked, source=source, name=name, since_s=moment(since), until_s=moment(until))


@contextmanager
def progress(what: str, total: int | None = None, as_bytes: bool = False) -> Iterator[Callable[[int, int], None]]:
    """Show a bar on a terminal; hears of what is done and of how much there is."""
    from rich.progress import BarColumn, DownloadColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from schedmate.cli.render import console

    shown = console(stderr=True)
    counter = DownloadColumn() if as_bytes else MofNCompleteColumn()
    columns = (TextColumn("{task.description}"), BarColumn(), counter, TimeRemainingColumn())
    with Progress(*columns, console=shown, disable=not shown.is_terminal, transient=True) as bar:
        task = bar.add_task(what, total=total)
        yield lambda done, total: bar.update(task, completed=done, total=total)


@app.command("import")
def import_(
    files: list[str] = typer.Argument(..., metavar="FILE...", help="Files, plain or gzip; - is standard input."),
    form: str = typer.Option(
        "", "--format", "-f", help="sacct, ray, kubernetes, philly, helios, acme, pai, csv, schedmate."
    ),
    source: str = typer.Option("", "--source", help="Name of where they come from; an id is unique within it."),
    origin: str = typer.Option(
        "", "--origin", metavar="TIME", help="What times count from that count from a beginning."
    ),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON object a file."),
) -> None:
    """Learn jobs from a scheduler's records; doing it again changes nothing.

    Bad rows are counted, shown by line and left out; docs/history.md has the commands for each scheduler.
    Examples: sacct -a --json -S 2026-01-01 | schedmate history import -;
    kubectl get jobs,pods -A -o json | schedmate history import -;
    schedmate history import cluster_log.csv --source venus
    """
    from schedmate.cli.history_pages import print_imported
    from schedmate.history.importers.importing import import_file
    from schedmate.settings import get_settings

    for path in files:
        with progress(f"importing {path}", as_bytes=True) as advance:
            done = import_file(get_settings().data_dir, path, form, source, moment(origin) or 0.0, advance)
        if as_json:
            typer.echo(json.dumps(asdict(done)))
        else:
            print_imported(done)


@app.command("list")
def list_(
    user: str = USER,
    status: list[str] | None = STATUS,
    source: str = SOURCE,
    name: str = NAME,
    since: str = SINCE,
    until: str = UNTIL,
    limit: int = typer.Option(20, "--limit", "-n", min=1, help="How many, the latest first."),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON object a job, a line each."),
) -> None:
    """List the latest jobs.

    Examples: schedmate history list --user ann --since 7d; schedmate history list -s failed -s timeout -n 50 --json
    """
    from schedmate.cli.history_pages import print_jobs
    from schedmate.history.jobs import count_jobs, list_jobs

    picked = which(user, status, source, name, since, until)
    with history() as connection:
        jobs = list_jobs(connection, picked, limit)
        if as_json:
            for past in jobs:
                typer.echo(past.model_dump_json(exclude_defaults=True))
        else:
            print_jobs(jobs, count_jobs(connection, picked))


@app.command()
def show(
    job_id: str = typer.Argument(..., help="The job's id."),
    source: str = SOURCE,
    as_json: bool = AS_JSON,
) -> None:
    """Show all that is known of a job, and earlier runs of the same thing.

    Example: schedmate history show 4711 --json | jq .workload
    """
    from schedmate.cli.history_pages import print_job
    from schedmate.errors import InputError
    from schedmate.history.admission import find_resubmissions
    from schedmate.history.jobs import get_job

    with history() as connection:
        past = get_job(connection, job_id, source)
        if past is None:
            raise InputError(f"the history has no job {job_id}", "see: schedmate history list")
        if as_json:
            typer.echo(past.model_dump_json(exclude_defaults=True))
        else:
            print_job(past, find_resubmissions(connection, past.job))


@app.command()
def export(
    output: Path | None = typer.Option(
        None, "--output", "-o", help="Write here (.gz packs) instead of standard output."
    ),
    form: str = typer.Option("", "--format", "-f", help="jsonl (all that is known) or csv; else by the file's name."),
    user: str = USER,
    status: list[str] | None = STATUS,
    source: str = SOURCE,
    name: str = NAME,
    since: str = SINCE,
    until: str = UNTIL,
) -> None:
    """Write jobs out: JSON lines with all that is known, or the project's table for `schedmate simulate`.

    Examples: schedmate history export -o history.jsonl.gz; schedmate history export --user ann -f csv > ann.csv
    """
    from contextlib import nullcontext

    from schedmate.errors import InputError
    from schedmate.history.exporting import export_jobs
    from schedmate.history.jobs import count_jobs, iterate_jobs
    from schedmate.traces.writing import open_output

    form = form or ("csv" if output and ".csv" in output.suffixes else "jsonl")
    if form not in {"jsonl", "csv"}:
        raise InputError(f"--format {form} is unknown", "give jsonl or csv")
    picked = which(user, status, source, name, since, until)
    with history() as connection, progress("exporting") as advance:
        total = count_jobs(connection, picked)
        with open_output(output) if output else nullcontext(sys.stdout) as stream:
            jobs = iterate_jobs(connection, picked)
            written = export_jobs(jobs, stream, "csv" if form == "csv" else "jsonl", lambda done: advance(done, total))
    if output:
        typer.echo(f"wrote {written:,} jobs to {output}", err=True)


@app.command()
def stats(as_json: bool = AS_JSON) -> None:
    """Tell what the history holds.

    Example: schedmate history stats --json | jq .by_status
    """
    from schedmate.cli.history_pages import print_stats
    from schedmate.history.stats import history_stats
    from schedmate.settings import get_settings

    with history() as connection:
        told = history_stats(connection, get_settings().data_dir)
    if as_json:
        typer.echo(json.dumps(asdict(told)))
    else:
        print_stats(told)


@app.command()
def prune(
    before: str = typer.Option("", "--before", metavar="TIME", help="Jobs submitted then or before: 2025-01-01, 365d."),
    user: str = USER,
    status: list[str] | None = STATUS,
    source: str = SOURCE,
    name: str = NAME,
    dry_run: bool = typer.Option(False, "--dry-run", help="Only tell how many."),
    yes: bool = typer.Option(False, "--yes", "-y", help="Do not ask."),
    as_json: bool = AS_JSON,
) -> None:
    """Forget jobs; at least one option must say which.

    Examples: schedmate history prune --before 365d; schedmate history prune --source test --yes
    """
    from schedmate.errors import InputError
    from schedmate.history.jobs import EVERY, count_jobs, remove_jobs

    picked = which(user, status, source, name, "", before)
    if picked == EVERY:
        raise InputError("nothing says which jobs to forget", "as in: schedmate history prune --before 365d")
    with history() as connection:
        count = count_jobs(connection, picked)
        if count and not dry_run and not yes:
            if not sys.stdin.isatty():
                raise InputError(f"{count:,} jobs would be forgotten", "say --yes, or --dry-run to only count")
            typer.confirm(f"forget {count:,} jobs?", abort=True)
        removed = 0 if dry_run else remove_jobs(connection, picked)
    if as_json:
        typer.echo(json.dumps({"matching": count, "removed": removed}))
    else:
        typer.echo(f"{count:,} jobs match" if dry_run else f"{removed:,} jobs forgotten")


@app.command()
def add(
    job_id: str = typer.Argument(..., help="The job's id."),
    user: str = typer.Option("", "--user", "-u", help="Whose job it was."),
    name: str = typer.Option("", "--name", help="Its name."),
    command: str = typer.Option("", "--command", "-c", help="What it ran."),
    workdir: Path | None = typer.Option(None, "--workdir", help="Where it ran."),
    branch: str = typer.Option("", "--branch", help="Git branch of its code."),
    vc: str = typer.Option("", "--vc", help="Partition, queue or virtual cluster."),
    gpus: float = typer.Option(0, "--gpus", "-g", min=0, help="GPUs it had."),
    status: str = typer.Option("", "--status", "-s", help="How it ended, in the scheduler's word or ours."),
    submit: str = typer.Option("", "--submit", metavar="TIME", help="When it was submitted."),
    start: str = typer.Option("", "--start", metavar="TIME", help="When it started."),
    end: str = typer.Option("", "--end", metavar="TIME", help="When it ended."),
    log: Path | None = typer.Option(None, "--log", help="Its log: metrics are read from it, and why it failed."),
    repo: Path | None = typer.Option(None, "--repo", help="Its source code: what it is is read from it."),
    source: str = typer.Option("schedmate", "--source", help="Name of where this comes from."),
    as_json: bool = AS_JSON,
) -> None:
    """Add a job, or more about one that is there: what is not given is kept as it was.

    Made for the end of a job script.
    Example: schedmate history add $SLURM_JOB_ID --source sacct --log train.log --repo . --status completed --end now
    """
    from schedmate.cli.history_pages import print_job
    from schedmate.cli.job_reading import read_job
    from schedmate.errors import InputError
    from schedmate.history.importers.statuses import status_of
    from schedmate.history.jobs import add_job, get_job
    from schedmate.schemas import Job

    told = status_of(status)
    if status and told == "unknown" and status != "unknown":
        raise InputError(f"there is no status {status}", f"give one of {', '.join(STATUSES)}, or a scheduler's word")
    submit_s, start_s, end_s = (time.time() if text == "now" else moment(text) for text in (submit, start, end))
    job = Job(
        job_id=job_id,
        user=user,
        name=name,
        command=command,
        workdir=workdir.absolute() if workdir else None,
        git_branch=branch,
        vc=vc,
        gpus=gpus,
        status=told,
        submit_s=submit_s,
        start_s=start_s,
        end_s=end_s,
    )
    past = read_job(job, source, log, repo)
    with history() as connection:
        add_job(connection, past)
        kept = get_job(connection, job_id, source) or past
    if as_json:
        typer.echo(kept.model_dump_json(exclude_defaults=True))
    else:
        print_job(kept, [])
