"""What the commands of `schedmate history` share: which jobs are meant, times, the store, the bar."""

import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from sqlite3 import Connection

    from schedmate.history.jobs import Which

USER = typer.Option("", "--user", "-u", help="Only this user's jobs.")
STATUS = typer.Option(None, "--status", "-s", help="Only jobs that ended like this; may be repeated.")
SOURCE = typer.Option("", "--source", help="Only jobs from this source.")
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


@contextmanager
def history_to_read() -> "Iterator[Connection]":
    """Open the history for a look; say where it may not be written."""
    from schedmate.history.read_only import look_into, only_looked_at
    from schedmate.settings import get_settings

    folder = get_settings().data_dir
    with closing(look_into(folder)) as connection:
        if said := only_looked_at(connection, folder):
            say_notes([said])
        yield connection


def say_notes(notes: list[str]) -> None:
    """Tell what else is worth knowing, beside the answer."""
    from schedmate.cli.render import console

    for note in notes:
        console(stderr=True).print(f"note: {note}", style="yellow", markup=False)


def moment(text: str) -> float | None:
    """Read a time: 2026-05-01, 2026-05-01T12:00+02:00, seconds since 1970, or 30d, 12h, 10m ago; without a zone UTC."""
    if not text:
        return None
    units = {"d": 86_400, "h": 3_600, "m": 60}
    if text[-1] in units and text[:-1].replace(".", "", 1).isdecimal():
        return time.time() - float(text[:-1]) * units[text[-1]]
    from schedmate.errors import InputError
    from schedmate.traces.formats.table import moment_s

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
