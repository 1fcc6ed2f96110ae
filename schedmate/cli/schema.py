"""`schedmate schema`: every field of every answer that is printed with --json."""

import json

import typer

from schedmate.cli.saying import say


def schema(
    name: str = typer.Argument("", metavar="NAME", help="Which answer; without it all are listed."),
    in_short: bool = typer.Option(False, "--fields", help="One line a field, with its type, in place of JSON schema."),
) -> None:
    """Print the JSON schema of what a command prints with --json; its version is raised when a field goes or changes.

    Examples: schedmate schema; schedmate schema diagnose; schedmate schema track --fields
    """
    from schedmate.answer_fields import fields_of
    from schedmate.answers import adapters, schema_of
    from schedmate.errors import InputError

    if not name:
        say("\n".join(f"{one}  version {version}" for one, (version, _) in adapters().items()))
        return
    if name not in adapters():
        raise InputError(f"there is no answer '{name}'", f"there are: {', '.join(adapters())}")
    told = schema_of(name)
    if in_short:
        for field, kind in fields_of(told).items():
            say(f"{field}  {kind}")
        return
    say(json.dumps(told, indent=2))
