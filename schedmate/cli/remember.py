"""`schedmate remember`: what people said of failures, listed and taken back."""

import json
from datetime import UTC, datetime

import typer

from schedmate.cli.saying import say
from schedmate.tools.shortening import short

app = typer.Typer(no_args_is_help=True, help="Your own classes of failures, set with `diagnose --remember`.")


@app.command("list")
def show(as_json: bool = typer.Option(False, "--json", help="Print one JSON object a line.")) -> None:
    """List what is remembered, oldest first: number, day, class, the failure's own name, the log, the line.

    Examples: schedmate remember list; schedmate remember list --json
    """
    from schedmate.history.failures import remembered
    from schedmate.settings import get_settings

    memories = remembered(get_settings().data_dir)
    for one in memories:
        said = one.diagnosis
        name = f"{said.category}.{said.subcategory}" if said.subcategory else said.category
        day = datetime.fromtimestamp(one.made_at_s, UTC)
        if as_json:
            row = {"number": one.number, "made_at": day.isoformat(timespec="seconds"), "class": name}
            say(json.dumps(row | {"failure_id": said.failure_id, "log": one.log, "line": said.root_excerpt}))
        else:
            say(f"{one.number}  {day:%Y-%m-%d}  {name}  {said.failure_id or 'no entry'}  {one.log}")
            say(f"   {short(said.root_excerpt, 200)}")
    if not memories and not as_json:
        say("nothing is remembered; schedmate diagnose LOG --remember CLASS keeps what you know of a failure")


@app.command("forget")
def forget(
    numbers: list[int] = typer.Argument(..., metavar="NUMBER...", help="As `remember list` prints them."),
) -> None:
    """Delete what you said about failures; the catalogue decides again.

    Example: schedmate remember forget 3
    """
    from schedmate.errors import InputError
    from schedmate.history.failures import forget as take_back
    from schedmate.settings import get_settings

    data_dir = get_settings().data_dir
    unknown = []
    for number in dict.fromkeys(numbers):
        if take_back(data_dir, number):
            say(f"forgotten: {number}")
        else:
            unknown.append(number)
    if unknown:
        known = ", ".join(map(str, unknown))
        raise InputError(f"there is no memory {known}", "schedmate remember list shows them")
