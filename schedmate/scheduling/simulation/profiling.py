"""Lucid's profiling stage: each small job runs for a short time on nodes set apart, before it is scheduled at all."""

from collections import defaultdict, deque
from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from schedmate.clusters import LiveJob, NodeSpec
from schedmate.clusters.simulation.cluster import SimulatedCluster
from schedmate.clusters.simulation.likeness import Matching
from schedmate.clusters.simulation.measured_profiles import ALWAYS, Kind, by_request
from schedmate.clusters.simulation.rigid_jobs import RigidPhysics
from schedmate.errors import InputError
from schedmate.scheduling.loop import Loop, Observer
from schedmate.scheduling.lucid.forecasts import DemandForecast
from schedmate.scheduling.placement.cut_gpus import BY_TIME, Cut
from schedmate.scheduling.policies.least_gpu_first import LeastGpuFirst
from schedmate.scheduling.simulation.timeline import Timeline
from schedmate.scheduling.view import Action, Lend
from schedmate.scheduling.virtual_cluster import VirtualCluster

Floats = npt.NDArray[np.float64]
NEVER = Matching()

LATEST = 3
"""Profiled jobs of the same request that tell whether the next will end while it is profiled."""


@dataclass(frozen=True)
class ProfilerSetup:
    """How much is set apart for profiling; the defaults are those published for Venus."""

    nodes: int = 2
    limit_s: float = 200.0
    factor: int = 4
    """Jobs of up to nodes x factor GPUs are profiled."""
    lenders: tuple[str, ...] = ()
    """Virtual clusters that give one node each; empty: those that can spare one."""
    scale_lender: str = ""
    """Virtual cluster that lends one node more while many jobs wait to be profiled; empty: none does."""

    known: bool = False
    """Whether jobs of a kind that was profiled before (same user, name and size) go straight to the queue.

    Those whose like mostly ended while they were profiled do not: they end there as well, and take nobody's place.
    """

    @property
    def gpu_limit(self) -> int:
        """Give the size of the largest job that is profiled."""
        return self.nodes * self.factor


@dataclass(frozen=True)
class Profiled:
    """What profiling came to, by job number; NaN where a job was not profiled."""

    start_s: Floats
    end_s: Floats
    finished: npt.NDArray[np.bool_]
    """Jobs that were done within the limit, and are not scheduled again."""
    gpu_s: float
    busy_gpu_s: float
    lends: tuple[tuple[float, bool], ...]
    """When the extra node was borrowed (True) and given back."""


def set_apart(
    nodes: Sequence[NodeSpec], setup: ProfilerSetup, reserved: Container[str] = ()
) -> tuple[list[NodeSpec], list[NodeSpec]]:
    """Take nodes out for the profiler that nobody reserves; give those and the rest."""
    sizes: dict[str, int] = {}
    for node in nodes:
        sizes[node.vc] = sizes.get(node.vc, 0) + 1
    lenders = list(setup.lenders)
    if not lenders:
        ranked = sorted(sizes, key=lambda vc: -sizes[vc])
        lenders = [ranked[i % len(ranked)] for i in range(setup.nodes)]
    if unknown := [vc for vc in lenders if vc not in sizes]:
        raise InputError(f"no virtual cluster {unknown[0]} to take a profiling node from", f"there are {list(sizes)}")
    taken: list[NodeSpec] = []
    rest = list(nodes)
    for vc in lenders[: setup.nodes]:
        # The last node of a virtual cluster goes, so that the others keep their places.
        free = [node for node in rest if node.vc == vc and node.name not in reserved]
        if not free:
            raise InputError("all nodes that could profile jobs are reserved at some time", "give --profiler none")
        rest.remove(free[-1])
        taken.append(free[-1])
    return taken, rest


class Stage:
    """Writes down when each job was profiled, which kinds of job that makes known, and when a node was borrowed."""

    def __init__(self, duration_s: Floats, limit_s: float, kind_of: Callable[[LiveJob], Kind]) -> None:
        count = len(duration_s)
        self.done = duration_s <= limit_s
        self.kind_of = kind_of
        self.known: dict[Kind, None] = {}
        self.finishing: dict[Kind, deque[bool]] = defaultdict(lambda: deque(maxlen=LATEST))
        """Whether the latest of the same user, name and size ended while they were profiled."""
        self.start_s = np.full(count, np.nan)
        self.end_s = np.full(count, np.nan)
        self.lends: list[tuple[float, bool]] = []

    def submitted(self, job: LiveJob, part: VirtualCluster) -> None:
        """Do nothing."""

    def ended(self, job: LiveJob, part: VirtualCluster, status: str) -> None:
        """Write the job's row."""
        self.known[self.kind_of(job)] = None
        self.finishing[by_request(job)].append(bool(self.done[job.number]))
        self.start_s[job.number] = job.first_start_s
        self.end_s[job.number] = part.since_s

    def will_finish(self, job: LiveJob) -> bool:
        """Tell whether a job will likely end while it is profiled, as most of its like did."""
        ends = self.finishing.get(by_request(job))
        return ends is not None and 2 * sum(ends) > len(ends)

    def decided(self, part: VirtualCluster, actions: list[Action]) -> None:
        """Note borrowed nodes."""
        self.lends += [(part.since_s, action.add) for action in actions if isinstance(action, Lend)]


def profile(
    jobs: Iterator[LiveJob],
    duration_s: Floats,
    nodes: Sequence[NodeSpec],
    setup: ProfilerSetup,
    forecast: DemandForecast | None,
    timeline: Timeline | None = None,
    matching: Matching = NEVER,
    kind_of: Callable[[LiveJob], Kind] = by_request,
    cut: Cut = BY_TIME,
) -> Profiled:
    """Run the stage through; jobs that are too large, or whose like is found among those profiled, do not take part.

    A job whose like mostly ended here comes all the same: it needs no place in the cluster then.
    What is known of a job is what was known when the one before it came.
    """
    stage = Stage(duration_s, setup.limit_s, kind_of)
    matching = ALWAYS if setup.known else matching
    gpus = 0.0

    def small() -> Iterator[LiveJob]:
        nonlocal gpus
        for job in jobs:
            if job.gpus > setup.gpu_limit:
                continue
            is_known = matching.like(job.number, kind_of(job), stage.known) is not None
            if not is_known or stage.will_finish(job):
                job.vc, job.kind = "", ""
                gpus += job.gpus * min(duration_s[job.number], setup.limit_s)
                yield job

    bench = [NodeSpec(node.name, node.gpus, node.kind) for node in nodes]
    extra = NodeSpec("borrowed", bench[0].gpus, bench[0].kind) if setup.scale_lender and bench else None
    physics = RigidPhysics(np.minimum(duration_s, setup.limit_s))
    policy = LeastGpuFirst(extra, forecast, setup.gpu_limit)
    watching: list[Observer] = [stage, timeline] if timeline is not None else [stage]
    loop = Loop(SimulatedCluster(bench, small(), physics), lambda vc: policy, watching, cut=cut)
    loop.run()
    finished = ~np.isnan(stage.end_s) & stage.done
    busy = sum(part.busy_gpu_s for part in loop.parts.values())
    return Profiled(stage.start_s, stage.end_s, finished, gpus, busy, tuple(stage.lends))
