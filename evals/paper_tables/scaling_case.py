"""Fig. 16: how long a job waits for the advisor, and how many it reads an hour, by jobs at once and by readers.

The paper's advisor reads with a model on one to four GPUs; ours reads with one to four processes and no GPU. Both read
jobs of one large code base: the paper's Mars, here the one that `evals.mars` writes.
"""

import os
import time
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor, wait
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from random import Random
from statistics import fmean
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from evals.mars.codebase import write_codebase
from evals.mars.submitting import command, submissions
from evals.report import Cell, Table
from schedmate.counts import how_many
from schedmate.graphs.extract import run_extract

if TYPE_CHECKING:
    from matplotlib.axes import Axes

READERS = (1, 2, 4)
AT_ONCE = (1, 2, 4, 8, 16, 32)
REPEATS = 3

PAPER_JOBS_AN_HOUR = {1: 480, 4: 2_000}
"""Steady on one GPU; the most on four, at 32 jobs at once."""
WAY = "spawn"
"""How readers are started: a fork of a process with threads may hang."""


@dataclass(frozen=True)
class Burst:
    """Jobs that came at one moment."""

    readers: int
    jobs: int
    delay_s: float
    """From coming to being read, on average."""
    an_hour: float


def read(root: str, text: str) -> str:
    """Read one job's code; in a process of its own."""
    return run_extract(Path(root), text, engine="built-in").workload.model_name or ""


def commands(count: int) -> Iterator[str]:
    """Give commands, no two alike."""
    draw = Random(0)
    for number, (_, _, _, asked) in enumerate(submissions(count, 0)):
        yield command(asked, number, draw)


def measure(readers: tuple[int, ...] = READERS, at_once: tuple[int, ...] = AT_ONCE) -> list[Burst]:
    """Let each number of readers read bursts of each size."""
    found: list[Burst] = []
    with TemporaryDirectory() as folder:
        write_codebase(Path(folder))
        for many in readers:
            texts = commands(many * 4 + sum(at_once) * REPEATS)
            with ProcessPoolExecutor(many, get_context(WAY)) as pool:
                wait([pool.submit(read, folder, next(texts)) for _ in range(many * 4)])  # each has begun
                found += [average([burst(pool, folder, many, jobs, texts) for _ in range(REPEATS)]) for jobs in at_once]
    return found


def burst(pool: ProcessPoolExecutor, folder: str, readers: int, jobs: int, texts: Iterator[str]) -> Burst:
    """Hand in some jobs at once, and wait for all."""
    delays: list[float] = []
    began_s = time.monotonic()
    waiting: list[Future[str]] = []
    for _ in range(jobs):
        future = pool.submit(read, folder, next(texts))
        future.add_done_callback(partial(note, delays, began_s))
        waiting.append(future)
    for future in waiting:
        future.result()
    return Burst(readers, jobs, fmean(delays), jobs / max(delays) * 3600)


def note(delays: list[float], began_s: float, done: "Future[str]") -> None:
    """Write down when a job was read."""
    delays.append(time.monotonic() - began_s)


def average(bursts: list[Burst]) -> Burst:
    """Average bursts of one size."""
    first = bursts[0]
    delay_s, an_hour = fmean(one.delay_s for one in bursts), fmean(one.an_hour for one in bursts)
    return Burst(first.readers, first.jobs, delay_s, an_hour)


def table(found: list[Burst]) -> Table:
    """Put bursts below each other, the paper's throughput beside them where it names one."""
    most = max(one.jobs for one in found)
    rows: list[list[Cell]] = []
    for one in found:
        named = one.readers == 1 or one.jobs == most
        theirs = PAPER_JOBS_AN_HOUR.get(one.readers) if named else None
        rows.append([f"{one.readers}, {one.jobs} at once", round(one.delay_s, 3), round(one.an_hour), theirs])
    columns = ("readers, jobs", "average delay, s", "jobs an hour", "the paper's, as many GPUs")
    return Table(f"Fig. 16: reading jobs' code, {os.cpu_count()} cores, no model", columns, rows)


def draw(axes: "Axes", found: list[Burst]) -> None:
    """Draw jobs an hour by jobs at once, the paper's as lines."""
    for readers in dict.fromkeys(one.readers for one in found):
        own = [one for one in found if one.readers == readers]
        told = f"ours, {how_many(readers, 'reader')}"
        axes.plot([one.jobs for one in own], [one.an_hour for one in own], "o-", label=told)
    for gpus, an_hour in PAPER_JOBS_AN_HOUR.items():
        told = f"the paper, {how_many(gpus, 'GPU')}"
        axes.axhline(an_hour, color="0.6", linestyle="--" if gpus == 1 else ":", label=told)
    finish(axes, found, "jobs an hour", "Fig. 16b: jobs read an hour")


def draw_delay(axes: "Axes", found: list[Burst]) -> None:
    """Draw how long jobs wait."""
    for readers in dict.fromkeys(one.readers for one in found):
        own = [one for one in found if one.readers == readers]
        axes.plot([one.jobs for one in own], [one.delay_s for one in own], "o-", label=how_many(readers, "reader"))
    axes.axhline(20.0, color="0.6", linestyle="--", label="the paper: less, below 4 at once")
    finish(axes, found, "average delay, s", "Fig. 16a: waiting for the advisor")


def finish(axes: "Axes", found: list[Burst], quantity: str, title: str) -> None:
    """Set the axes of both panels."""
    axes.set_xscale("log", base=2)
    axes.set_xticks([one.jobs for one in found], [str(one.jobs) for one in found])
    axes.set_yscale("log")
    axes.set_xlabel("jobs at once")
    axes.set_ylabel(quantity)
    axes.set_title(title)
    axes.legend(fontsize=7)
