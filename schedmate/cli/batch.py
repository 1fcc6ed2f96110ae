"""`schedmate batch`: read many logs or repositories into one Parquet file."""

from enum import StrEnum
from pathlib import Path

import typer

from schedmate.choices import EngineChoice
from schedmate.cli.saying import complain, say
from schedmate.counts import how_many
from schedmate.errors import InputError


class Verb(StrEnum):
    """What is asked about each source."""

    diagnose = "diagnose"
    track = "track"
    extract = "extract"
    classify = "classify"


def batch(
    verb: Verb = typer.Argument(..., help="What to ask about each source."),
    source: list[str] = typer.Argument(..., metavar="SOURCE...", help="A file, folder, pattern, address; @LIST."),
    out: Path = typer.Option(..., "--out", "-o", metavar="FILE", help="The Parquet file; a row for each source."),
    engine: EngineChoice = typer.Option("built-in", help="Who reads; a model only where it is asked for."),
    workers: int = typer.Option(0, "--workers", min=0, max=4096, help="Readers at once; 0: one a processor."),
    on: str = typer.Option("", "--on", metavar="ray[=HOST:PORT]", help="Read on a Ray cluster instead of here."),
    limit: float = typer.Option(
        0.0, "--limit", min=0.0, metavar="SECONDS", help="Give a source up; 0: 600, with a model 4 h."
    ),
) -> None:
    """Read many logs into one table, one row a log; killed and started again it goes on where it was.

    A source that cannot be read is a row with its error. For extract each source is a repository.

    Examples: schedmate batch diagnose 'logs/*.log' --out results.parquet;
    schedmate batch track s3://bucket/runs/ --out runs.parquet; schedmate batch extract @repos.txt --out jobs.parquet
    """
    from schedmate.batch.run import Batch, run
    from schedmate.cli.render import progress

    asked = Batch(verb.value, source, out, engine, workers, limit, address_of(on))
    seen = 0
    with progress(f"{verb.value}", as_bytes=False) as advance:

        def one_more(rows: int) -> None:
            nonlocal seen
            seen += rows
            advance(seen, 0)

        told = run(asked, one_more)
    say(f"{told.read:,} read, {told.before:,} had been read before: {how_many(told.rows, 'row')} in {out}")
    if told.failed:
        complain(f"{told.failed:,} of them could not be read", "their column `error` says why")
        raise typer.Exit(1)


def address_of(on: str) -> str:
    """Give the address of the cluster that is named; empty: here."""
    kind, _, address = on.partition("=")
    if kind not in ("", "ray"):
        raise InputError(f"--on {on} is nothing that a batch runs on", "as in: --on ray, or --on ray=head:6379")
    return (address or "127.0.0.1:6379") if kind else ""
