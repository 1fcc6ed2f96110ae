"""The report as one HTML file that needs nothing beside it."""

import base64
import html
import io
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from schedmate.scheduling.simulation.as_it_was import changes, doubt, recorded
from schedmate.scheduling.simulation.experiment import Result
from schedmate.scheduling.simulation.report import figures
from schedmate.scheduling.simulation.report.tables import COLUMNS, cells, facts, past_cells
from schedmate.scheduling.simulation.report.waiting_picture import picture
from schedmate.scheduling.simulation.report.who_waits import flows

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from schedmate.scheduling.simulation.simulated import Simulation

STYLE = """
body{font:15px/1.5 system-ui,sans-serif;color:#222;margin:2.5em auto;max-width:1280px;padding:0 1.5em}
h1{margin:0}h2{margin:2em 0 .4em;font-size:1.15em}p{margin:.3em 0;color:#555}.note{color:#8a6d00}
table{border-collapse:collapse;font-size:13px;font-variant-numeric:tabular-nums;width:100%}
th{font-weight:600;color:#555;vertical-align:bottom}thead th{border-bottom:2px solid #ccc}
td,th{padding:.35em .6em;text-align:right}td:first-child,th:first-child{text-align:left;white-space:nowrap}
tbody tr:nth-child(even){background:#f7f7f9}.best{font-weight:700;color:#1d6b2f}
img,svg{width:100%;height:auto}.pair{display:grid;grid-template-columns:1fr 1fr;gap:1em;align-items:start}
@media(max-width:800px){.pair{grid-template-columns:1fr}}
"""


def page(simulation: "Simulation", results: Mapping[str, Result]) -> str:
    """Write the whole report as one page."""
    trace = simulation.experiment.trace
    past = recorded(trace)
    doubts = doubt(past, simulation.summaries) if past is not None else ""
    said = [*trace.notes, *([doubts] if doubts else [])]
    notes = "".join(f"<p class='note'>{html.escape(note)}</p>" for note in said)
    changed = changes(past, simulation.summaries, simulation.waits)
    told = "".join(f"<p>{html.escape(change.told(policy))}</p>" for (policy, _), change in changed.items())
    pictures = "".join(curve_picture(drawing, results) for drawing in figures.CURVES)
    waits = {name: (flows(simulation.experiment, one), len(trace)) for name, one in results.items()}
    day, nodes = figures.busiest_day(results)
    days = "".join(day_picture(name, result, day, nodes) for name, result in results.items())
    return (
        f"<!doctype html><html lang='en'><meta charset='utf-8'><title>{html.escape(trace.name)}: schedmate simulate"
        f"</title><style>{STYLE}</style><h1>{html.escape(trace.name)}</h1><p>{html.escape(facts(simulation))}</p>"
        f"{notes}<h2>Policies</h2>{policy_table(simulation)}{told}{picture(waits)}"
        f"<h2>Distributions and use</h2><div class='pair'>{pictures}</div>"
        f"<h2>A day of the busiest nodes</h2><p>A row is a node, a stripe in it a GPU, a bar a job; a job that joined "
        f"another on the same GPUs covers half of its bar.</p>{days}</html>\n"
    )


def policy_table(simulation: "Simulation") -> str:
    """Write the figures of each run; the best of a column stands out."""
    several = len({summary.seed for summary in simulation.summaries}) > 1
    best = [""]
    for _, value, how, better in COLUMNS:
        first = min(simulation.summaries, key=lambda summary: -better * value(summary))
        # Compared as written: what looks alike is alike best, and nothing stands out where all look alike.
        alike = len({format(value(summary), how) for summary in simulation.summaries}) == 1
        best.append(format(value(first), how) if better and not alike else "")
    past = recorded(simulation.experiment.trace)
    lines = [(past_cells(past), [""] * (len(COLUMNS) + 1))] if past is not None else []
    for summary in simulation.summaries:
        row = cells(f"{summary.policy}, seed {summary.seed}" if several else summary.policy, summary)
        lines.append((row, ["best" if cell == top else "" for cell, top in zip(row, best, strict=True)]))
    # A unit stays with its word where a heading breaks.
    heads = [word.replace(", ", ",\N{NO-BREAK SPACE}") for word, _, _, _ in COLUMNS]
    return html_table(["policy", *heads], lines)


def html_table(heads: Sequence[str], lines: Sequence[tuple[Sequence[str], Sequence[str]]]) -> str:
    """Write a table, each cell with its class."""
    head = "".join(f"<th>{html.escape(word)}</th>" for word in heads)
    body = "".join(
        "<tr>" + "".join(f"<td class='{m}'>{html.escape(c)}</td>" for c, m in zip(row, marks, strict=True)) + "</tr>"
        for row, marks in lines
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def curve_picture(drawing: "Callable[[Axes, Mapping[str, Result]], None]", results: Mapping[str, Result]) -> str:
    """Draw all policies into one figure of the page."""
    figure = figures.blank(7.5, 4.2)
    drawing(figure.subplots(), results)
    return image(figure, (drawing.__doc__ or "").strip())


def day_picture(name: str, result: Result, day: int, nodes: Sequence[str]) -> str:
    """Draw one policy's day into the page."""
    figure = figures.blank(14, 1.2 + 0.2 * len(nodes))
    figures.gantt(figure.subplots(), result, name, day, nodes)
    return image(figure, f"a day of the nodes under {name}")


def image(figure: "Figure", about: str) -> str:
    """Put a figure into the page itself."""
    stream = io.BytesIO()
    figure.savefig(stream, format="png")
    data = base64.b64encode(stream.getvalue()).decode()
    return f"<img alt='{html.escape(about, quote=True)}' src='data:image/png;base64,{data}'>"
