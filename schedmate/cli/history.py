"""`schedmate history`: the jobs of the past, looked at, added, imported, exported, pruned."""

import json
import sys
import time
from dataclasses import asdict
from pathlib import Path

import typer

from schedmate.cli import history_add, history_store
from schedmate.cli.history_import import import_kubernetes, import_slurm, index_imported
from schedmate.cli.history_options import (
    AS_JSON,
    NAME,
    SINCE,
    SOURCE,
    STATUS,
    UNTIL,
    USER,
    history,
    history_to_read,
    moment,
    say_notes,
    which,
)
from schedmate.cli.render import progress
from schedmate.cli.saying import data_stream, say
from schedmate.counts import how_many

FILES = "FILE or FILE:format (sacct, ray, kubernetes, philly, helios, acme, pai, csv, schedmate); - is standard input."

app = typer.Typer(no_args_is_help=True, help="The jobs of the past: import, list, show, export, prune them.")


@app.command("import")
def import_(
    files: list[str] = typer.Argument(None, metavar="FILE...", help=FILES),
    source: str = typer.Option("", "--source", help="Name of their source; an id is unique within it."),
    origin: str = typer.Option("", "--origin", metavar="TIME", help="The date from which relative times count."),
    slurm: bool = typer.Option(False, "--slurm", help="Read this host's sacct: what is new since last time."),
    since: str = typer.Option("", "--since", metavar="TIME", help="With --slurm: how far back; at first 90d."),
    kubernetes: bool = typer.Option(False, "--kubernetes", help="Ask Kubernetes for its jobs, with kubectl's rights."),
    namespace: str = typer.Option("", "--namespace", "-n", help="With --kubernetes: only there; else everywhere."),
    context: str = typer.Option("", "--context", help="With --kubernetes: kubectl's context, if not the present one."),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON object a file."),
) -> None:
    """Import jobs from a scheduler's records; importing them again changes nothing.

    Bad rows are counted, shown by line and left out; docs/history.md has the commands for each scheduler.

    Examples: schedmate history import --slurm --since 90d;
    sacct -a --json -S 2026-01-01 | schedmate history import -;
    kubectl get jobs,pods -A -o json | schedmate history import -;
    schedmate history import --kubernetes -n ml;
    schedmate history import cluster_log.csv --source venus
    """
    from schedmate.cli.history_pages import print_imported
    from schedmate.history.importers.importing import import_file
    from schedmate.settings import get_settings

    settings = get_settings()
    if kubernetes and not files and not slurm:
        import_kubernetes(namespace, context, source, as_json)
        return
    if slurm or not files:
        import_slurm(slurm and not files, since, source, as_json)
        return
    for path in files:
        with progress(f"importing {path}", as_bytes=True) as advance:
            done = import_file(settings.data_dir, path, source, moment(origin) or 0.0, advance)
        if as_json:
            say(json.dumps(asdict(done)))
        else:
            print_imported(done)
    index_imported()


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
    with history_to_read() as connection:
        jobs = list_jobs(connection, picked, limit)
        if as_json:
            for past in jobs:
                say(past.model_dump_json(exclude_defaults=True))
        else:
            print_jobs(jobs, count_jobs(connection, picked))


@app.command()
def show(
    job_id: str = typer.Argument(..., metavar="JOB", help="The job's id."),
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

    with history_to_read() as connection:
        past = get_job(connection, job_id, source)
        if past is None:
            raise InputError(f"the history has no job {job_id}", "see: schedmate history list")
        if as_json:
            say(past.model_dump_json(exclude_defaults=True))
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
    with history_to_read() as connection, progress("exporting") as advance:
        total = count_jobs(connection, picked)
        with open_output(output) if output else nullcontext(data_stream()) as stream:
            jobs = iterate_jobs(connection, picked)
            written = export_jobs(jobs, stream, "csv" if form == "csv" else "jsonl", lambda done: advance(done, total))
    if output:
        say(f"wrote {how_many(written, 'job')} to {output}", err=True)


@app.command()
def stats(as_json: bool = AS_JSON) -> None:
    """Show what the history holds.

    Example: schedmate history stats --json | jq .by_status
    """
    from schedmate.cli.history_pages import print_stats
    from schedmate.history.stats import history_stats
    from schedmate.settings import get_settings

    with history_to_read() as connection:
        told = history_stats(connection, get_settings().data_dir)
    if as_json:
        say(json.dumps(asdict(told)))
    else:
        print_stats(told)


@app.command()
def prune(
    before: str = typer.Option("", "--before", metavar="TIME", help="Jobs submitted then or before: 2025-01-01, 365d."),
    user: str = USER,
    status: list[str] | None = STATUS,
    source: str = SOURCE,
    name: str = NAME,
    dry_run: bool = typer.Option(False, "--dry-run", help="Only count them."),
    yes: bool = typer.Option(False, "--yes", "-y", help="Do not ask."),
    as_json: bool = AS_JSON,
) -> None:
    """Delete jobs from the history; at least one option must say which.

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
                raise InputError(
                    f"{how_many(count, 'job')} would be forgotten", "add --yes, or --dry-run to only count"
                )
            typer.confirm(f"forget {how_many(count, 'job')}?", abort=True)
        removed = 0 if dry_run else remove_jobs(connection, picked)
    if as_json:
        say(json.dumps({"matching": count, "removed": removed}))
    else:
        say(f"{how_many(count, 'job matches', 'jobs match')}" if dry_run else f"{how_many(removed, 'job')} forgotten")


@app.command()
def reindex(as_json: bool = AS_JSON) -> None:
    """Rebuild the index of workloads from the store, as after damage or a change of embedder.

    Example: SCHEDMATE_VECTORS=http://chroma.example.org:8000 schedmate history reindex
    """
    from schedmate.history.similarity.names import NameCloseness
    from schedmate.history.similarity.upkeep import index_anew
    from schedmate.models.embeddings import open_embedder
    from schedmate.settings import get_settings

    settings = get_settings()
    started = time.monotonic()
    notes: list[str] = []
    names = NameCloseness(open_embedder(settings))
    with history() as connection, progress("indexing workloads") as advance:
        count, way = index_anew(connection, settings.data_dir, settings.vectors, names, advance, notes.append)
    took_s = time.monotonic() - started
    say_notes(notes)
    if as_json:
        say(json.dumps({"workloads": count, "vectors": way, "elapsed_s": took_s, "notes": notes}))
    else:
        say(f"{how_many(count, 'workload')} indexed ({way}) in {took_s:.1f} s")


app.command("add")(history_add.add)
app.command("check")(history_store.check)
app.command("repair")(history_store.repair)
app.command("backup")(history_store.backup)
