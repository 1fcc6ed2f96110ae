"""`schedmate schema`: every field of every answer that is printed with --json."""

import json

import typer

from schedmate.cli.saying import say


def schema(
    name: str = typer.Argument("", metavar="NAME", help="Which answer; without it all are listed."),
    in_short: bool = typer.Option(False, "--fields", help="A line a field: its type and meaning."),
) -> None:
    """Print the JSON schema of what a command prints with --json; its version is raised when a field goes or changes.

    Examples: schedmate schema; schedmate schema diagnose; schedmate schema track --fields
    """
    from schedmate.answer_fields import fields_of, meanings_of
    from schedmate.answers import adapters, schema_of
    from schedmate.errors import InputError

    if not name:
        say("\n".join(f"{one}  version {version}" for one, (version, _) in adapters().items()))
        return
    if name not in adapters():
        raise InputError(f"there is no answer '{name}'", f"there are: {', '.join(adapters())}")
    told = schema_of(name)
    if in_short:
        meanings = meanings_of(told)
        for field, kind in fields_of(told).items():
            meaning = meanings.get(field, "")
            say(f"{field}  {kind}" + (f": {meaning}" if meaning else ""))
        return
    say(json.dumps(told, indent=2))
