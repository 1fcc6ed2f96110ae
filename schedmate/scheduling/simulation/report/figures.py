"""The drawings of a simulation: distributions, use over time, a day of the nodes."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from schedmate.errors import MissingExtra
from schedmate.scheduling.estimators.mixture import Array
from schedmate.scheduling.simulation.experiment import Result
from schedmate.scheduling.simulation.timeline import Stretch

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

DAY_S, HOUR_S = 86_400.0, 3600.0
MOST_POINTS, MOST_NODES, MOST_BARS, MOMENTS = 2000, 24, 8000, 400
COLOURS = ("#4269d0", "#efb118", "#ff725c", "#3ca951", "#a463f2", "#6cc5b0", "#9c6b4e", "#ff8ab7", "#97bbf5")
TICKS_S = {
    1: "1 s",
    10: "10 s",
    60: "1 min",
    600: "10 min",
    3600: "1 h",
    36_000: "10 h",
    86_400: "1 d",
    864_000: "10 d",
}
WAITS = ((60.0, "#3ca951", "under 1 min"), (3600.0, "#97bbf5", "under 1 h"), (DAY_S, "#efb118", "under 1 d"))
LONG_WAIT = "#ff725c", "1 d or more"
STYLE: dict[str, object] = {
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlelocation": "left",
    "axes.titleweight": "bold",
    "axes.titlesize": 11,
    "axes.grid": True,
    "grid.alpha": 0.25,
    "font.size": 9,
    "legend.frameon": False,
}


def blank(width: float, height: float) -> "Figure":
    """Give an empty figure; no display is needed."""
    try:
        import matplotlib as mpl
        from cycler import cycler
        from matplotlib.figure import Figure
    except ImportError as error:
        raise MissingExtra("drawing figures", "plots") from error
    mpl.rcParams.update({**STYLE, "axes.prop_cycle": cycler(color=COLOURS)})
    return Figure(figsize=(width, height), dpi=130, layout="constrained")


def jct_cdf(axes: "Axes", results: Mapping[str, Result]) -> None:
    """Draw the share of jobs that are done within a time."""
    cdf(axes, {name: result.outcomes.jct_s for name, result in results.items()}, "Job completion time")


def queue_cdf(axes: "Axes", results: Mapping[str, Result]) -> None:
    """Draw the share of jobs that wait no longer than a time."""
    cdf(axes, {name: result.outcomes.queue_s for name, result in results.items()}, "Queueing time")


def cdf(axes: "Axes", series: Mapping[str, Array], title: str) -> None:
    """Draw a distribution over time on a log axis."""
    most = 1.0
    for name, values in series.items():
        ordered = np.sort(values[np.isfinite(values)])
        if not len(ordered):
            continue
        picked = np.unique(np.linspace(0, len(ordered) - 1, MOST_POINTS).astype(int))
        axes.step(np.maximum(ordered[picked], 1.0), (picked + 1) / len(ordered), where="post", label=name)
        most = max(most, float(ordered[-1]))
    axes.set_xscale("log")
    axes.set_xlim(1.0, most * 1.3)
    ticks = {at: word for at, word in TICKS_S.items() if at <= most * 1.3}
    axes.set_xticks(list(ticks), list(ticks.values()))
    axes.set_xticks([], minor=True)
    axes.set_ylim(0, 1)
    axes.set_ylabel("share of jobs")
    axes.set_title(title)
    axes.legend(loc="lower right")


def utilisation(axes: "Axes", results: Mapping[str, Result]) -> None:
    """Draw the share of GPUs in use."""
    over_time(axes, results, "busy_gpus", per_gpu=True)
    axes.set_ylim(0, 1.02)
    axes.set_ylabel("share of GPUs")
    axes.set_title("GPUs in use")


def waiting(axes: "Axes", results: Mapping[str, Result]) -> None:
    """Draw how many jobs wait."""
    over_time(axes, results, "waiting", per_gpu=False)
    axes.set_ylim(bottom=0)
    axes.set_ylabel("jobs")
    axes.set_title("Jobs waiting")


def over_time(axes: "Axes", results: Mapping[str, Result], what: str, per_gpu: bool) -> None:
    """Draw a quantity averaged over equal stretches of time, up to when 99.9 % of the jobs have ended."""
    last_s = max((float(np.nanquantile(result.outcomes.end_s, 0.999)) for result in results.values()), default=0.0)
    for name, result in results.items():
        samples = result.timeline.samples if result.timeline is not None else []
        if len(samples) < 2:
            continue
        time_s = np.array([sample.time_s for sample in samples])
        value = np.array([getattr(sample, what) for sample in samples], float)
        area = np.concatenate([[0.0], np.cumsum(value[:-1] * np.diff(time_s))])
        edges = np.linspace(time_s[0], max(min(time_s[-1], last_s), time_s[0] + 1.0), MOMENTS)
        mean = np.diff(np.interp(edges, time_s, area)) / np.diff(edges)
        axes.step(edges[:-1] / DAY_S, mean / max(result.gpus, 1) if per_gpu else mean, where="post", label=name, lw=1.1)
    axes.set_xlabel("days")


CURVES = (jct_cdf, queue_cdf, utilisation, waiting)


def busiest_day(results: Mapping[str, Result]) -> tuple[int, list[str]]:
    """Choose the day with most starts and the nodes where most happens on it, over all runs, so that days compare."""
    stretches = [s for result in results.values() if result.timeline for s in result.timeline.stretches]
    days = Counter(int(stretch.start_s // DAY_S) for stretch in stretches)
    if not days:
        return 0, []
    day = max(sorted(days), key=lambda d: days[d])
    today = [s for s in stretches if s.start_s < (day + 1) * DAY_S and s.end_s > day * DAY_S]
    # A job over many nodes looks the same on each: it counts as one, not as many.
    spread = Counter((s.number, s.start_s) for s in today)
    weight: dict[str, float] = {}
    for s in today:
        weight[s.node] = weight.get(s.node, 0.0) + 1 / spread[s.number, s.start_s]
    return day, sorted(sorted(weight, key=lambda node: -weight[node])[:MOST_NODES], key=natural)


def natural(name: str) -> tuple[str, int]:
    """Order node-2 before node-10."""
    head = name.rstrip("0123456789")
    return head, int(name[len(head) :] or 0)


def gantt(axes: "Axes", result: Result, name: str, day: int, nodes: Sequence[str]) -> None:
    """Draw a day of some nodes: a bar for each job on its very GPUs, by how long the job had waited."""
    place = {node: index for index, node in enumerate(nodes)}
    stretches = result.timeline.stretches if result.timeline is not None else []
    today = [s for s in stretches if s.node in place and s.start_s < (day + 1) * DAY_S and s.end_s > day * DAY_S]
    size = max((s.mask.bit_length() for s in today), default=1)
    # Where there are too many, the shortest are left out: they are thinner than a line.
    today = sorted(today, key=lambda s: s.start_s - s.end_s)[:MOST_BARS]
    bars = [(s, slot, gpus) for s in today for slot, gpus in runs(s.mask)]
    start_h = np.array([max(s.start_s - day * DAY_S, 0.0) / HOUR_S for s, _, _ in bars])
    end_h = np.array([min(s.end_s - day * DAY_S, DAY_S) / HOUR_S for s, _, _ in bars])
    # A job that joined another covers the lower half of its rows.
    low = [place[s.node] + 0.04 + 0.92 * (slot + s.low) / size for s, slot, _ in bars]
    height = [0.92 * gpus / size * (0.5 if s.shared else s.part) for s, _, gpus in bars]
    colour = [wait_colour(result, s) for s, _, _ in bars]
    axes.barh(low, end_h - start_h, height, start_h, color=colour, align="edge", edgecolor="white", linewidth=0.25)
    axes.set_xlim(0, 24)
    axes.set_xticks(range(0, 25, 3), [f"{hour}:00" for hour in range(0, 25, 3)])
    axes.set_ylim(len(nodes), 0)
    axes.set_yticks([index + 0.5 for index in range(len(nodes))], nodes, fontsize=6.5)
    axes.grid(visible=False)
    for index in range(1, len(nodes)):
        axes.axhline(index, color="#dddddd", lw=0.5)
    axes.set_title(f"{name}: day {day} of the {len(nodes)} busiest nodes, by how long each job had waited")
    legend_of_waits(axes)


def wait_colour(result: Result, stretch: Stretch) -> str:
    """Tell by colour how long a job had waited for its first start."""
    outcomes = result.outcomes
    waited_s = outcomes.first_start_s[stretch.number] - outcomes.submit_s[stretch.number]
    return next((colour for limit_s, colour, _ in WAITS if waited_s < limit_s), LONG_WAIT[0])


def legend_of_waits(axes: "Axes") -> None:
    """Name the colours under a day."""
    from matplotlib.patches import Patch

    words = [*((colour, word) for _, colour, word in WAITS), LONG_WAIT]
    handles = [Patch(color=colour, label=word) for colour, word in words]
    axes.legend(handles=handles, loc="upper center", bbox_to_anchor=(0.5, -0.05), ncols=len(words))


def runs(mask: int) -> list[tuple[int, int]]:
    """Cut a bit mask into its runs: the first GPU and how many follow."""
    found, slot = [], 0
    while mask >> slot:
        if mask >> slot & 1:
            first = slot
            while mask >> slot & 1:
                slot += 1
            found.append((first, slot - first))
        slot += 1
    return found
