"""The store of past jobs with a million jobs in it: import, and a resubmission found.

Times are CPU time of the one thread that works, so that a loaded machine tells the same. `JOBS=100000` measures with
fewer.
"""

import os
import resource
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from random import Random
from sqlite3 import Connection
from tempfile import TemporaryDirectory

import numpy as np

from benchmarks import Figure
from schedmate.history.admission import find_resubmissions
from schedmate.history.commands import normalise_command
from schedmate.history.database import open_database
from schedmate.history.importers.importing import import_file
from schedmate.schemas import Job

JOBS = int(os.environ.get("JOBS", "1000000"))
HEADER = "JobID|User|Partition|JobName|Submit|Start|End|Elapsed|State|AllocTRES|WorkDir|SubmitLine\n"


@dataclass
class Timed:
    """Thread CPU times of many calls, in milliseconds."""

    p50: float
    p99: float


def timed(work: Callable[[int], object], count: int) -> Timed:
    """Call many times, after a round that brings what is asked for from the disk."""
    for number in range(count):
        work(number)
    took = []
    for number in range(count):
        started = time.thread_time()
        work(number)
        took.append((time.thread_time() - started) * 1000)
    return Timed(float(np.percentile(took, 50)), float(np.percentile(took, 99)))


def command(draw: Random) -> str:
    """Write a command of one of some ten thousand kinds, with the marks of one run."""
    return (
        f"python train.py --lr {draw.randrange(1, 50)}e-5 --batch-size {2 ** draw.randrange(3, 9)} --epochs"
        f" {draw.randrange(1, 30)} --seed {draw.randrange(10**6)} --output_dir runs/2026-05-01/{draw.randrange(10**6)}"
    )


def write_accounting(path: Path, jobs: int) -> None:
    """Write a million jobs as Slurm's accounting tells them."""
    draw = Random(11)
    states = ["COMPLETED"] * 6 + ["FAILED", "CANCELLED by 1000", "TIMEOUT", "OUT_OF_MEMORY"]
    with path.open("w", encoding="utf-8") as file:
        file.write(HEADER)
        for number in range(jobs):
            day, hour = divmod(number * 7 // 60 // 24, 24)
            stamp = f"2026-{1 + day // 28 % 12:02}-{1 + day % 28:02}T{hour:02}:"
            user = f"user{draw.randrange(800)}"
            file.write(
                f"{number}|{user}|gpu|train|{stamp}00:00|{stamp}10:00|{stamp}59:00|00:49:00|{draw.choice(states)}|"
                f"billing=8,cpu=64,gres/gpu:a100={2 ** draw.randrange(4)}|/home/{user}/code|{command(draw)}\n"
            )


def import_and_lookup(folder: Path) -> Iterator[Figure]:
    """Import the accounting, then look resubmissions up in it."""
    path = folder / "accounting"
    write_accounting(path, JOBS)
    started, wall = time.process_time(), time.monotonic()
    done = import_file(folder, str(path))
    took_s = time.process_time() - started
    assert done.new == JOBS, done
    yield Figure(f"import of {JOBS:,} rows of sacct", took_s, "CPU s")
    yield Figure("  by the clock of this machine", time.monotonic() - wall, "s")
    yield Figure("  rows", JOBS / took_s, "rows/CPU s")
    yield Figure("  most memory", resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, "MB")
    draw = Random(12)
    with closing(open_database(folder)) as connection:
        rows = connection.execute(
            "SELECT user, workdir, command, gpus FROM jobs WHERE id % 997 = 5 LIMIT 1000"
        ).fetchall()
        jobs = [
            Job(
                job_id="new",
                user=row["user"],
                workdir=Path(row["workdir"]),
                command=row["command"].partition(" --seed")[0]
                + f" --seed {draw.random()} --output_dir runs/{draw.random()}",
                gpus=row["gpus"],
            )
            for row in rows
        ]
        found = sum(bool(find_resubmissions(connection, job)) for job in jobs)
        lookup = timed(lambda number: look_up(connection, jobs[number]), len(jobs))
    yield Figure("resubmissions found", found / len(jobs), "share", 0.999)
    yield Figure("resubmission looked up, p50", lookup.p50, "CPU ms", 5, less_is_better=True)
    yield Figure("resubmission looked up, p99", lookup.p99, "CPU ms", 5, less_is_better=True)


def look_up(connection: Connection, job: Job) -> None:
    """Look up a command never seen in these words."""
    normalise_command.cache_clear()
    find_resubmissions(connection, job)


def measure() -> list[Figure]:
    """Measure the store; the index of workloads is `vectors`."""
    with TemporaryDirectory() as folder:
        return list(import_and_lookup(Path(folder)))
