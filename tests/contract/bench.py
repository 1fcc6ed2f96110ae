"""What the contract tests need around a cluster: work that it will be given, and hands that break its nodes.

An author of a cluster writes one class like `SimulatedBench` and adds it to `BENCHES`; the tests are then his too.
"""

import os
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple, Protocol

import numpy as np

from schedmate.clusters import Cluster, LiveJob, NodeSpec
from schedmate.clusters.breakage import Breakage
from schedmate.clusters.local import LocalCluster
from schedmate.clusters.local_runner import wake
from schedmate.clusters.rigid import RigidPhysics
from schedmate.clusters.simulated import SimulatedCluster
from schedmate.history.live import LiveStore
from schedmate.history.live_rows import Submission


class Work(NamedTuple):
    """A job to come: how long it runs alone and when it is submitted, in units of the bench."""

    units: float
    gpus: int = 1
    at: float = 0.0
    gated: bool = False
    """Whether a real process runs until the bench lets it go, however slow the machine; simulated ones go by units."""


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

    def let_go(self, *jobs: LiveJob) -> None:
        """Let gated jobs come to their end, now or when they run next."""
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

    def let_go(self, *jobs):
        pass  # their units are over when they are over

    def close(self):
        pass


class LocalBench:
    """This machine: jobs are real processes, a unit is a fraction of a second."""

    unit_s = 0.3
    closes = False

    def make(self, nodes, work):
        self.folder = TemporaryDirectory()
        self.store = LiveStore(Path(self.folder.name), patient=True)
        self.cluster = LocalCluster(nodes, self.store, grace_s=0.5)
        order = sorted(range(len(work)), key=lambda i: (work[i].at, i))
        now_s = self.cluster.now_s()
        self.timers = []
        for number, i in enumerate(order):
            job = Submission(self.command(number, work[i]), "/", {"PATH": os.environ["PATH"]}, work[i].gpus)
            late_s = work[i].at * self.unit_s
            if late_s:
                timer = threading.Timer(late_s, self.submit, (job, str(i), now_s + late_s))
                timer.start()
                self.timers.append(timer)
            else:
                self.submit(job, str(i), now_s)
        return self.cluster

    def command(self, number, work):
        """Sleep the units, or until the gate is open."""
        if not work.gated:
            return ("sleep", f"{work.units * self.unit_s}")
        return ("sh", "-c", 'until test -e "$0"; do sleep 0.05; done', self.gate(number))

    def gate(self, number):
        return f"{self.folder.name}/gate{number}"

    def let_go(self, *jobs):
        for job in jobs:
            Path(self.gate(job.number)).touch()

    def submit(self, job, token, submit_s):
        """Submit from outside, as another process would."""
        other = LiveStore(Path(self.folder.name))
        other.submit(job, token, submit_s)
        other.close()
        wake(str(self.cluster.folder / "wake"), "")

    def break_node(self, name):
        self.cluster.take_down(name, kill=True)

    def repair_node(self, name):
        self.cluster.bring_back(name)

    def sees(self, job):
        run = self.cluster.current(job)
        while (record := run.read("job")) is None:
            self.cluster.wait(self.cluster.now_s() + 0.02)
        environment = Path(f"/proc/{record['pid']}/environ")
        while b"SCHEDMATE_PLACEMENT=" not in environment.read_bytes():
            time.sleep(0.01)
        words = dict(word.split("=", 1) for word in environment.read_text().split("\0") if "=" in word)
        parts = (part.split(":") for part in words["SCHEDMATE_PLACEMENT"].split(";"))
        return {node: [int(gpu) for gpu in gpus.split(",")] for node, gpus in parts}

    def close(self):
        for timer in self.timers:
            timer.cancel()
            timer.join()
        for number in [*self.cluster.jobs]:
            self.cluster.cancel(number)
        while self.cluster.runs or any(run.pid for run in self.cluster.leaving):
            self.cluster.wait(self.cluster.now_s() + 0.1)
            for run in self.cluster.leaving:
                run.reap()
        self.cluster.close()
        self.store.close()
        self.folder.cleanup()


BENCHES = {"simulated": SimulatedBench, "local": LocalBench}
