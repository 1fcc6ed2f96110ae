"""`schedmate config`: each setting, its value, and where the value came from."""

import json

import typer

from schedmate.cli.saying import say


def note_ignored() -> None:
    """Say which settings file is not obeyed, and how it would be."""
    from schedmate.user_dirs import ignored_file

    if ignored := ignored_file():
        say(f"note: {ignored} is ignored: it is not trusted. Read it, then run: schedmate config --trust", err=True)


def config(
    trust: bool = typer.Option(
        False, "--trust", help="Trust ./schedmate.toml as it reads now; read it first. Changed, it is ignored again."
    ),
    as_json: bool = typer.Option(False, "--json", help="Print JSON."),
) -> None:
    """Show each setting, its value and where it came from; secrets are masked.

    Any of them can be set as SCHEDMATE_NAME in the environment, or as name in the file that SCHEDMATE_CONFIG names, in
    ./schedmate.toml once it is trusted, or in ~/.config/schedmate/schedmate.toml; the first of these files counts.

    Examples: schedmate config; schedmate config --trust; SCHEDMATE_LLM_URL=http://localhost:8000/v1 schedmate config
    """
    from pydantic import SecretStr

    from schedmate.errors import InputError, without_passwords
    from schedmate.settings import Settings, get_settings, source_of
    from schedmate.tools.masking import mask_text
    from schedmate.user_dirs import trust_file_here

    if trust and trust_file_here() is None:
        raise InputError("there is no schedmate.toml here", "go where it lies, or name it in SCHEDMATE_CONFIG")
    note_ignored()
    settings = get_settings()
    rows = []
    for name, field in Settings.model_fields.items():
        value = getattr(settings, name)
        if isinstance(value, SecretStr):
            shown = "********" if value.get_secret_value() else ""
        else:
            shown = mask_text(without_passwords(str(value)))
        rows.append({"name": name, "value": shown, "source": source_of(name), "about": field.description or ""})
    if as_json:
        say(json.dumps(rows, indent=2))
        return

    from rich.table import Table

    from schedmate.cli.render import console

    table = Table(box=None, header_style="bold", pad_edge=False)
    for heading in ("setting", "value", "from", "meaning"):
        # A path that does not fit goes on in the next line: half a path is no path.
        table.add_column(heading, overflow="fold")
    for row in rows:
        table.add_row(row["name"], row["value"] or "-", row["source"], row["about"])
    console().print(table)
