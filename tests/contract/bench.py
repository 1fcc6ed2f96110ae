"""What the contract tests need around a cluster: work that it will be given, and hands that break its nodes.

An author of a cluster writes one class like `SimulatedBench` and adds it to `BENCHES`; the tests are then his too.
"""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

import numpy as np

from schedmate.clusters import Cluster, LiveJob, NodeSpec
from schedmate.clusters.breakage import Breakage
from schedmate.clusters.rigid import RigidPhysics
from schedmate.clusters.simulated import SimulatedCluster


class Work(NamedTuple):
    """A job to come: how long it runs alone and when it is submitted, in units of the bench."""

    units: float
    gpus: int = 1
    at: float = 0.0


class Bench(Protocol):
    """One cluster under test."""

    unit_s: float
    """How long a unit lasts on the cluster's clock: long against its own delays, short enough for a test."""
    closes: bool
    """Whether `wait` answers None once all of the work is done; a cluster that takes jobs for ever never does."""

    def make(self, nodes: Sequence[NodeSpec], work: Sequence[Work]) -> Cluster:
        """Give a cluster of these nodes to which this work, and no other, will be submitted."""
        ...

    def break_node(self, name: str) -> None:
        """Let a node fail, with all that runs on it, as seen from outside."""
        ...

    def repair_node(self, name: str) -> None:
        """Bring it back."""
        ...

    def sees(self, job: LiveJob) -> dict[str, list[int]]:
        """Tell which GPUs a running job was really given, by node, asked of the job or of the engine."""
        ...

    def close(self) -> None:
        """Leave nothing running."""
        ...


class Told(Breakage):
    """Nodes that break and return when they are told to."""

    def __init__(self, nodes):
        self.nodes = {node.name: node for node in nodes}
        self.checkpoint_s = 0.0
        self.orders = []

    def next_s(self, busy):
        return self.orders[0][0] if self.orders else float("inf")

    def until(self, moment_s):
        while self.orders and self.orders[0][0] <= moment_s:
            _, name, is_up = self.orders.pop(0)
            yield self.nodes[name], is_up


class SimulatedBench:
    """The simulated cluster: time jumps, so a unit may be long."""

    unit_s = 100.0
    closes = True

    def make(self, nodes, work):
        order = sorted(range(len(work)), key=lambda i: (work[i].at, i))
        jobs = [
            LiveJob(number, f"job{number}", work[i].gpus, work[i].at * self.unit_s) for number, i in enumerate(order)
        ]
        duration_s = np.array([work[i].units * self.unit_s for i in order])
        self.breakage = Told(nodes)
        physics = RigidPhysics(duration_s, lambda gpus: 0.0, interference=lambda job, partner: 0.5)
        self.cluster = SimulatedCluster(nodes, iter(jobs), physics, self.breakage)
        return self.cluster

    def break_node(self, name):
        self.breakage.orders.append((self.cluster.now_s(), name, False))

    def repair_node(self, name):
        self.breakage.orders.append((self.cluster.now_s(), name, True))

    def sees(self, job):
        placement = self.cluster._work[job.number].placement
        return placement.indices() if placement else {}

    def close(self):
        pass


BENCHES = {"simulated": SimulatedBench}
