"""Sia: each minute an integer program gives every job a kind and number of GPUs by its goodput."""

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from schedmate.clusters import LiveJob, Placement
from schedmate.clusters.elastic import Configurations, Elastic
from schedmate.counts import how_many
from schedmate.scheduling.placement.inventory import Inventory
from schedmate.scheduling.policies.sia_left import NOTHING, left_s, part_in_steps, weigh, weighed
from schedmate.scheduling.policies.sia_program import assign
from schedmate.scheduling.view import ClusterView, Plan

Floats = npt.NDArray[np.float64]

RESTART_S = {"cifar10": 30, "deepspeech2": 25, "bert": 120, "yolov3": 45, "imagenet": 250}
"""Seconds that the policy thinks a restart costs, as published; 30 for others."""
LARGEST = 64

PHYSICAL = {"aws": 16, "rtx": 3, "dgx-ext": 2, "azure": 5, "quad": 1}
"""Nodes of each kind over which step times were measured, as published; others are not limited."""
CLIP = 3000.0
Pools = tuple[tuple[str, int, int], ...]


class Sia:
    """Maximises fair goodput; jobs grow at most twofold a step, and moving them is held back by what restarts cost."""

    name = "sia"

    def __init__(self, power: float = -0.5, unassigned: float = 1.1, round_s: float = 60.0) -> None:
        self.power = power
        self.unassigned = unassigned
        self.round_s = round_s
        self.restarts: dict[int, int] = {}
        self.shapes: Configurations | None = None
        self.described: tuple[Pools, frozenset[int]] = ((), frozenset())

    def decide(self, view: ClusterView) -> Plan:
        """Wait for the round, then solve it."""
        plan = view.plan()
        for job in view.ended:
            self.restarts.pop(job.number, None)
        jobs = sorted([*view.running.values(), *view.pending.values()], key=lambda job: job.number)
        if not jobs:
            return plan
        if view.now_s % self.round_s:
            plan.wake_at(math.ceil(view.now_s / self.round_s) * self.round_s)
            return plan
        fixed = {told.wanted_gpus for told in map(told_by, jobs) if told.category == "rigid"}
        shapes = self.configurations(view.inventory, frozenset(fixed))
        left = [left_s(told_by(job), shapes, view.now_s) for job in jobs]
        told = zip(jobs, left, weigh(left), strict=True)
        rows = [self.row(job, shapes, view.now_s, seconds, weight) for job, seconds, weight in told]
        kinds = len(shapes.kinds)
        capacity = [sum(p.total_gpus for p in view.inventory.pools if p.kind == kind) for kind in shapes.kinds]
        chosen = assign(rows, shapes.kind, shapes.gpus, capacity[:kinds], self.unassigned)
        self.carry_out(plan, jobs, chosen, shapes)
        plan.wake_at(view.now_s + self.round_s)
        return plan

    def configurations(self, inventory: Inventory, fixed: frozenset[int]) -> Configurations:
        """List what jobs may have; anew when nodes came or went, or a rigid job wants a size not seen before."""
        pools = tuple((pool.kind, pool.per_node, pool.total_gpus) for pool in inventory.pools)
        fixed |= self.described[1]
        if self.shapes is None or (pools, fixed) != self.described:
            self.described, self.shapes = (pools, fixed), list_configurations(pools, fixed)
        return self.shapes

    def row(
        self, job: LiveJob, shapes: Configurations, now_s: float, left: Floats | None = None, weight: float = 1.0
    ) -> tuple[Floats, int | None]:
        """Give the cost of each shape (infinite where it is out of reach), and the shape that must be kept."""
        spec = told_by(job)
        current = None if job.placement is None else shapes.column(job.placement.kind, job.placement.gpus)
        if current is not None and spec.restarting(now_s):
            cost = np.full(len(shapes.gpus), np.inf)
            cost[current] = 0.0
            return cost, current
        values = rigid_row(spec, shapes) if spec.category == "rigid" else elastic_row(spec, shapes)
        held = values
        if current is not None:
            restart_s = RESTART_S.get(spec.application, 30)
            held = values * self.restart_factor(job, spec, now_s) * part_in_steps(left, restart_s)
            held[current] = values[current]
        cost = self.costs(held)
        return (cost if weight == 1.0 else weighed(cost, self.costs(values), weight, self.unassigned)), None

    def costs(self, values: Floats) -> Floats:
        """Give the costs of values; infinite where there is none."""
        cost = np.full(len(values), np.inf)
        useful = values > NOTHING
        cost[useful] = np.minimum(np.round(values[useful] ** self.power, 2), CLIP)
        return cost

    def restart_factor(self, job: LiveJob, spec: Elastic, now_s: float) -> float:
        """Hold back moves of jobs that have not yet earned their restarts."""
        cost_s, age_s = RESTART_S.get(spec.application, 30), now_s - job.submit_s
        if age_s < cost_s:
            return 1.0
        return max(age_s - self.restarts.get(job.number, 0) * cost_s, 0.0) / (age_s + cost_s)

    def carry_out(
        self, plan: Plan, jobs: Sequence[LiveJob], chosen: Sequence[int | None], shapes: Configurations
    ) -> None:
        """Leave alone who keeps kind and number; free the others' GPUs first, then place the largest first."""
        inventory = plan.view.inventory
        moving: list[tuple[LiveJob, str, int]] = []
        for job, column in zip(jobs, chosen, strict=True):
            if column is None:
                if job.placement is not None:
                    plan.preempt(job)
                continue
            kind, gpus = shapes.kinds[shapes.kind[column]], int(shapes.gpus[column])
            if job.placement is None or (job.placement.kind, job.placement.gpus) != (kind, gpus):
                plan.vacate(job)
                moving.append((job, kind, gpus))
        moving.sort(key=lambda move: (-move[2], move[0].number))
        for job, kind, gpus in moving:
            placement: Placement | None = inventory.place(gpus, kind) or inventory.scatter(gpus, kind)
            if placement is None:
                raise ValueError(f"{how_many(gpus, 'GPU')} of {kind} promised and not free")
            self.restarts[job.number] = self.restarts.get(job.number, -1) + 1
            if job.placement is None:
                plan.start_at(job, placement)
            else:
                plan.resize(job, placement)


def list_configurations(pools: Pools, fixed: frozenset[int] = frozenset()) -> Configurations:
    """List powers of two within a node, then whole nodes, for each kind; and the sizes of rigid jobs."""
    kinds = tuple(dict.fromkeys(kind for kind, _, _ in pools))
    sizes = {kind: size for kind, size, _ in pools}
    columns: list[tuple[int, int, int]] = []
    extra: list[tuple[int, int, int]] = []
    for place, kind in enumerate(kinds):
        size = sizes[kind]
        total = sum(gpus for k, _, gpus in pools if k == kind)
        nodes = min(total // size, PHYSICAL.get(kind, LARGEST))
        columns += [(place, 1, 1 << power) for power in range(size.bit_length()) if 1 << power <= size]
        columns += [(place, n, n * size) for n in range(2, nodes + 1) if n * size <= LARGEST]
        usual = {gpus for of, _, gpus in columns if of == place}
        extra += [(place, -(-gpus // size), gpus) for gpus in sorted(fixed) if gpus not in usual and gpus <= total]
    kind, node, gpu = np.array(columns + extra).T
    regular = np.arange(len(kind)) < len(columns)
    return Configurations(kinds, tuple(sizes[k] for k in kinds), kind, node.astype(float), gpu.astype(float), regular)


def elastic_row(spec: Elastic, shapes: Configurations) -> Floats:
    """Scale goodputs so that the least is 1; before the first step only one GPU of each kind is asked for, at 1."""
    values = spec.goodputs(shapes)
    if values is None or not (values > 0).any():
        values = np.zeros(len(shapes.gpus))
        values[[shapes.first(kind) for kind in range(len(shapes.kinds))]] = 1.0
        return values
    return np.asarray(values / values[values > 0].min())


def rigid_row(spec: Elastic, shapes: Configurations) -> Floats:
    """Ask for the wanted number on every kind, the slowest kind counting as that number."""
    values = np.zeros(len(shapes.gpus))
    wanted = np.flatnonzero(shapes.gpus == spec.wanted_gpus)
    goodputs = spec.goodputs(shapes)
    values[wanted] = spec.wanted_gpus
    if goodputs is not None and (known := wanted[goodputs[wanted] > 0]).size:
        values[known] = goodputs[known] / goodputs[known].min() * spec.wanted_gpus
    return values


def told_by(job: LiveJob) -> Elastic:
    """Give what a job tells of itself; `options.py` lets nobody ask for this policy where jobs tell nothing."""
    assert job.spec is not None
    return job.spec
