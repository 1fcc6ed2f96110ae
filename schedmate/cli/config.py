"""`schedmate config`: each setting, its value, and where the value came from."""

import json

import typer


def config(as_json: bool = typer.Option(False, "--json", help="Print JSON.")) -> None:
    """Show each setting, its value and where it came from; secrets are masked.

    Any of them can be set as SCHEDMATE_NAME in the environment, or as name in schedmate.toml in the working directory.

    Examples: schedmate config; SCHEDMATE_LLM_URL=http://localhost:8000/v1 schedmate config --json
    """
    from pydantic import SecretStr

    from schedmate.settings import Settings, get_settings, source_of

    settings = get_settings()
    rows = []
    for name, field in Settings.model_fields.items():
        value = getattr(settings, name)
        shown = ("********" if value.get_secret_value() else "") if isinstance(value, SecretStr) else str(value)
        rows.append({"name": name, "value": shown, "source": source_of(name), "about": field.description or ""})
    if as_json:
        typer.echo(json.dumps(rows, indent=2))
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
