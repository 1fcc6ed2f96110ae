"""The running loop at scale: a decision with thousands of jobs, ten thousand live logs, a week of memory."""

import gc
import json
import os
import resource
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from benchmarks import Figure
from schedmate.clusters import LiveJob, NodeSpec
from schedmate.clusters.local.cluster import LocalCluster
from schedmate.clusters.runner.processes import boot_id, start_ticks
from schedmate.clusters.simulation.cluster import SimulatedCluster
from schedmate.clusters.simulation.restart_cost import Saving
from schedmate.clusters.simulation.rigid_jobs import RigidPhysics
from schedmate.history.database import identity
from schedmate.history.live import LiveStore
from schedmate.history.live_rows import Submission
from schedmate.readers.progress.reading import shared_shapes
from schedmate.scheduling.estimators.history_mean import HistoryMean
from schedmate.scheduling.live.followed_logs import Watched
from schedmate.scheduling.loop import Loop
from schedmate.scheduling.policies.schedmate import SchedMate

QUEUED, RUNNING, NODES = 10_000, 2_000, 1_000
LOGS = 10_000
WEEK_S, EVERY_S = 7 * 86_400.0, 10.0


def fill(store: LiveStore, folder: Path) -> None:
    """Write a store as a busy cluster has it; the runs are kept by this very process, so they count as alive."""
    job = Submission(("sleep", "600"), "/", {"PATH": os.environ["PATH"]}, slots=4, user="u", name="n")
    ours = identity(store.connection)
    keeper = {"pid": os.getpid(), "ticks": start_ticks(os.getpid()), "boot": boot_id(), "began_s": 1.0}

    def work() -> None:
        for number in range(1, RUNNING + QUEUED + 1):
            store.submit(job, str(number), float(number))
        for number in range(1, RUNNING + 1):
            parts = ((f"n{(number - 1) // 2}", 0x0F if number % 2 else 0xF0),)
            run = store.open_run(number, "gpu", parts, None, 1.0)
            place = folder / "jobs" / str(number) / str(run)
            place.mkdir(parents=True)
            about = {"store": ours, "job": {"token": store.job(number).token}, "name": f"{number}/{run}"}
            (place / "spec").write_text(json.dumps(about))
            (place / "began").write_text(json.dumps(keeper))
            (place / "job").write_text(json.dumps(keeper | {"ticks": 1}))  # no process that could be signalled

    store.write(work)


def end_run(cluster: LocalCluster, number: int) -> None:
    """Let a job's first run end as its runner does: it writes the end down and is gone."""
    run = cluster.runs[number, 1]
    run.keeper = (0, -1)
    (run.folder / "exit").write_text(json.dumps({"code": 0, "stopped": False, "ran_s": 1.0, "ended_s": 2.0}))
    cluster.named.add((number, 1))


def decision_ms() -> tuple[float, list[float], list[float]]:
    """Give the seconds to take over such a cluster, and ms from an end to the next start: of CPU, and by the wall."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        store = LiveStore(folder)
        fill(store, folder)
        began_s = time.process_time()
        cluster = LocalCluster([NodeSpec(f"n{number}", 8) for number in range(NODES)], LiveStore(folder, patient=True))
        loop = Loop(cluster, lambda vc: SchedMate(HistoryMean()), patience=None)
        loop.turn()
        cluster.wait(cluster.now_s())
        took_s = time.process_time() - began_s
        spans, cpus = [], []
        for number in range(1, 41):
            running = {run.job.number for run in cluster.running()}
            end_run(cluster, number)
            before_s, cpu_s = time.perf_counter(), time.process_time()
            loop.turn()
            spans.append((time.perf_counter() - before_s) * 1000)
            cpus.append((time.process_time() - cpu_s) * 1000)
            now = {run.job.number for run in cluster.running()}
            if len(now - running) != 1 or running - now != {number}:
                raise RuntimeError(f"job {number} has ended, and the turn that was measured started no other")
        for run in [run for run in cluster.runs.values() if run.pid]:
            while run.pid and not run.reap():
                run.signal(signal.SIGKILL)
                time.sleep(0.01)
        cluster.close()
        cluster.store.close()
        store.close()
    return took_s, cpus, spans


def logs_cpu_s() -> tuple[float, float, float]:
    """Give CPU seconds of one look when no log has grown and when all have, and the looks until all are worked out."""
    with TemporaryDirectory() as name:
        watched = Watched(shared_shapes(None))
        paths = [Path(name, str(number)) for number in range(LOGS)]
        for number, path in enumerate(paths):
            path.write_text("".join(f"step {step}/900 loss {9 / step:.3f} 0.5 s/step\n" for step in range(1, 13)))
            watched.follow(str(number), str(path), ())
        told = 0
        while told < LOGS:
            told += len([*watched.look(1.0)])
        began_s = time.process_time()
        list(watched.look(2.0))
        idle_s = time.process_time() - began_s
        for path in paths:
            with path.open("a") as file:
                file.write("step 13/900 loss 0.692 0.5 s/step\n")
        began_s = time.process_time()
        told, looks = len([*watched.look(3.0)]), 1
        busy_s = time.process_time() - began_s
        while told < LOGS:
            told, looks = told + len([*watched.look(3.0)]), looks + 1
    return idle_s, busy_s, looks


def arrivals() -> Iterator[LiveJob]:
    """Let a job come every few seconds for a week."""
    for number in range(int(WEEK_S / EVERY_S)):
        yield LiveJob(number, str(number), 1 + number % 4, number * EVERY_S, f"u{number % 50}", f"n{number % 300}")


def week_mib() -> float:
    """Give the growth of memory from the first day's end to the seventh's, in MiB."""
    durations = 60.0 + 540.0 * np.random.default_rng(0).random(int(WEEK_S / EVERY_S))
    nodes = [NodeSpec(f"n{number}", 8) for number in range(20)]
    cluster = SimulatedCluster(nodes, arrivals(), RigidPhysics(durations, Saving(0.0, 0.0)))
    loop = Loop(cluster, lambda vc: SchedMate(HistoryMean()))
    after_a_day = 0.0
    while loop.turn():
        if not after_a_day and cluster.now_s() > 86_400:
            gc.collect()
            after_a_day = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024 - after_a_day


def measure() -> list[Figure]:
    """Measure all three; memory first, while this process is small."""
    grown_mib = week_mib()
    took_s, cpus, spans = decision_ms()
    idle_s, busy_s, looks = logs_cpu_s()
    many = f"{QUEUED:,} queued, {RUNNING:,} running, {NODES:,} nodes"
    return [
        Figure("memory: growth from day 1 to day 7", grown_mib, "MiB", 5.0, less_is_better=True),
        Figure(f"take over {many}", took_s, "CPU s", None),
        Figure("from an end to the next start, median of 40", float(np.median(cpus)), "CPU ms", None),
        Figure("the same, worst of 40", max(cpus), "CPU ms", 100.0, less_is_better=True),
        Figure("the same by the wall, median (the start of a process, and other work, count)", np.median(spans), "ms"),
        Figure("the same by the wall, worst", max(spans), "ms"),
        Figure(f"one look at {LOGS:,} idle logs", idle_s, "CPU s", 1.0, less_is_better=True),
        Figure(f"one look at {LOGS:,} logs with a new line each", busy_s, "CPU s", None),
        Figure("looks until all of these are worked out", looks, "", None),
    ]
