"""The schedulers that are compared, each put together from the parts of `schedmate up`, their own times compressed."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from evals.testbed.engine import NAME, PROFILER, names
from evals.testbed.workload import PACE
from schedmate.clusters import LiveJob, NodeSpec
from schedmate.scheduling.live.advice import Advice
from schedmate.scheduling.live.learning import Learning
from schedmate.scheduling.live.service import Service, ServiceOptions
from schedmate.scheduling.live.telling import Teller
from schedmate.scheduling.loop import Observer
from schedmate.scheduling.placement import displacing
from schedmate.scheduling.policies import Policy, schedmate
from schedmate.scheduling.policies.least_gpu_first import LeastGpuFirst
from schedmate.scheduling.queueing import lateness, ranking
from schedmate.scheduling.view import Action
from schedmate.scheduling.virtual_cluster import VirtualCluster

GPU_MEMORY_MIB = 24_576.0
"""Of the GPUs on which the table of pairs was measured."""
PARTED_BELOW = 0.65
"""Speed below which Lucid with SchedMate parts a pair, as in `evals paper`."""
CONSTANTS = (
    (schedmate, "LOOK_S"), (schedmate, "DRAIN_S"), (displacing, "AGAIN_S"), (displacing, "FRESH_S"),
    (lateness, "BRIEF_S"), (ranking, "HEARD_S"),
)  # fmt: skip
"""Times by which our policy goes: they pass as fast as the experiment does."""


@dataclass(frozen=True)
class Arm:
    """One scheduler."""

    title: str
    policy: str
    profiles: bool = False
    """Whether small jobs run on a node of the profiler's first."""
    reads: bool = False
    """Whether SchedMate reads code, history and logs: estimates, profiles of known jobs, pairs parted, failures."""
    parts_below: float = 0.0


ARMS = {
    "fifo": Arm("FIFO", "fifo"),
    "qssf": Arm("QSSF", "qssf"),
    "lucid": Arm("Lucid", "lucid", profiles=True),
    "lucid+": Arm("Lucid + SchedMate", "lucid", profiles=True, reads=True, parts_below=PARTED_BELOW),
    "ours": Arm("SchedMate", "schedmate", reads=True, parts_below=0.8),
}


@contextmanager
def at_pace() -> Iterator[None]:
    """Let our policy's own times pass at the experiment's pace."""
    before = [getattr(module, name) for module, name in CONSTANTS]
    for (module, name), value in zip(CONSTANTS, before, strict=True):
        setattr(module, name, value / PACE)
    try:
        yield
    finally:
        for (module, name), value in zip(CONSTANTS, before, strict=True):
            setattr(module, name, value)


class OfQueue:
    """Hands on to an observer what concerns the queue, and nothing of the profiler's jobs."""

    def __init__(self, observer: Observer) -> None:
        self.observer = observer

    def submitted(self, job: LiveJob, part: VirtualCluster) -> None:
        """Hand on."""
        if job.vc != PROFILER:
            self.observer.submitted(job, part)

    def ended(self, job: LiveJob, part: VirtualCluster, status: str) -> None:
        """Hand on."""
        if job.vc != PROFILER:
            self.observer.ended(job, part, status)

    def decided(self, part: VirtualCluster, actions: list[Action]) -> None:
        """Hand on."""
        if part.view.vc != PROFILER:
            self.observer.decided(part, actions)


class TestbedService(Service):
    """`schedmate up` with one of the arms' policies, and with the profiler's beside it."""

    def __init__(self, arm: Arm, address: str, data_dir: Path, say: Callable[[str], None]) -> None:
        self.arm = arm
        words = {"address": address} | ({"apart": names()[-1]} if arm.profiles else {})
        options = ServiceOptions(
            data_dir, [], arm.policy, "act" if arm.reads else "observe", "built-in", grace_s=1.0,
            threshold=arm.parts_below, sharing=arm.policy in ("lucid", "schedmate"), gpu_memory_mib=GPU_MEMORY_MIB,
            tracks=arm.reads, cluster=NAME, words=words,
        )  # fmt: skip
        super().__init__(options, say)
        if not arm.reads:
            self.loop.observers = [one for one in self.loop.observers if not isinstance(one, Advice)]
            self.loop.watch = None
        self.loop.observers = [
            OfQueue(one) if isinstance(one, Advice | Learning | Teller) else one for one in self.loop.observers
        ]

    def policy(self, make: Callable[[str], Policy]) -> Callable[[str], Policy]:
        """Let the profiler have its own."""
        return lambda vc: LeastGpuFirst() if vc == PROFILER else make(vc)


def spec_of(nodes: int, gpus: int) -> tuple[NodeSpec, ...]:
    """Describe the nodes to the simulator."""
    return tuple(NodeSpec(name, gpus) for name in names()[:nodes])
