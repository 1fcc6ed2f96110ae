"""The figures of a simulation, as a picture or as one HTML file that needs nothing beside it."""

import base64
import html
import io
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from schedmate.errors import InputError, MissingExtra
from schedmate.scheduling.experiment import Result

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from schedmate.scheduling.simulation import Simulation

DAY_S, HOUR_S = 86_400.0, 3600.0
MOST_POINTS, MOST_NODES, MOST_BARS = 2000, 24, 6000
PICTURES = {".png", ".svg", ".pdf"}


def save(simulation: "Simulation", path: Path) -> None:
    """Write a picture, or a page with a table and pictures, by the file's ending."""
    if path.suffix not in PICTURES | {".html"}:
        raise InputError(f"{path} is no picture or page", f"end it in {', '.join(sorted(PICTURES))} or .html")
    results = {name_of(simulation, *key): result for key, result in simulation.results.items()}
    if not results:
        raise InputError("there is nothing to draw: all runs were done before", "leave out --sweep, or name a new one")
    try:
        if path.suffix == ".html":
            path.write_text(page(simulation, results), "utf-8")
        else:
            draw(results).savefig(path)
    except OSError as error:
        raise InputError(
            f"{path} cannot be written: {error.strerror}", "name a file in a folder that exists"
        ) from error


def name_of(simulation: "Simulation", policy: str, seed: int) -> str:
    """Name a run by its policy, and its seed where there are several."""
    return f"{policy}, seed {seed}" if len({key[1] for key in simulation.results}) > 1 else policy


def blank(width: float, height: float) -> "Figure":
    """Give an empty figure; no display is needed."""
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise MissingExtra("drawing figures", "plots") from error
    return Figure(figsize=(width, height), dpi=110, layout="constrained")


def draw(results: Mapping[str, Result]) -> "Figure":
    """Draw completion times, queueing, utilisation and a day of the first policy."""
    figure = blank(13, 9)
    axes = figure.subplots(2, 2)
    cdf(axes[0, 0], {name: result.outcomes.jct_s for name, result in results.items()}, "job completion time")
    cdf(axes[0, 1], {name: result.outcomes.queue_s for name, result in results.items()}, "queueing time")
    utilisation(axes[1, 0], results)
    name, result = next(iter(results.items()))
    gantt(axes[1, 1], result, name)
    return figure


def cdf(axes: "Axes", series: Mapping[str, Any], what: str) -> None:
    """Draw which share of jobs is done within a time."""
    for name, values in series.items():
        ordered = np.sort(values[np.isfinite(values)])
        picked = np.unique(np.linspace(0, len(ordered) - 1, MOST_POINTS).astype(int))
        axes.step(np.maximum(ordered[picked], 1.0), (picked + 1) / len(ordered), where="post", label=name)
    axes.set_xscale("log")
    axes.set_xlabel(f"{what}, s")
    axes.set_ylabel("share of jobs")
    axes.set_ylim(0, 1)
    axes.grid(alpha=0.3)
    axes.legend()


def utilisation(axes: "Axes", results: Mapping[str, Result]) -> None:
    """Draw the share of GPUs in use, averaged over a few hundred equal stretches of time."""
    for name, result in results.items():
        if result.timeline is None or len(result.timeline.samples) < 2:
            continue
        time_s = np.array([sample.time_s for sample in result.timeline.samples])
        busy = np.array([sample.busy_gpus for sample in result.timeline.samples], float)
        area = np.concatenate([[0.0], np.cumsum(busy[:-1] * np.diff(time_s))])
        edges = np.linspace(time_s[0], time_s[-1], 300)
        mean = np.diff(np.interp(edges, time_s, area)) / np.maximum(np.diff(edges), 1e-9)
        axes.step((edges[:-1] - edges[0]) / DAY_S, mean / max(result.gpus, 1), where="post", label=name)
    axes.set_xlabel("days")
    axes.set_ylabel("share of GPUs in use")
    axes.set_ylim(0, 1.02)
    axes.grid(alpha=0.3)
    axes.legend()


def gantt(axes: "Axes", result: Result, name: str) -> None:
    """Draw a day of the busiest nodes: a bar a job, as high as it has GPUs there."""
    stretches = result.timeline.stretches if result.timeline is not None else []
    days = Counter(int(stretch.start_s // DAY_S) for stretch in stretches)
    if not days:
        return
    day = max(sorted(days), key=lambda d: days[d])
    today = [s for s in stretches if s.start_s < (day + 1) * DAY_S and s.end_s > day * DAY_S]
    nodes = sorted(node for node, _ in Counter(s.node for s in today).most_common(MOST_NODES))
    place = {node: index for index, node in enumerate(nodes)}
    size = max(s.slot + s.gpus for s in today)
    # Where there are too many, the shortest are left out: they are thinner than a line.
    bars = sorted((s for s in today if s.node in place), key=lambda s: s.start_s - s.end_s)[:MOST_BARS]
    start_h = np.array([max(s.start_s - day * DAY_S, 0.0) / HOUR_S for s in bars])
    end_h = np.array([min(s.end_s - day * DAY_S, DAY_S) / HOUR_S for s in bars])
    axes.barh(
        [place[s.node] + s.slot / size for s in bars],
        end_h - start_h,
        height=[0.95 * s.gpus / size for s in bars],
        left=start_h,
        color=[f"C{s.number % 10}" for s in bars],
        align="edge",
        alpha=0.8,
    )
    axes.set_xlim(0, 24)
    axes.set_yticks([index + 0.5 for index in range(len(nodes))], nodes, fontsize=6)
    axes.set_xlabel("hours")
    axes.set_title(f"{name}, day {day}: {len(nodes)} busiest nodes")


def page(simulation: "Simulation", results: Mapping[str, Result]) -> str:
    """Write the whole report as one page."""
    trace, nodes = simulation.experiment.trace, simulation.experiment.nodes
    rows = [summary.fields() for summary in simulation.summaries]
    head = "".join(f"<th>{html.escape(name)}</th>" for name in rows[0])
    body = "".join(
        "<tr>" + "".join(f"<td>{html.escape(shown(value))}</td>" for value in row.values()) + "</tr>" for row in rows
    )
    pictures = [draw(results)]
    for name, result in list(results.items())[1:]:
        figure = blank(13, 4)
        gantt(figure.subplots(), result, name)
        pictures.append(figure)
    notes = "".join(f"<p>{html.escape(note)}</p>" for note in trace.notes)
    return (
        "<!doctype html><html lang='en'><meta charset='utf-8'><title>schedmate simulate</title>"
        "<style>body{font:15px sans-serif;margin:2em;max-width:1500px}table{border-collapse:collapse;font-size:13px}"
        "td,th{padding:.3em .6em;text-align:right;border-bottom:1px solid #ddd}img{max-width:100%}</style>"
        f"<h1>{html.escape(trace.name)}</h1><p>{len(trace):,} jobs on {len(nodes):,} nodes, "
        f"{sum(node.gpus for node in nodes):,} GPUs</p>{notes}<table><tr>{head}</tr>{body}</table>"
        + "".join(f"<p><img alt='figure' src='data:image/png;base64,{encoded(figure)}'></p>" for figure in pictures)
        + "</html>\n"
    )


def shown(value: object) -> str:
    """Write a number for people."""
    if isinstance(value, float):
        return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"
    return f"{value:,}" if isinstance(value, int) else str(value)


def encoded(figure: "Figure") -> str:
    """Give a figure as base64 of its PNG."""
    stream = io.BytesIO()
    figure.savefig(stream, format="png")
    return base64.b64encode(stream.getvalue()).decode()
