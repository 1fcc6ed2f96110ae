"""The command line: each command stands in a file of its own, parses, calls one verb and renders."""

import os
import sys
from importlib import import_module

import typer

from schedmate.cli.config import note_ignored
from schedmate.cli.saying import complain, leave_open, open_streams, say
from schedmate.errors import SchedMateError
from schedmate.tools.garbage import leave_all_at_exit, loading

READ, RUN, LEARN, HERE = (
    "Read a log or a repository",
    "Run jobs on this machine",
    "Past jobs, and other policies",
    "This installation",
)

COMMANDS = {
    "diagnose": ("diagnose", READ),
    "track": ("track", READ),
    "extract": ("extract", READ),
    "advise": ("advise", READ),
    "classify": ("classify", READ),
    "anonymize": ("anonymize", READ),
    "watch": ("watch", READ),
    "mcp": ("mcp", READ),
    "batch": ("batch", READ),
    "up": ("up", RUN),
    "web": ("web", RUN),
    "submit": ("submit", RUN),
    "jobs": ("jobs", RUN),
    "why": ("why", RUN),
    "logs": ("logs", RUN),
    "cancel": ("jobs", RUN),
    "release": ("jobs", RUN),
    "nodes": ("nodes", RUN),
    "drain": ("nodes", RUN),
    "resume": ("nodes", RUN),
    "actions": ("actions", RUN),
    "approve": ("actions", RUN),
    "reject": ("actions", RUN),
    "undo": ("actions", RUN),
    "down": ("up", RUN),
    "prune": ("prune", RUN),
    "report": ("report", LEARN),
    "simulate": ("simulate", LEARN),
    "selftest": ("selftest", HERE),
    "config": ("config", HERE),
    "graph": ("graph", HERE),
    "schema": ("schema", HERE),
}
"""Each command, which is a function of its own name; the file here that it stands in, and its heading in the help."""

GROUPS = {
    "trace": LEARN,
    "history": LEARN,
    "remember": READ,
    "knowledge": HERE,
    "slurm": RUN,
    "kubernetes": RUN,
    "proposals": RUN,
}
"""Commands that have commands, each an `app` in a file of its own name, with their headings."""

HELP = """Read what the scheduler never reads: the jobs' source code, their logs, and the jobs that ran before.

Examples: schedmate diagnose slurm-4711.out; schedmate track train.log --follow; schedmate simulate --policy fifo,sjf"""


def show_version(wanted: bool) -> None:
    """Print the version and leave."""
    if wanted:
        from schedmate import __version__

        say(f"schedmate {__version__}")
        raise typer.Exit


def common(
    version: bool = typer.Option(False, "--version", callback=show_version, is_eager=True, help="Print the version."),
) -> None:
    """Take the options that stand before a command."""


def make_app(wanted: str = "") -> typer.Typer:
    """Put the command line together; where one command is wanted, the files of the others are not imported."""
    app = typer.Typer(
        name="schedmate",
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback(help=laid_out(HELP))(common)
    one = wanted in COMMANDS or wanted in GROUPS
    for name, (file, heading) in COMMANDS.items():
        if name == wanted or not one:
            command = getattr(import_module(f"schedmate.cli.{file}"), name)
            app.command(name, help=laid_out(command.__doc__ or ""), rich_help_panel=heading)(command)
    for name, heading in GROUPS.items():
        if name == wanted or not one:
            group = import_module(f"schedmate.cli.{name}").app
            for part in group.registered_commands:
                part.help = laid_out(part.callback.__doc__ or "")
            app.add_typer(group, name=name, rich_help_panel=heading)
    return app


def laid_out(docstring: str) -> str:
    """Let paragraphs break where the terminal does, and set each example on a line of its own."""
    paragraphs = [" ".join(paragraph.split()) for paragraph in docstring.split("\n\n")]
    for place, text in enumerate(paragraphs):
        head, colon, examples = text.partition(": ")
        if head in {"Example", "Examples"} and colon:
            paragraphs[place] = "\n".join([f"{head}:", *(f"$ {example}" for example in examples.split("; "))])
    return "\n\n".join(paragraphs)


def main() -> None:
    """Run the command line: a known error is one red line and a hint with exit code 2; a bug keeps its traceback."""
    open_streams()
    try:
        if sys.argv[1:2] != ["config"]:
            note_ignored()
        leave_all_at_exit()
        with loading():
            app = make_app(sys.argv[1] if len(sys.argv) > 1 else "")
        app()
    except SchedMateError as error:
        complain(error.message, error.hint)
        sys.exit(2)
    except BrokenPipeError:
        # The reader of our pipe has gone: leave quietly, and keep Python from flushing into it once more.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(141)
    except KeyboardInterrupt:
        sys.exit(130)
    except Exception as error:
        import sqlite3

        if not isinstance(error, sqlite3.Error):
            raise
        from schedmate.history.database import plain_error
        from schedmate.history.intact import is_damage

        wrong = plain_error(error)  # a damaged store, most likely: there is a way out of that
        complain(wrong.message, wrong.hint)
        if is_damage(error):
            leave_open()
        sys.exit(2)
