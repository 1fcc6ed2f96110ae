"""`schedmate knowledge`: what this installation knows of failures and log formats, its site's own included."""

import json
from pathlib import Path

import typer

from schedmate.cli.saying import complain, say
from schedmate.counts import how_many
from schedmate.tools.shortening import short

app = typer.Typer(
    name="knowledge", help="Known failures and log formats, your site's own included.", no_args_is_help=True
)


@app.command("list")
def show(as_json: bool = typer.Option(False, "--json", help="Print one JSON object a line.")) -> None:
    """List what this site added, file by file, and count what came with SchedMate.

    A site's files lie in the data directory under knowledge/*.toml; docs/catalogue.md says what an entry holds.

    Examples: schedmate knowledge list; schedmate knowledge list --json
    """
    from schedmate.knowledge.catalogue import load_catalogue
    from schedmate.knowledge.site import FOLDER, site_files, users_folder
    from schedmate.readers.progress.lines.formats import known_formats

    if not as_json:
        say(f"shipped: {how_many(len(load_catalogue()), 'failure')}, {how_many(len(known_formats()), 'log format')}")
        say(f"this site: {users_folder(FOLDER)}/*.toml and installed packages")
    for file in site_files():
        show_file(file.path, as_json)


@app.command("test")
def check(
    path: Path = typer.Argument(..., metavar="FILE", help="A file of failures or of one log format."),
    log: Path | None = typer.Option(None, "--log", help="Show which lines of this log its failures match."),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON object a line."),
) -> None:
    """Check a file as it will be checked when it is used, and try it on a log; exit 2 where something is wrong.

    Examples: schedmate knowledge test our_fabric.toml; schedmate knowledge test our_fabric.toml --log slurm-4711.out
    """
    if not show_file(path, as_json):
        raise typer.Exit(2)
    if log is not None:
        show_matches(path, log, as_json)


def show_file(path: Path, as_json: bool) -> bool:
    """Print what a file holds, and tell whether all of it can be used."""
    from schedmate.errors import InputError
    from schedmate.knowledge.site import Trouble, read_file
    from schedmate.readers.progress.lines.formats import parse_format

    file = read_file(path)
    troubles = list(file.troubles)
    for one in file.failures:
        row = {"place": one.place, "id": one.failure.id, "category": one.failure.category}
        say(json.dumps(row) if as_json else f"{one.place}: {one.failure.id} ({one.failure.category}) is used")
    if file.format_text:
        try:
            name = parse_format(file.format_text, str(path)).framework
            say(json.dumps({"place": str(path), "format": name}) if as_json else f"{path}: log format {name} is used")
        except InputError as error:
            troubles.append(Trouble(str(path), error.message))
    for trouble in troubles:
        if as_json:
            say(json.dumps({"place": trouble.place, "error": trouble.why}))
        else:
            complain(f"{trouble.place}: {trouble.why}; not used")
    return not troubles


def show_matches(path: Path, log: Path, as_json: bool) -> None:
    """Print the lines of a log that a file's failures match."""
    from schedmate.knowledge.site import read_file
    from schedmate.readers.failures.sightings.catalogue_search import Entries
    from schedmate.readers.lines import clean
    from schedmate.tools.logfile import open_log

    entries, count = Entries([one.failure for one in read_file(path).failures]), 0
    with open_log(str(log)) as opened:
        for line in opened.lines():
            text = clean(line.raw).text
            if found := entries.match(text):
                count += 1
                row = {"line": line.number, "id": found[0].id, "quote": text[:500]}
                say(json.dumps(row) if as_json else f"line {line.number}: {found[0].id}: {short(text, 200)}")
    if not count and not as_json:
        say(f"no line of {log} matches")
