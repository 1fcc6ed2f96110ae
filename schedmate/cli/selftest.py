"""`schedmate selftest`: what works here, what is missing, and how to get it."""

import json

import typer

from schedmate.cli.saying import say

MARKS = {"ok": "[green]ok[/]", "absent": "[yellow]absent[/]", "failed": "[red]failed[/]", "skipped": "[dim]skipped[/]"}


def selftest(
    as_json: bool = typer.Option(False, "--json", help="Print JSON."),
) -> None:
    """Try the model server, embedder, store, GPUs and schedulers; say how to get what is missing.

    The exit code is 0 when everything configured works: what is absent and not configured is no failure.

    Examples: schedmate selftest; schedmate selftest --json | jq .
    """
    from schedmate.cli.render import console
    from schedmate.selftest import selftest as run
    from schedmate.settings import get_settings

    settings = get_settings()
    with console(stderr=True).status("trying everything that is configured"):
        checks = run(settings)
    if as_json:
        say(json.dumps([check.model_dump() for check in checks], indent=2))
    else:
        from rich.table import Column, Table
        from rich.text import Text

        whole = Column("what to do", overflow="fold")  # it is there to be copied
        table = Table("part", "state", "found", whole, box=None, header_style="bold", pad_edge=False)
        for check in checks:
            table.add_row(check.name, Text.from_markup(MARKS[check.status]), check.detail, check.remedy)
        console().print(table)
    raise typer.Exit(1 if any(check.status == "failed" for check in checks) else 0)
