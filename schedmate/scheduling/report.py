"""The report of a simulation: one picture, or one HTML file that needs nothing beside it."""

import base64
import html
import io
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from schedmate.scheduling import figures
from schedmate.scheduling.experiment import Result
from schedmate.scheduling.published import Beside, beside
from schedmate.scheduling.results import Summary
from schedmate.tools.output import writing

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from schedmate.scheduling.simulation import Simulation

DRAWINGS = (figures.jct_cdf, figures.queue_cdf, figures.utilisation, figures.waiting)
STYLE = """
body{font:15px/1.5 system-ui,sans-serif;color:#222;margin:2.5em auto;max-width:1280px;padding:0 1.5em}
h1{margin:0}h2{margin:2em 0 .4em;font-size:1.15em}p{margin:.3em 0;color:#555}.note{color:#8a6d00}
table{border-collapse:collapse;font-size:13px;font-variant-numeric:tabular-nums;width:100%}
th{font-weight:600;color:#555;border-bottom:2px solid #ccc;vertical-align:bottom}
td,th{padding:.35em .6em;text-align:right}td:first-child,th:first-child{text-align:left;white-space:nowrap}
tbody tr:nth-child(even){background:#f7f7f9}.best{font-weight:700;color:#1d6b2f}.far{color:#b3261e;font-weight:600}
img{width:100%;height:auto}.pair{display:grid;grid-template-columns:1fr 1fr;gap:1em}
@media(max-width:800px){.pair{grid-template-columns:1fr}}
"""
COLUMNS: tuple[tuple[str, Callable[[Summary], float], str, int], ...] = (
    # heading, value, how it is written, and whether less (-1) or more (1) is better
    ("avg JCT, s", lambda s: s.avg_jct_s, ",.0f", -1),
    ("median, s", lambda s: s.median_jct_s, ",.0f", -1),
    ("p99, s", lambda s: s.p99_jct_s, ",.0f", -1),
    ("avg queue, s", lambda s: s.avg_queue_s, ",.0f", -1),
    ("p99.9, s", lambda s: s.p999_queue_s, ",.0f", -1),
    ("makespan, h", lambda s: s.makespan_s / 3600, ",.1f", -1),
    ("GPUs busy", lambda s: s.gpu_utilisation, ".1%", 1),
    ("preemptions", lambda s: s.preemptions, ",.0f", 0),
    ("evictions", lambda s: s.evictions, ",.0f", 0),
    ("Jain", lambda s: s.jain_index, ".3f", 1),
    ("fairness p95", lambda s: s.finish_time_fairness_p95, ",.2f", -1),
    ("profiling, GPU h", lambda s: s.profiling_gpu_h, ",.0f", 0),
    ("CPU, s", lambda s: s.cpu_s, ",.1f", 0),
)
BESIDE = (
    # the figure, its heading, how it is written
    ("avg_jct_s", "avg JCT, s", ",.0f"),
    ("median_jct_s", "median JCT, s", ",.0f"),
    ("avg_queue_s", "avg queue, s", ",.0f"),
    ("p999_queue_s", "p99.9 queue, s", ",.0f"),
    ("preemptions_a_job", "preemptions a job", ",.3f"),
)
FAR = 0.03
"""Deviations beyond this are marked."""


def save(simulation: "Simulation", path: Path) -> None:
    """Write a picture, or a page with tables and pictures, by the file's ending."""
    results = {name_of(simulation, *key): result for key, result in simulation.results.items()}
    rows = beside(simulation.experiment, {policy: r for (policy, _), r in simulation.results.items()})
    with writing(path):
        if path.suffix == ".html":
            path.write_text(page(simulation, results, rows), "utf-8")
        else:
            sheet(simulation, results, rows).savefig(path)


def name_of(simulation: "Simulation", policy: str, seed: int) -> str:
    """Name a run by its policy, and its seed where there are several."""
    return f"{policy}, seed {seed}" if len({key[1] for key in simulation.results}) > 1 else policy


def cells(name: str, summary: Summary) -> list[str]:
    """Write a row of the table of policies."""
    return [name, *(format(value(summary), how) for _, value, how, _ in COLUMNS)]


def beside_heads(short: bool = False) -> list[str]:
    """Name the columns of the table of theirs beside ours."""
    return [
        "run",
        *(word for _, head, _ in (BESIDE[:1] if short else BESIDE) for word in (f"{head}: theirs", "ours", "off")),
    ]


def beside_cells(row: Beside, short: bool = False) -> list[str]:
    """Write a row of it; a dash where they printed nothing."""
    shown = [row.run]
    for name, _, how in BESIDE[:1] if short else BESIDE:
        theirs, mine, off = getattr(row.theirs, name), getattr(row.ours, name), row.off(name)
        known = theirs is not None
        shown += [format(theirs, how), format(mine, how)] if known else ["-", "-"]
        shown.append("" if off is None else f"{off:+.1%}")
    return shown


def facts(simulation: "Simulation") -> str:
    """Tell in a line what was simulated."""
    experiment = simulation.experiment
    gpus = sum(node.gpus for node in experiment.nodes)
    vcs = len({node.vc for node in experiment.nodes})
    where = f"{len(experiment.nodes):,} nodes, {gpus:,} GPUs" + (f", {vcs} virtual clusters" if vcs > 1 else "")
    return f"{len(experiment.trace):,} jobs on {where}; {experiment.accounting} accounting"


def sheet(simulation: "Simulation", results: Mapping[str, Result], rows: Sequence[Beside]) -> "Figure":
    """Draw everything on one picture: the tables, the four curves, and a day under the first and the last policy."""
    days = list(results.items())[:: max(len(results) - 1, 1)]
    heights = [0.35 + 0.24 * max(len(results), len(rows)), 3.4, 3.0, *[4.2] * len(days)]
    heights += [0.6 + 0.34 * len(rows)] if rows else []
    figure = figures.blank(15, sum(heights) + 1.0)
    figure.suptitle(
        f"{simulation.experiment.trace.name}: {facts(simulation)}", x=0.01, ha="left", fontsize=13, fontweight="bold"
    )
    grid = figure.add_gridspec(len(heights), 12, height_ratios=heights)
    wide = 8 if rows else 12  # of 12 columns
    heads = ["policy", *(word for word, _, _, _ in COLUMNS[:7])]
    body = [cells(name, result.summary)[:8] for name, result in results.items()]
    text_table(figure.add_subplot(grid[0, :wide]), heads, body)
    if rows:
        lines = [beside_cells(row, short=True) for row in rows]
        text_table(figure.add_subplot(grid[0, wide:]), beside_heads(short=True), lines)
    for place, drawing in enumerate(DRAWINGS):
        drawing(figure.add_subplot(grid[1 + place // 2, 6 * (place % 2) : 6 * (place % 2) + 6]), results)
    if rows:
        figures.comparison(figure.add_subplot(grid[3, :]), rows)
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


def page(simulation: "Simulation", results: Mapping[str, Result], rows: Sequence[Beside]) -> str:
    """Write the whole report as one page."""
    trace = simulation.experiment.trace
    notes = "".join(f"<p class='note'>{html.escape(note)}</p>" for note in trace.notes)
    pictures = "".join(curve_picture(drawing, results) for drawing in DRAWINGS)
    day, nodes = figures.busiest_day(results)
    days = "".join(day_picture(name, result, day, nodes) for name, result in results.items())
    return (
        f"<!doctype html><html lang='en'><meta charset='utf-8'><title>{html.escape(trace.name)}: schedmate simulate"
        f"</title><style>{STYLE}</style><h1>{html.escape(trace.name)}</h1><p>{html.escape(facts(simulation))}</p>"
        f"{notes}<h2>Policies</h2>{policy_table(simulation)}{beside_section(rows)}"
        f"<h2>Distributions and use</h2><div class='pair'>{pictures}</div>"
        f"<h2>A day of the busiest nodes</h2><p>A row is a node, a stripe in it a GPU, a bar a job; a job that joined "
        f"another on the same GPUs covers half of its bar.</p>{days}</html>\n"
    )


def policy_table(simulation: "Simulation") -> str:
    """Write the figures of each run; the best of a column stands out."""
    several = len({summary.seed for summary in simulation.summaries}) > 1
    best = {
        place: min(-better * value(summary) for summary in simulation.summaries)
        for place, (_, value, _, better) in enumerate(COLUMNS, 1)
        if better and len(simulation.summaries) > 1
    }
    lines = []
    for summary in simulation.summaries:
        name = f"{summary.policy}, seed {summary.seed}" if several else summary.policy
        values = [0.0, *(-better * value(summary) for _, value, _, better in COLUMNS)]
        marks = ["best" if values[place] == best.get(place) else "" for place in range(len(values))]
        lines.append((cells(name, summary), marks))
    return html_table(["policy", *(word for word, _, _, _ in COLUMNS)], lines)


def beside_section(rows: Sequence[Beside]) -> str:
    """Write theirs beside ours where the trace is one that a published simulator was run on."""
    if not rows:
        return ""
    lines = []
    for row in rows:
        off = [row.off(name) for name, _, _ in BESIDE]
        marks = [mark for value in off for mark in ("", "", "far" if value is not None and abs(value) > FAR else "")]
        lines.append((beside_cells(row), ["", *marks]))
    return (
        "<h2>Beside the published simulators</h2><p>What the authors' own simulators printed for this trace and "
        f"cluster, and what this run gave.</p>{html_table(beside_heads(), lines)}"
    )


def html_table(heads: Sequence[str], lines: Sequence[tuple[Sequence[str], Sequence[str]]]) -> str:
    """Write a table; each cell with its class."""
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
