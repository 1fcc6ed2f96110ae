"""The command line: each command stands in a file of its own, parses, calls one verb and renders."""

import os
import sys

import typer

from schedmate.cli import (
    actions,
    advise,
    anonymize,
    classify,
    config,
    diagnose,
    extract,
    graph,
    history,
    jobs,
    logs,
    selftest,
    simulate,
    submit,
    trace,
    track,
    up,
    why,
)
from schedmate.errors import SchedMateError

app = typer.Typer(
    name="schedmate",
    help="Read what the scheduler never reads: the jobs' source code, their logs, and the jobs that ran before.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def show_version(wanted: bool) -> None:
    """Print the version and leave."""
    if wanted:
        from schedmate import __version__

        typer.echo(f"schedmate {__version__}")
        raise typer.Exit


@app.callback()
def common(
    version: bool = typer.Option(False, "--version", callback=show_version, is_eager=True, help="Print the version."),
) -> None:
    """Read what the scheduler never reads: the jobs' source code, their logs, and the jobs that ran before."""


app.command("actions")(actions.actions)
app.command("advise")(advise.advise)
app.command("anonymize")(anonymize.anonymize)
app.command("approve")(actions.approve)
app.command("cancel")(jobs.cancel)
app.command("classify")(classify.classify)
app.command("config")(config.config)
app.command("diagnose")(diagnose.diagnose)
app.command("down")(up.down)
app.command("extract")(extract.extract)
app.command("graph")(graph.graph)
app.command("jobs")(jobs.jobs)
app.command("logs")(logs.logs)
app.command("reject")(actions.reject)
app.command("release")(jobs.release)
app.command("selftest")(selftest.selftest)
app.command("simulate")(simulate.simulate)
app.command("submit")(submit.submit)
app.command("track")(track.track)
app.command("undo")(actions.undo)
app.command("up")(up.up)
app.command("why")(why.why)
app.add_typer(history.app, name="history")
app.add_typer(trace.app, name="trace")


def main() -> None:
    """Run the command line: a known error is one red line and a hint with exit code 2; a bug keeps its traceback."""
    try:
        app()
    except SchedMateError as error:
        typer.secho(f"error: {error.message}", fg=typer.colors.RED, err=True)
        if error.hint:
            typer.echo(f"hint: {error.hint}", err=True)
        sys.exit(2)
    except BrokenPipeError:
        # The reader of our pipe has gone: leave quietly, and keep Python from flushing into it once more.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(141)
    except KeyboardInterrupt:
        sys.exit(130)
