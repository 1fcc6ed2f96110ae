"""The report as one picture: the table, the curves, and a day under the first and the last policy."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from schedmate.scheduling.simulation.experiment import Result
from schedmate.scheduling.simulation.report import figures
from schedmate.scheduling.simulation.report.tables import COLUMNS, cells, facts

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from schedmate.scheduling.simulation.simulated import Simulation


def sheet(simulation: "Simulation", results: Mapping[str, Result]) -> "Figure":
    """Draw everything on one picture."""
    days = list(results.items())[:: max(len(results) - 1, 1)]
    heights = [0.35 + 0.24 * len(results), 3.4, 3.0, *[4.2] * len(days)]
    figure = figures.blank(15, sum(heights) + 1.0)
    figure.suptitle(
        f"{simulation.experiment.trace.name}: {facts(simulation)}", x=0.01, ha="left", fontsize=13, fontweight="bold"
    )
    grid = figure.add_gridspec(len(heights), 2, height_ratios=heights)
    heads = ["policy", *(word for word, _, _, _ in COLUMNS[:7])]
    body = [cells(name, result.summary)[:8] for name, result in results.items()]
    text_table(figure.add_subplot(grid[0, :]), heads, body)
    for place, drawing in enumerate(figures.CURVES):
        drawing(figure.add_subplot(grid[1 + place // 2, place % 2]), results)
    day, nodes = figures.busiest_day(results)
    for place, (name, result) in enumerate(days):
        figures.gantt(figure.add_subplot(grid[len(heights) - len(days) + place, :]), result, name, day, nodes)
    return figure


def text_table(axes: "Axes", heads: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Set a table into a picture."""
    axes.axis("off")
    table = axes.table([list(row) for row in rows], colLabels=list(heads), loc="upper left", cellLoc="right")
    table.auto_set_font_size(False)
    table.set_fontsize(8.5)
    table.auto_set_column_width(list(range(len(heads))))
    for (line, column), cell in table.get_celld().items():
        cell.set_linewidth(0.0)
        cell.set_facecolor("#eeeef2" if line == 0 else "white" if line % 2 else "#f7f7f9")
        if line == 0:
            cell.set_text_props(weight="bold")
        if column == 0:
            cell.set_text_props(ha="left")
