"""One page in Markdown: each table, what explains it, and its chart."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from evals.report import Table, shown
from schedmate.errors import MissingExtra

if TYPE_CHECKING:
    from matplotlib.axes import Axes

TITLE = "# The paper's tables and figures, and ours"


@dataclass(frozen=True)
class Section:
    """One table or figure of the paper."""

    name: str
    table: Table
    why: Sequence[str]
    """What explains the differences."""
    draw: "Callable[[Axes], None]"
    beside: "Callable[[Axes], None] | None" = None
    """A second panel."""


def write_page(folder: Path, sections: Sequence[Section], lists: Sequence[Table]) -> Path:
    """Write the page and the charts beside it."""
    parts = [TITLE]
    for section in sections:
        draw(folder / f"{section.name}.svg", section)
        parts += [f"## {section.table.title}", markdown(section.table)]
        parts += ["\n".join(f"- {line}" for line in section.why)] if section.why else []
        parts.append(f"![{section.table.title}]({section.name}.svg)")
    for table in lists:
        parts += [f"## {table.title}", markdown(table)]
    page = folder / "paper.md"
    page.write_text("\n\n".join(parts) + "\n", "utf-8")
    return page


def markdown(table: Table) -> str:
    """Write a table in Markdown."""
    lines = [row_of(table.columns), "|---" * len(table.columns) + "|"]
    return "\n".join([*lines, *(row_of([shown(cell) for cell in row]) for row in table.rows)])


def row_of(cells: Sequence[str]) -> str:
    """Write one row."""
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def draw(path: Path, section: Section) -> None:
    """Draw one chart."""
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise MissingExtra("drawing a figure", "plots") from error
    figure = Figure(figsize=(8 if section.beside is None else 12, 4.5), dpi=120, layout="constrained")
    panels = figure.subplots(1, 1 if section.beside is None else 2, squeeze=False)[0]
    section.draw(panels[0])
    if section.beside is not None:
        section.beside(panels[1])
    figure.savefig(path)
