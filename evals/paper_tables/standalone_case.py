"""Case study 3 (Fig. 13): SchedMate as a scheduler of its own, with and without its handler of failures."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import fmean
from typing import TYPE_CHECKING

import numpy as np

from evals.paper_tables.runs import Runs, better
from evals.report import Cell, Table
from schedmate.clusters.simulation.draws import drawn
from schedmate.clusters.simulation.job_faults import struck
from schedmate.clusters.simulation.restart_cost import REAL
from schedmate.clusters.simulation.told_remaining import Legibility
from schedmate.scheduling.simulation.build_experiment import fitting_nodes
from schedmate.scheduling.simulation.experiment import Experiment, Faults
from schedmate.scheduling.simulation.results import Summary
from schedmate.traces.chains import failed, merged, resumptions
from schedmate.traces.generating import generate

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PAPER = {"qssf": 0.257, "tiresias": 0.16, "without its handler": 0.125}
"""How much shorter the paper's average completion time is than theirs, and than its own without the handler."""
BASELINES = ("fifo", "qssf", "tiresias", "horus")
TRACES = {"seren-like": "seren", "kalos-like": "kalos"}
OURS, HANDLED, AS_PAPER = (
    "schedmate",
    "schedmate with its failure handler",
    "the same, reading logs as the paper's does",
)


@dataclass(frozen=True)
class Confusion:
    """How well `diagnose` tells faults of the cluster from the job's own, as `python -m evals failures` measures it."""

    recall: float
    false_alarms: float
    """Share of other failures that it takes for faults of the cluster."""


PAPER_READS = Confusion(0.613, 0.067)
"""From Table 4 (7B): F1 67.7 %, precision 75.7 %, 75 faults of the cluster among 300 failures."""


@dataclass(frozen=True)
class Broken:
    """A trace whose resumed failures are played as interruptions of one job."""

    experiment: Experiment
    interruptions: int
    handled: Experiment
    """The same with the handler: it restarts soon what it recognises, and now and then what nobody can mend."""


def broken(like: str, seed: int, notice_min: float, confusion: Confusion, read: Legibility) -> Broken:
    """Find failed jobs that were sent again, and let a fault of the cluster have ended some, as Acme reports."""
    trace = generate(TRACES[like], seed=seed)
    links, was_failed = resumptions(trace), failed(trace)
    resumed = np.isin(np.arange(len(trace)), list(links))
    by_cluster = struck(trace.gpus * trace.duration_s, was_failed, resumed, seed)
    whole, left = merged(trace, {first: after for first, after in links.items() if by_cluster[first]})
    experiment = Experiment(
        trace=whole,
        nodes=tuple(fitting_nodes(trace)),
        accounting="honest",
        saving=replace(REAL, seed=seed),
        legibility=read,
        mishaps=left,
        faults=Faults(notice_s=notice_min * 60.0),
        seed=seed,
    )
    # Who is restarted in vain fails again at the same place, and has run once more from its last checkpoint.
    own = np.flatnonzero(failed(whole))
    vain = [int(number) for number in own if drawn("vain", seed, int(number)) < confusion.false_alarms]
    again = {**left, **{number: (*left.get(number, ()), 0.0) for number in vain}}
    faults = replace(experiment.faults, recognised=confusion.recall)
    handled = replace(experiment, mishaps=again, faults=faults)
    return Broken(experiment, sum(map(len, left.values())), handled)


def measure(
    runs: Runs, like: str, notices_min: Sequence[int], confusion: Confusion, read: Legibility
) -> dict[int, dict[str, list[Summary]]]:
    """Play all policies; by minutes until a person notices, then by policy."""
    found: dict[int, dict[str, list[Summary]]] = {}
    for notice_min in notices_min:
        worlds = [broken(like, seed, notice_min, confusion, read) for seed in runs.draws]
        plain = [one.experiment for one in worlds]
        label = f"{like}, noticed after {notice_min} min"
        columns = found.setdefault(notice_min, {})
        for policy in (*BASELINES, OURS):
            columns[policy] = runs.each(f"{label}, {policy}", plain, policy)
        columns[HANDLED] = runs.each(f"{label}, {HANDLED}", [one.handled for one in worlds], OURS)
        worse = [broken(like, seed, notice_min, PAPER_READS, read).handled for seed in runs.draws]
        columns[AS_PAPER] = runs.each(f"{label}, {AS_PAPER}", worse, OURS)
    return found


def table(like: str, found: dict[int, dict[str, list[Summary]]]) -> Table:
    """Put policies below each other, by minutes until a person notices."""
    rows: list[list[Cell]] = []
    for notice_min, columns in found.items():
        handled_s = average(columns[HANDLED])
        for policy, summaries in columns.items():
            paper = PAPER.get("without its handler" if policy == OURS else policy)
            rows.append(
                [
                    f"{notice_min} min: {policy}",
                    round(average(summaries)),
                    round(fmean(one.avg_queue_s for one in summaries)),
                    None if policy in {HANDLED, AS_PAPER} else better(average(summaries), handled_s),
                    f"-{paper:.1%}" if paper else None,
                ]
            )
    names = ("noticed after: policy", "average, s", "of it waiting, s", "ours with its handler", "the paper's")
    return Table(f"Fig. 13: {like}, interrupted by the cluster", names, rows)


def average(summaries: list[Summary]) -> float:
    """Average completion times over seeds."""
    return fmean(one.avg_jct_s for one in summaries)


def draw(axes: "Axes", like: str, found: dict[int, dict[str, list[Summary]]]) -> None:
    """Draw completion times by policy, one group for each time until a person notices."""
    names = [*BASELINES, OURS, HANDLED, AS_PAPER]
    width = 0.8 / len(names)
    for place, name in enumerate(names):
        heights = [average(of[name]) / 3600 for of in found.values()]
        axes.bar([at + place * width for at in range(len(found))], heights, width, label=name)
    axes.set_xticks([at + 0.4 - width / 2 for at in range(len(found))], [f"noticed after {n} min" for n in found])
    axes.set_yscale("log")
    axes.set_ylabel("average completion time, h")
    axes.set_title(f"Fig. 13: {like}")
    axes.legend(fontsize=6)
