"""Case study 1 (Fig. 12, Fig. 15c): SchedMate inside Lucid, each part alone and all together."""

from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING

from evals.paper_tables.runs import Runs, better, mean_jct_s
from evals.policy import world
from evals.report import Cell, Table
from schedmate.clusters.simulation.interference import by_load
from schedmate.clusters.simulation.likeness import Matching
from schedmate.clusters.simulation.restart_cost import REAL
from schedmate.clusters.simulation.rigid_jobs import Interference
from schedmate.scheduling.simulation.build_experiment import fitting_nodes
from schedmate.scheduling.simulation.experiment import Experiment
from schedmate.traces.profiles import WarmUp
from schedmate.traces.reshaping import scale

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PAPER = (1.23, 1.91)
"""Improvement of the average completion time over Lucid on four traces, from the text; the most on Acme."""
PAPER_DETECTION = {0.5: 0.125}
WARM_UP = WarmUp(60.0)
HIT, WRONG = 0.8, 0.05
BELOW = 0.65
TESTBED_GPUS = 64
TRACES = ("venus", "pcs", "seren-like", "kalos-like", "seren-like-64")
RATES = (0.0, 0.2, 0.4, 0.5, 0.6, 0.8, 1.0)

TABLES: dict[str, Interference | None] = {"measured": None, "heavy": by_load}
"""Whose interference: Lucid's measured pairs (their means where none are at hand), or GPUs shared evenly by load."""


@dataclass(frozen=True)
class Row:
    """One trace under one table of interference: average completion times in s, by what of SchedMate is used."""

    trace: str
    table: str
    bound_s: float
    jct_s: dict[str, float]


def parts(seed: int) -> dict[str, dict[str, object]]:
    """Name what is switched on in each column."""
    metadata = Matching(HIT, WRONG, seed)
    watched: dict[str, object] = {"evict_below": BELOW}
    return {
        "Lucid": {},
        "no profiling of known jobs": {"metadata": metadata},
        "similar jobs": {"similar": True},
        "cancellation": watched,
        "cancellation, more pairs": {**watched, "tries_pairs": True},
        "all": {**watched, "tries_pairs": True, "similar": True, "metadata": metadata},
    }


def experiment_of(data: Path, name: str, table: str, seed: int) -> Experiment:
    """Set a trace up under honest accounting, with programs that warm up and evictions that cost what they do."""
    made, _, most = name.partition("-like-")
    base = world(data, f"{made}-like" if most else name, seed)
    if most:
        trace = scale(base.trace, most_gpus=int(most))
        base = replace(base, trace=trace, nodes=tuple(fitting_nodes(trace)))
    interference = TABLES[table] or base.interference
    return replace(base, interference=interference, warm_up=WARM_UP, saving=replace(REAL, seed=seed), seed=seed)


def measure(runs: Runs, data: Path, traces: tuple[str, ...]) -> list[Row]:
    """Play every column of every row."""
    rows = []
    for name in traces:
        for table in TABLES:
            seeds = runs.draws if name != "pcs" else runs.draws[:1]
            bases = [experiment_of(data, name, table, seed) for seed in seeds]
            jct_s: dict[str, float] = {}
            for policy in ("qssf", "horus"):
                jct_s[policy] = mean_jct_s(runs.each(f"{name}, {table}, {policy}", bases, policy))
            for part in parts(0):
                played = [replace(base, **parts(seed)[part]) for seed, base in zip(seeds, bases, strict=True)]  # type: ignore[arg-type]
                jct_s[part] = mean_jct_s(runs.each(f"{name}, {table}, {part}", played, "lucid"))
            bound_s = fmean(float(base.trace.duration_s.mean()) for base in bases)
            rows.append(Row(name, table, bound_s, jct_s))
    return rows


def table(rows: list[Row]) -> Table:
    """Put the columns side by side, with what Lucid plus SchedMate gains and what nobody can pass."""
    names = list(rows[0].jct_s) if rows else []
    cells: list[list[Cell]] = []
    for row in rows:
        lucid_s, all_s = row.jct_s["Lucid"], row.jct_s["all"]
        cells.append(
            [
                f"{row.trace}, {row.table}",
                *(round(row.jct_s[name]) for name in names),
                better(lucid_s, all_s),
                f"{lucid_s / all_s:.2f}",
                f"{lucid_s / row.bound_s:.2f}",
            ]
        )
    columns = ("trace, interference", *names, "all / Lucid", "times better", "at most")
    return Table("Fig. 12: average completion time, s", columns, cells)


def detection(runs: Runs, data: Path, name: str) -> list[tuple[float, float]]:
    """Let cancellation see a share of the slow pairs only (Fig. 15c); give average completion times by share."""
    found = []
    for rate in RATES:
        bases = [experiment_of(data, name, "heavy", seed) for seed in runs.draws]
        played = [replace(base, evict_below=BELOW, detection_rate=rate) for base in bases]
        found.append((rate, mean_jct_s(runs.each(f"{name}, heavy, detection {rate:g}", played, "lucid"))))
    return found


def detection_table(found: list[tuple[float, float]], name: str) -> Table:
    """Put the shares below each other."""
    base_s = found[0][1]
    rows: list[list[Cell]] = []
    for rate, jct_s in found:
        paper = PAPER_DETECTION.get(rate)
        rows.append([f"{rate:g}", round(jct_s), better(base_s, jct_s), f"-{paper:.1%}" if paper else None])
    columns = ("share of slow pairs seen", "average completion time, s", "against none", "the paper")
    return Table(f"Fig. 15c: {name}, heavy interference, parted below {BELOW:g}", columns, rows)


def draw(axes: "Axes", rows: list[Row]) -> None:
    """Draw times better by trace beside the bound and the paper's range."""
    places = range(len(rows))
    gains = [row.jct_s["Lucid"] / row.jct_s["all"] for row in rows]
    bounds = [row.jct_s["Lucid"] / row.bound_s for row in rows]
    axes.axhspan(*PAPER, color="0.9", label="the paper, four traces")
    axes.bar(places, gains, 0.6, label="ours")
    axes.plot(places, [min(bound, 3.0) for bound in bounds], "k_", markersize=18, label="bound: no queue (cut at 3)")
    axes.set_xticks(list(places), [f"{row.trace}\n{row.table}" for row in rows], rotation=60, ha="right", fontsize=7)
    axes.axhline(1.0, color="0.5", linewidth=0.8)
    axes.set_ylabel("Lucid / Lucid + SchedMate")
    axes.set_title("Fig. 12d: times better than Lucid")
    axes.legend(fontsize=7)


def draw_detection(axes: "Axes", found: list[tuple[float, float]], name: str) -> None:
    """Draw the average over the share that is seen."""
    axes.plot([rate for rate, _ in found], [jct_s / 3600 for _, jct_s in found], "o-")
    axes.set_ylim(bottom=0)
    axes.set_xlabel("share of slow pairs seen")
    axes.set_ylabel("average completion time, h")
    axes.set_title(f"Fig. 15c: {name}, heavy interference")
