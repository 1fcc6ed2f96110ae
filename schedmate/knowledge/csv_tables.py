"""Tables that makers publish as rows below one line of names."""

import csv
from pathlib import Path


def csv_rows(path: Path) -> list[dict[str, str]]:
    """Read each row as a mapping by the names above it."""
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))
