"""`schedmate trace`: look at job traces, cut them down, scale them, or make one."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from schedmate.cli.saying import data_stream, say
from schedmate.counts import how_many
from schedmate.traces import OnBad

if TYPE_CHECKING:
    from schedmate.traces.columns import Trace

app = typer.Typer(no_args_is_help=True, help="Describe, sample, scale or make job traces, for `schedmate simulate`.")

TRACE = typer.Argument(..., metavar="TRACE", help="FILE or FILE:format (csv, philly, helios, acme, pai, sia, sacct).")
DATA = typer.Option(None, "--data", help="Where to look for the file too.")
ON_BAD = typer.Option("skip", "--on-bad", help="A row that cannot be used is left out and told, or stops the run.")
OUTPUT = typer.Option(None, "--output", "-o", help="Write here (.gz packs) instead of to standard output.")


@app.command()
def describe(
    trace: str = TRACE,
    data: Path | None = DATA,
    on_bad: OnBad = ON_BAD,
    as_json: bool = typer.Option(False, "--json", help="Print JSON."),
) -> None:
    """Describe a trace: sizes, durations, ends, users, hours.

    Example: schedmate trace describe cluster_log.csv:helios
    """
    from schedmate.traces.describing import describe as tell
    from schedmate.traces.reading import read_trace

    told = asdict(tell(read_trace(trace, data, on_bad)))
    if as_json:
        say(json.dumps(told))
        return
    from rich.table import Table

    from schedmate.cli.render import console

    table = Table(box=None, show_header=False, pad_edge=False)
    for name, value in told.items():
        table.add_row(name.replace("_", " "), written(name, value))
    console().print(table)


def written(name: str, value: object) -> str:
    """Write a value for people; the hours of the day become a small picture."""
    if value is None or value in ({}, []):
        return "-"
    if name == "hour_share" and isinstance(value, list):
        most = max(value) or 1.0
        return "".join("▁▂▃▄▅▆▇█"[min(7, int(share / most * 7.999))] for share in value) + "  (0 to 24 h)"
    if isinstance(value, dict):
        shown = (f"{k} {v:.1%}" if name.endswith("share") else f"{k} {v:,g}" for k, v in value.items())
        return ", ".join(shown)
    if isinstance(value, list):
        return "; ".join(map(str, value))
    return f"{value:,}" if isinstance(value, int | float) else str(value)


@app.command()
def sample(
    trace: str = TRACE,
    jobs: int = typer.Option(0, "--jobs", "-n", min=0, help="How many jobs to keep; 0: all."),
    days: str = typer.Option("", "--days", help="Which days to keep, counted from 0, as 7:14."),
    seed: int = typer.Option(0, "--seed", min=0, help="Random seed."),
    output: Path | None = OUTPUT,
    data: Path | None = DATA,
    on_bad: OnBad = ON_BAD,
) -> None:
    """Keep some days, or some jobs, of a trace; writes the project's CSV.

    Example: schedmate trace sample helios.csv --days 0:7 -n 2000 -o week.csv
    """
    from schedmate.errors import InputError
    from schedmate.traces.reading import read_trace
    from schedmate.traces.reshaping import sample as cut

    window = None
    if days:
        first, _, last = days.partition(":")
        try:
            window = (float(first), float(last))
        except ValueError:
            raise InputError(f"--days {days} is not FIRST:LAST", "as in: --days 7:14") from None
    write(cut(read_trace(trace, data, on_bad), jobs, window, seed), output)


@app.command()
def scale(
    trace: str = TRACE,
    rate: float = typer.Option(1.0, "--rate", help="How many times as fast jobs come."),
    duration: float = typer.Option(1.0, "--duration", help="How many times as long they run."),
    most_gpus: int = typer.Option(0, "--most-gpus", help="Cut larger jobs to this; 0: keep."),
    output: Path | None = OUTPUT,
    data: Path | None = DATA,
    on_bad: OnBad = ON_BAD,
) -> None:
    """Speed up or stretch a trace; writes the project's CSV.

    Example: schedmate trace scale jobs.csv --rate 1.5 -o busier.csv
    """
    from schedmate.traces.reading import read_trace
    from schedmate.traces.reshaping import scale as press

    write(press(read_trace(trace, data, on_bad), rate, duration, most_gpus), output)


@app.command()
def generate(
    like: str = typer.Option("helios", "--like", help="helios, philly, seren or kalos."),
    jobs: int = typer.Option(20_000, "--jobs", "-n", help="How many jobs."),
    days: float = typer.Option(30.0, "--days", help="In how many days."),
    vcs: int = typer.Option(1, "--vcs", help="Virtual clusters that the users belong to."),
    seed: int = typer.Option(0, "--seed", min=0, help="Random seed: the same seed gives the same trace."),
    output: Path | None = OUTPUT,
) -> None:
    """Make a trace with the published statistics of a cluster; writes the project's CSV.

    Example: schedmate trace generate --like kalos -n 5000 --seed 7 -o kalos-like.csv
    """
    from schedmate.traces.generating import generate as make

    write(make(like, jobs, days, seed, vcs), output)


def write(trace: "Trace", output: Path | None) -> None:
    """Write a trace, and what was done to it when it was read."""
    from schedmate.cli.render import console
    from schedmate.traces.writing import open_output, write_trace

    for note in trace.notes:
        console(stderr=True).print(f"note: {note}", style="yellow", markup=False)
    if output is None:
        write_trace(trace, data_stream())
        return
    with open_output(output) as stream:
        write_trace(trace, stream)
    console(stderr=True).print(f"wrote {how_many(len(trace), 'job')} to {output}", markup=False)
