"""The table of a report: policies with their figures, and what is told of all of them."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from schedmate.counts import how_many
from schedmate.scheduling.simulation.as_it_was import NAME, RecordedWaits
from schedmate.scheduling.simulation.results import Summary

if TYPE_CHECKING:
    from schedmate.scheduling.simulation.simulated import Simulation

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


def name_of(simulation: "Simulation", policy: str, seed: int) -> str:
    """Name a run by its policy, and its seed where there are several."""
    return f"{policy}, seed {seed}" if len({key[1] for key in simulation.results}) > 1 else policy


def cells(name: str, summary: Summary) -> list[str]:
    """Write a row of the table of policies."""
    return [name, *(format(value(summary), how) for _, value, how, _ in COLUMNS)]


def past_cells(past: RecordedWaits) -> list[str]:
    """Write what the site's records tell of waiting; of much there is no record."""
    waits = (past.avg_jct_s, past.median_jct_s, past.p99_jct_s, past.avg_queue_s, past.p999_queue_s)
    return [NAME, *(f"{value:,.0f}" for value in waits), *("-" for _ in COLUMNS[len(waits) :])]


def facts(simulation: "Simulation") -> str:
    """Tell in a line what was simulated."""
    experiment = simulation.experiment
    gpus = sum(node.gpus for node in experiment.nodes)
    vcs = len({node.vc for node in experiment.nodes})
    where = f"{how_many(len(experiment.nodes), 'node')}, {how_many(gpus, 'GPU')}"
    parts = f", {how_many(vcs, 'virtual cluster')}" if vcs > 1 else ""
    counted = f"{experiment.accounting} accounting (--accounting)"
    return f"{how_many(len(experiment.trace), 'job')} on {where}{parts}; {counted}"
