"""The command line: each command stands in a file of its own, parses, calls one verb and renders."""

import os
import sys
from importlib import import_module

import typer

from schedmate.errors import SchedMateError

COMMANDS = {
    "actions": "actions",
    "advise": "advise",
    "anonymize": "anonymize",
    "approve": "actions",
    "cancel": "jobs",
    "classify": "classify",
    "config": "config",
    "diagnose": "diagnose",
    "down": "up",
    "extract": "extract",
    "graph": "graph",
    "jobs": "jobs",
    "logs": "logs",
    "reject": "actions",
    "release": "jobs",
    "selftest": "selftest",
    "simulate": "simulate",
    "submit": "submit",
    "track": "track",
    "undo": "actions",
    "up": "up",
    "why": "why",
}
"""Each command, which is a function of its own name, and the file here that it stands in."""

GROUPS = ("history", "trace")
"""Commands that have commands: each is an `app` in a file of its own name."""

HELP = "Read what the scheduler never reads: the jobs' source code, their logs, and the jobs that ran before."


def show_version(wanted: bool) -> None:
    """Print the version and leave."""
    if wanted:
        from schedmate import __version__

        typer.echo(f"schedmate {__version__}")
        raise typer.Exit


def common(
    version: bool = typer.Option(False, "--version", callback=show_version, is_eager=True, help="Print the version."),
) -> None:
    """Take the options that stand before a command."""


def make_app(wanted: str = "") -> typer.Typer:
    """Put the command line together; where one command is wanted, the files of the others are not imported."""
    app = typer.Typer(
        name="schedmate",
        help=HELP,
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback(help=HELP)(common)
    one = wanted in COMMANDS or wanted in GROUPS
    for name, file in COMMANDS.items():
        if name == wanted or not one:
            app.command(name)(getattr(import_module(f"schedmate.cli.{file}"), name))
    for name in GROUPS:
        if name == wanted or not one:
            app.add_typer(import_module(f"schedmate.cli.{name}").app, name=name)
    return app


def main() -> None:
    """Run the command line: a known error is one red line and a hint with exit code 2; a bug keeps its traceback."""
    try:
        make_app(sys.argv[1] if len(sys.argv) > 1 else "")()
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
