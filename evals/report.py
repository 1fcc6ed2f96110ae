"""What an eval hands back: tables for people, data for programs, and how to draw it."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from schedmate.errors import MissingExtra

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Cell = str | int | float | None


@dataclass(frozen=True)
class Table:
    """Rows under named columns; a cell that is None was not measured."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[Cell]]

    def records(self) -> list[dict[str, Cell]]:
        """Give each row as a mapping from column to cell."""
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]


@dataclass(frozen=True)
class Report:
    """All that an eval found; `data` adds to the JSON what no table shows."""

    tables: Sequence[Table]
    notes: Sequence[str] = ()
    data: dict[str, Any] = field(default_factory=dict)
    draw: "Callable[[Figure], None] | None" = None

    def as_json(self) -> str:
        """Write tables by title, notes and data as one JSON object."""
        tables = {table.title: table.records() for table in self.tables}
        return json.dumps({"tables": tables, "notes": list(self.notes), **self.data}, indent=2)


def shown(cell: Cell) -> str:
    """Write a cell for people: few digits, and a dash for what was not measured."""
    if cell is None:
        return "-"
    if isinstance(cell, float):
        return f"{cell:,.0f}" if abs(cell) >= 1000 else f"{cell:.3g}"
    return f"{cell:,}" if isinstance(cell, int) else cell


def print_report(report: Report) -> None:
    """Print the tables and notes; a pipe gets the same text without colours or cuts."""
    from rich.console import Console
    from rich.table import Table as RichTable

    console = Console(highlight=False)
    if not console.is_terminal:
        console = Console(highlight=False, width=200)
    for table in report.tables:
        rich_table = RichTable(title=table.title, title_justify="left", box=None, pad_edge=False, header_style="bold")
        for place, column in enumerate(table.columns):
            rich_table.add_column(column, justify="left" if place == 0 else "right")
        for row in table.rows:
            rich_table.add_row(*(shown(cell) for cell in row))
        console.print(rich_table)
        console.print()
    for note in report.notes:
        console.print(note, markup=False)


def save_plot(report: Report, output: Path) -> bool:
    """Draw the report's figure into a file; False when the eval has none."""
    if report.draw is None:
        return False
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise MissingExtra("drawing a figure", "plots") from error

    figure = Figure(figsize=(9, 5), dpi=130, layout="constrained")
    report.draw(figure)
    figure.savefig(output)
    return True
