"""What viewers cost the loop: from a job's end to the next start, with nobody looking on and with fifty who do."""

import random
import signal
import subprocess
import sys
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean, median
from tempfile import TemporaryDirectory

from benchmarks import Figure
from benchmarks.up import NODES, QUEUED, RUNNING, end_run, fill
from benchmarks.web import VIEWERS, Server
from schedmate.clusters import NodeSpec
from schedmate.clusters.local.cluster import LocalCluster
from schedmate.history.live import LiveStore
from schedmate.scheduling.live.service import Service, ServiceOptions
from schedmate.schemas import Estimate

ROUNDS, ENDS, PAUSE_S, LIMIT_S = 4, 25, 0.4, 30.0
"""Rounds with and without viewers take turns, so that what else the machine does meets both."""
VIEWING = "import sys; from benchmarks._viewers import look; look(int(sys.argv[1]), int(sys.argv[2]))"
SLOWER = 1.1


@dataclass
class Round:
    """What was measured while some jobs ended."""

    spans_ms: list[float] = field(default_factory=list)
    """By the wall, from each end to the next start."""
    cpus_ms: list[float] = field(default_factory=list)
    """CPU of the loop in each turn in which it started something; what it answered in that turn is in it."""
    load_ms: list[float] = field(default_factory=list)
    """CPU of the loop in a second."""

    def add(self, other: "Round") -> None:
        """Take in another."""
        self.spans_ms += other.spans_ms
        self.cpus_ms += other.cpus_ms
        self.load_ms += other.load_ms


class Measured:
    """Ends jobs at odd moments, and times the starts that follow."""

    def __init__(self, folder: Path) -> None:
        self.started, self.starts, self.is_stuck = threading.Event(), False, False
        nodes = [NodeSpec(f"n{number}", 8) for number in range(NODES)]
        self.service = Service(ServiceOptions(folder, nodes, engine="built-in", tracks=False), self.hear)
        self.ended = 0
        self.dice = random.Random(1)

    @property
    def cluster(self) -> LocalCluster:
        """Give the engine, which is this machine."""
        assert isinstance(self.service.cluster, LocalCluster)
        return self.service.cluster

    def hear(self, words: str) -> None:
        """Note that a job was started."""
        if " starts on " in words:
            self.starts = True
            self.started.set()

    def round(self) -> Round:
        """Let some jobs end, and take the time of what follows."""
        told = Round()
        ends = threading.Thread(target=self.end_some, args=(told.spans_ms,))
        began_s, before_s = time.perf_counter(), time.thread_time()
        ends.start()
        while ends.is_alive():
            self.starts, cpu_s = False, time.thread_time()
            self.service.turn()
            if self.starts:
                told.cpus_ms.append(1000 * (time.thread_time() - cpu_s))
        told.load_ms.append(1000 * (time.thread_time() - before_s) / (time.perf_counter() - began_s))
        ends.join()
        if self.is_stuck:
            raise RuntimeError(f"job {self.ended} has ended, and for {LIMIT_S:g} s nothing was started")
        return told

    def end_some(self, spans: list[float]) -> None:
        """Let one job after the other end, as its runner does, each after a pause of its own length."""
        for _ in range(ENDS):
            time.sleep(PAUSE_S * (0.5 + self.dice.random()))
            self.ended += 1
            self.started.clear()
            began_s = time.perf_counter()
            end_run(self.cluster, self.ended)
            self.cluster.nudge()
            if not self.started.wait(LIMIT_S):
                self.is_stuck = True
                return
            spans.append((time.perf_counter() - began_s) * 1000)

    def close(self) -> None:
        """End what was started."""
        for run in [run for run in self.cluster.runs.values() if run.pid]:
            while run.pid and not run.reap():
                run.signal(signal.SIGKILL)
                time.sleep(0.01)
        self.service.close()


def compared(folder: Path) -> tuple[Round, Round]:
    """Give what was measured with nobody looking, and with all the viewers."""
    server, measured = Server(folder), Measured(folder)
    told = Round(), Round()
    try:
        measured.service.turn()  # takes over all that runs
        measured.round()  # what a loop does once, as it comes up, is over after that
        for place in range(2 * ROUNDS):
            viewed = place % 2
            command = [sys.executable, "-c", VIEWING, f"{server.port}", f"{VIEWERS}"]
            viewers = subprocess.Popen(command, stdin=subprocess.PIPE) if viewed else None
            told[viewed].add(measured.round())
            if viewers is not None:
                viewers.communicate()
                if viewers.returncode:
                    raise RuntimeError("nobody looked on: the viewers had no answers")
    finally:
        measured.close()
        server.close()
    return told


def estimate_all(store: LiveStore) -> None:
    """Know what to expect of all, so that nobody reads their code now."""
    known = Estimate(duration_p50_s=600.0).model_dump_json()
    for number in range(1, RUNNING + QUEUED + 1):
        store.update(number, estimate=known)


def measure() -> list[Figure]:
    """Measure both."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        store = LiveStore(folder)
        fill(store, folder)
        store.write(lambda: estimate_all(store))
        store.close()
        alone, viewed = compared(folder)
    times = median(viewed.cpus_ms) / median(alone.cpus_ms)
    return [
        Figure(f"{QUEUED:,} queued: CPU of a turn that starts a job, median", median(alone.cpus_ms), "ms"),
        Figure(f"the same with {VIEWERS} viewers", median(viewed.cpus_ms), "ms"),
        Figure("how many times that is", times, "", SLOWER, less_is_better=True),
        Figure("the mean with nobody", fmean(alone.cpus_ms), "ms"),
        Figure("the mean with viewers", fmean(viewed.cpus_ms), "ms"),
        Figure("CPU of the whole loop in a second, nobody looks", fmean(alone.load_ms), "ms"),
        Figure("the same with viewers", fmean(viewed.load_ms), "ms"),
        Figure("from an end to the next start by the wall, median, nobody looks", median(alone.spans_ms), "ms"),
        Figure("the same with viewers", median(viewed.spans_ms), "ms"),
    ]
