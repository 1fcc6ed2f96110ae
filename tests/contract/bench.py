"""What the contract tests need around a cluster: work that it will be given, and hands that break its nodes.

An author of a cluster writes one class like `TinyBench` and adds it to `BENCHES`; the tests are then his too.
"""

import os
import signal
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import ClassVar, NamedTuple, Protocol

import numpy as np

from schedmate.clusters import Cluster, Ended, LiveJob, NodeSpec, Profile
from schedmate.clusters.local.cluster import LocalCluster
from schedmate.clusters.local.ends import stop
from schedmate.clusters.simulation.cluster import SimulatedCluster
from schedmate.clusters.simulation.node_faults import Breakage
from schedmate.clusters.simulation.restart_cost import Saving
from schedmate.clusters.simulation.rigid_jobs import RigidPhysics
from schedmate.clusters.waiting import wake, wake_path
from schedmate.history.live import LiveStore
from schedmate.history.live_rows import Submission
from tests.contract.tiny_cluster import TinyCluster, start_engine

FREE = Saving(0.0, 0.0)
SOME = Profile("m", "d", 1, 0, 50.0, 10.0, 1000.0, 1)


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
    first: int
    """Number of the first job."""
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
    first = 0
    closes = True

    def make(self, nodes, work):
        order = sorted(range(len(work)), key=lambda i: (work[i].at, i))
        jobs = [
            LiveJob(number, f"job{number}", work[i].gpus, work[i].at * self.unit_s) for number, i in enumerate(order)
        ]
        duration_s = np.array([work[i].units * self.unit_s for i in order])
        self.breakage = Told(nodes)
        physics = RigidPhysics(duration_s, FREE, interference=lambda one, beside: 0.5, truth=lambda number: SOME)
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


class LiveBench:
    """Jobs are real processes, a unit is a fraction of a second."""

    unit_s = 0.3
    first = 1
    closes = False
    leaves_late = False
    """Whether what runs jobs may still write when all is over."""
    may_choose = False
    """Whether the engine can be told to start jobs by itself."""

    def manage(self, nodes, **options):
        """Give a cluster with no work yet, whose failures are examined."""
        self.options = {"examines": True, **options}
        self.nodes = nodes
        return self.make(nodes, [])

    def reopen(self):
        """Let the loop be killed and come again; jobs go on meanwhile."""
        self.cluster.close()
        self.store.close()
        self.store = LiveStore(Path(self.folder.name), patient=True)
        self.cluster = self.open(self.nodes)
        return self.cluster

    def add(self, script, **options):
        """Submit a shell script from outside; give its number."""
        other = LiveStore(Path(self.folder.name))
        job = Submission(("sh", "-c", script), self.folder.name, {"PATH": os.environ["PATH"]}, **options)
        number = other.submit(job, os.urandom(8).hex(), self.cluster.now_s())
        other.close()
        wake(wake_path(Path(self.folder.name)))
        return number

    options: ClassVar = {}

    def make(self, nodes, work):
        self.folder = TemporaryDirectory(ignore_cleanup_errors=self.leaves_late)
        self.store = LiveStore(Path(self.folder.name), patient=True)
        self.cluster = self.open(nodes)
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
            Path(self.gate(job.number - self.first)).touch()

    def submit(self, job, token, submit_s):
        """Submit from outside, as another process would."""
        other = LiveStore(Path(self.folder.name))
        other.submit(job, token, submit_s)
        other.close()
        wake(wake_path(Path(self.folder.name)))

    def close(self):
        for timer in self.timers:
            timer.cancel()
            timer.join()
        for row in self.store.jobs(("pending", "running", "held", "examined")):
            self.cluster.cancel(row.id)
        while self.store.runs():
            self.cluster.wait(self.cluster.now_s() + 0.1)
        self.let_all_go()
        self.cluster.close()
        self.store.close()
        self.folder.cleanup()

    def let_all_go(self):
        """Leave no process behind."""


class BreakableCluster(LocalCluster):
    """This machine, with nodes that fail: a machine that does takes its loop with it."""

    def take_down(self, name):
        """Let a node fail, with all that runs on it."""
        self.broken.add(name)
        for run in [*self.runs.values()]:
            if not run.stopping and any(node == name for node, _ in run.placement.parts):
                stop(self, run, "node", state="pending", reason=f"node {name} failed")
                self.post(Ended(run.job, "node_fail"))
        self.review()

    def bring_back(self, name):
        """Let it work again."""
        self.broken.discard(name)
        self.review()


class LocalBench(LiveBench):
    """This machine."""

    def open(self, nodes):
        return BreakableCluster(nodes, self.store, grace_s=0.5, **self.options)

    def break_node(self, name):
        self.cluster.take_down(name)

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

    def let_all_go(self):
        while any(run.pid for run in self.cluster.leaving):
            self.cluster.wait(self.cluster.now_s() + 0.05)
            for run in self.cluster.leaving:
                run.reap()


class TinyBench(LiveBench):
    """A tiny engine in a process of its own."""

    engine = None
    may_choose = True
    elsewhere = ("bob", "sh")
    """Who hands in `add_elsewhere`'s jobs, and what they run."""

    def open(self, nodes):
        chooses = self.options.get("chooses", False)
        self.engine = self.engine or start_engine(self.folder.name, nodes, *(["--own"] if chooses else []))
        return TinyCluster(self.folder.name, self.store, answer_s=0.5, **self.options)

    def add_elsewhere(self, script):
        """Hand a job to the engine as somebody does who knows no SchedMate; give the engine's name of it."""
        return self.cluster.ask(
            "submit", token=os.urandom(8).hex(), user="bob", slots=1, command=["sh", "-c", script],
            cwd=self.folder.name, environment={"PATH": os.environ["PATH"]}, out=f"{self.folder.name}/bobs-%j",
        )  # fmt: skip

    def touch_mark(self, node):
        """Let an operator put a node under a mark of his own."""
        self.cluster.ask("node", node=node, state="drained", reason="fan is loud", by="root")

    def hang(self):
        """Let the engine be out of reach."""
        self.engine.send_signal(signal.SIGSTOP)

    def go_on(self):
        self.engine.send_signal(signal.SIGCONT)

    def break_node(self, name):
        self.cluster.ask("node", node=name, state="down")

    def repair_node(self, name):
        self.cluster.ask("node", node=name, state="up")

    def sees(self, job):
        while (told := self.told(job))["state"] != "runs":
            self.cluster.wait(self.cluster.now_s() + 0.02)
        return {node: [slot for slot in range(8) if mask >> slot & 1] for node, mask in told["parts"].items()}

    def told(self, job):
        name = self.cluster.name(job.number)
        return next(one for one in self.cluster.ask("look")["jobs"] if one["id"] == name)

    def let_all_go(self):
        self.engine.terminate()
        self.engine.wait()
        self.engine.stdout.close()


MANAGED = {"local": LocalBench, "tiny": TinyBench}
BENCHES = {"simulated": SimulatedBench, "local": LocalBench, "tiny": TinyBench}

if os.environ.get("RAY_TEST"):
    from tests.contract.ray_bench import RayBench

    MANAGED["ray"] = BENCHES["ray"] = RayBench
