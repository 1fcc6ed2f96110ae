"""Draw a graph as a PNG without a network; LangGraph's own way asks a web service."""

from pathlib import Path
from typing import TYPE_CHECKING

from schedmate.errors import MissingExtra

if TYPE_CHECKING:
    from langchain_core.runnables.graph import Graph as Drawing

PINK, BLUE = "#f7d9d9", "#dbe7f5"


def depths(names: list[str], edges: list[tuple[str, str]]) -> dict[str, int]:
    """Give each node its row: the longest way to it that does not go round a loop."""
    depth = dict.fromkeys(names, 0)
    order = {name: place for place, name in enumerate(names)}
    forward = sorted((edge for edge in edges if order[edge[0]] < order[edge[1]]), key=lambda edge: order[edge[0]])
    for start, end in forward:
        depth[end] = max(depth[end], depth[start] + 1)
    return depth


def draw_png(drawing: "Drawing", output: Path) -> None:
    """Lay the nodes out from top to bottom and write the picture."""
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise MissingExtra("drawing a PNG", "plots") from error

    names = sorted(drawing.nodes, key=lambda name: (name == "__end__", name != "__start__"))
    edges = [(edge.source, edge.target, bool(edge.conditional)) for edge in drawing.edges]
    row_of = depths(names, [(start, end) for start, end, _ in edges])
    rows = [[name for name in names if row_of[name] == row] for row in range(max(row_of.values()) + 1)]
    place = {name: (2.6 * (i - (len(row) - 1) / 2), -row_of[name]) for row in rows for i, name in enumerate(row)}
    width = 2.8 * max(len(row) for row in rows)

    figure = Figure(figsize=(width + 1.2, len(rows) * 0.9), dpi=130)
    axes = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    axes.set_axis_off()
    axes.set_xlim(-width / 2 - 0.6, width / 2 + 0.6)
    axes.set_ylim(-len(rows) + 0.4, 0.6)
    for start, end, conditional in edges:
        far = abs(row_of[end] - row_of[start]) != 1
        axes.annotate(
            "",
            xy=place[end],
            xytext=place[start],
            arrowprops={
                "arrowstyle": "-|>",
                "linestyle": "dashed" if conditional else "solid",
                "shrinkA": 14,
                "shrinkB": 14,
                "connectionstyle": f"arc3,rad={0.5 if far else 0.0}",
                "color": "#555555",
            },
        )
    for name, (x, y) in place.items():
        color = PINK if name.startswith("__") else BLUE
        axes.text(x, y, name.strip("_"), ha="center", va="center", bbox={"boxstyle": "round,pad=0.4", "fc": color})
    figure.savefig(output)
