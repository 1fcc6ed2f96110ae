"""Who waits for whom: whose jobs wait, and whose jobs have the GPUs meanwhile."""

from collections import defaultdict
from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from schedmate.clusters import NodeSpec
from schedmate.scheduling.simulation.experiment import Experiment, Result
from schedmate.scheduling.simulation.results import Floats

GROUPS = ("short jobs", "medium jobs", "long jobs", "large jobs")

MEANS = ("under 15 min", "15 min to 4 h", "over 4 h", "over 8 GPUs")
"""Large ones are large however long they take; the others have up to eight GPUs."""
SHORT_S, LONG_S, LARGE = 900.0, 14_400.0, 8
MOMENTS = 2000

Spans = list[tuple[float, float, float]]
"""From when, until when, how many."""


def groups_of(result: Result) -> npt.NDArray[np.int64]:
    """Sort jobs by size, and where they are not large by length."""
    length = np.digitize(result.outcomes.duration_s, (SHORT_S, LONG_S))
    return np.where(result.outcomes.gpus > LARGE, 3, length)


def flows(experiment: Experiment, result: Result) -> Floats:
    """Give the seconds that jobs of each group waited, by who had the GPUs of their virtual cluster meanwhile.

    The last column is nobody: GPUs that lay idle. A job waits whenever it is there and does not run.
    """
    group = groups_of(result)
    homes = {node.name: node.vc for node in experiment.nodes}
    held: dict[str, list[Spans]] = defaultdict(lambda: [[] for _ in GROUPS])
    ran: dict[int, set[tuple[float, float]]] = defaultdict(set)
    for one in result.timeline.stretches if result.timeline is not None else ():
        ran[one.number].add((one.start_s, one.end_s))
        if not one.shared:
            span = one.start_s, one.end_s, one.mask.bit_count() * one.part
            held[homes.get(one.node, "")][int(group[one.number])].append(span)
    waited: dict[str, list[Spans]] = defaultdict(lambda: [[] for _ in GROUPS])
    vcs = experiment.trace.vc.listed() if experiment.has_vcs() else [""] * len(group)
    for number, since_s in enumerate(result.outcomes.submit_s.tolist()):
        spans = waited[vcs[number]][int(group[number])]
        for start_s, end_s in sorted(ran[number]):
            if start_s > since_s:
                spans.append((since_s, start_s, 1.0))
            since_s = max(since_s, end_s)
    sums = np.zeros((len(GROUPS), len(GROUPS) + 1))
    for vc, mine in waited.items():
        sums += flow(mine, held[vc], total_gpus(experiment.nodes, vc))
    return sums


def total_gpus(nodes: Iterable[NodeSpec], vc: str) -> int:
    """Count the GPUs of a virtual cluster."""
    return sum(node.gpus for node in nodes if node.vc == vc)


def flow(waiting: list[Spans], holding: list[Spans], gpus: int) -> Floats:
    """Share out the waiting of each short stretch of time as the GPUs were held in it."""
    last_s = max((end_s for spans in waiting for _, end_s, _ in spans), default=0.0)
    first_s = min((start_s for spans in waiting for start_s, _, _ in spans), default=0.0)
    edges = np.linspace(first_s, max(last_s, first_s + 1.0), MOMENTS + 1)
    area_s = np.array([areas(spans, edges) for spans in waiting])
    shares = np.array([areas(spans, edges) for spans in holding]) / np.diff(edges) / max(gpus, 1)
    idle = np.maximum(1.0 - shares.sum(axis=0), 0.0)
    everybody = np.vstack([shares, idle])
    return np.asarray(area_s @ (everybody / everybody.sum(axis=0)).T, np.float64)


def areas(spans: Spans, edges: Floats) -> Floats:
    """Give the area under spans between each edge and the next."""
    if not spans:
        return np.zeros(len(edges) - 1)
    start_s, end_s, count = np.array(spans).T
    return np.diff(up_to(start_s, count, edges) - up_to(end_s, count, edges))


def up_to(begin_s: Floats, count: Floats, edges: Floats) -> Floats:
    """Add up, at each edge, what has run since each begin."""
    order = np.argsort(begin_s, kind="stable")
    begin_s, count = begin_s[order], count[order]
    before = np.searchsorted(begin_s, edges)
    counts = np.concatenate([[0.0], np.cumsum(count)])[before]
    return np.asarray(counts * edges - np.concatenate([[0.0], np.cumsum(count * begin_s)])[before], np.float64)
