"""Makers' tables of error codes, each row made an entry of the catalogue; what codes can mean is a short list of kinds.

A table is `makers_codes/NAME.csv`: code, name (several with `|` between them), kind, and what happened. `tables.toml`
says who makes it and how its codes are printed; `kinds.toml` says what a kind is: class, weight, what to do.
"""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from schedmate.knowledge.csv_tables import csv_rows

FOLDER = Path(__file__).parent / "makers_codes"


def code_entries() -> Iterator[dict[str, Any]]:
    """Make one entry a row, in the form of those in TOML."""
    kinds = tomllib.loads((FOLDER / "kinds.toml").read_text("utf-8"))
    for name, table in tomllib.loads((FOLDER / "tables.toml").read_text("utf-8")).items():
        for row in csv_rows(FOLDER / f"{name}.csv"):
            yield entry_of(name, table, row, kinds[row["kind"]])


def code_files() -> list[Path]:
    """List the files that the entries are made of."""
    return [Path(__file__), *sorted(FOLDER.iterdir())]


def entry_of(table_name: str, table: dict[str, Any], row: dict[str, str], kind: dict[str, Any]) -> dict[str, Any]:
    """Join what a row, its table and its kind say."""
    names = [name for name in row["name"].split("|") if name]
    code = row["code"]
    forms = [filled(form, re.escape(code), "(?:" + "|".join(map(re.escape, names)) + ")") for form in table["forms"]]
    known = {"{code}": bool(code), "{name}": bool(names)}
    fitting = [form for form, raw in zip(forms, table["forms"], strict=True) if can_fill(raw, known)]
    literals = [
        filled(text, code, name) for text in table["literals"] if can_fill(text, known) for name in names or [""]
    ]
    shown = filled(table["sample"], code, names[0] if names else "")
    printed = " or ".join(names) + f" ({code})" * bool(code) if names else code
    return {
        **{key: value for key, value in kind.items() if key not in {"says", "action"}},
        "id": f"codes.{table_name}_{re.sub('[^a-z0-9]+', '_', (code or names[0]).lower()).strip('_')}",
        "pattern": "(?:" + "|".join(fitting) + ")",
        "literal": tuple(dict.fromkeys(literals)),
        "meaning": f"{table['maker']} reports {printed}: {row['meaning']}. {kind['says']}",
        "action": kind["action"].replace("{look}", table["look"]),
        "source": table["source"],
        "sample": (" ".join(shown.split()),),
        "near_miss": (filled(table["near_miss"], code, names[0] if names else code),),
    }


def filled(form: str, code: str, name: str) -> str:
    """Put a row's code and name into a form."""
    return form.replace("{code}", code).replace("{name}", name)


def can_fill(form: str, known: dict[str, bool]) -> bool:
    """Tell whether a row has what a form asks for."""
    return all(there for field, there in known.items() if field in form)
