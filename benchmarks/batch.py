"""How fast a batch is: with one worker and with two, on very many short logs, and with a large log among small ones.

BATCH_FILES, BATCH_SHORT and BATCH_GIB say how many and how large, 0 leaves a part out; the machine should be quiet.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from benchmarks import Figure
from benchmarks.diagnose import write_log
from evals.planted.write import write_cases

FILES, SHORT, GIB = 2_000, 5_000, 0.25

FEW = 200
"""Small logs beside a large one."""
ENDS = (
    "Traceback (most recent call last):\n  File \"train.py\", line 41, in <module>\n    main()\nKeyError: 'lr'",
    "RuntimeError: CUDA out of memory. Tried to allocate 2.50 GiB",
    "training finished",
    "slurmstepd: error: *** JOB 4711 ON n1 CANCELLED DUE TO TIME LIMIT ***",
)

KINDS = 500
"""Different small logs; the others are copies of them."""
LINES_A_GIB = 7_700_000
AHEAD = 10_000_000
PROGRAM = """
import json, resource, sys, time
from pathlib import Path
from schedmate.batch.run import Batch, run
began_s = time.monotonic()
count = run(Batch("diagnose", [sys.argv[1]], Path(sys.argv[2]), workers=int(sys.argv[3])))
own, readers = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
print(json.dumps([time.monotonic() - began_s, own.ru_utime + own.ru_stime, readers.ru_utime + readers.ru_stime,
                  max(own.ru_maxrss, readers.ru_maxrss) / 1024, count.rows, count.failed]))
"""


class Cost(NamedTuple):
    """What a batch took."""

    wall_s: float
    own_s: float
    """Processor time of the process that hands sources out and writes rows."""
    readers_s: float
    peak_mib: float
    """Of the largest process."""
    rows: int
    failed: int


def batch(source: str, output: Path, workers: int) -> Cost:
    """Run one in a process of its own."""
    command = [sys.executable, "-c", PROGRAM, source, str(output), str(workers)]
    return Cost(*json.loads(subprocess.check_output(command, text=True)))


def write_many(folder: Path, count: int) -> None:
    """Write small logs, a thousand a folder."""
    kinds = folder.parent / "kinds"
    write_cases(kinds, min(KINDS, count), seed=2)
    found = sorted(kinds.glob("*.log"))
    for number in range(count):
        there = folder / f"{number // 1000:04d}"
        there.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(found[number % len(found)], there / f"{number}.log")


def write_short(folder: Path, count: int) -> None:
    """Write logs of ten lines, a thousand a folder, as most jobs of a large cluster leave them."""
    for number in range(count):
        there = folder / f"{number // 1000:04d}"
        there.mkdir(parents=True, exist_ok=True)
        steps = [f"2026-11-22 10:{step:02d}:07 step {step * 10}/900 loss {2 - step / 20:.3f}" for step in range(6)]
        (there / f"{number}.log").write_text("\n".join((f"job {number} begins", *steps, ENDS[number % 4], "")))


def measure() -> list[Figure]:
    """Make the logs, then read them, part by part."""
    count, short = int(os.environ.get("BATCH_FILES", FILES)), int(os.environ.get("BATCH_SHORT", SHORT))
    gib = float(os.environ.get("BATCH_GIB", GIB))
    figures = list[Figure]()
    with TemporaryDirectory() as scratch:
        if count:
            write_many(Path(scratch) / "many", count)
            figures += one_and_two(Path(scratch), count)
        if short:
            figures += very_many(Path(scratch), short)
        if gib:
            figures += with_a_large_one(Path(scratch), gib)
    return figures


def one_and_two(scratch: Path, count: int) -> list[Figure]:
    """Read the same logs with one worker and with two."""
    one, two = (batch(str(scratch / "many"), scratch / f"{workers}.parquet", workers) for workers in (1, 2))
    check((one, count), (two, count))
    return [
        Figure(f"{count:,} small logs, 1 worker", count / one.wall_s, "logs/s"),
        Figure(f"{count:,} small logs, 2 workers", count / two.wall_s, "logs/s"),
        Figure("2 workers / 1 worker, wall", one.wall_s / two.wall_s, "times", goal=1.8),
        Figure("processors in use with 2 workers", (two.own_s + two.readers_s) / two.wall_s, "cores"),
        *of_each(two, count),
    ]


def very_many(scratch: Path, count: int) -> list[Figure]:
    """Read logs so short that what a log costs besides its lines shows."""
    write_short(scratch / "short", count)
    cost = batch(str(scratch / "short"), scratch / "short.parquet", 2)
    check((cost, count))
    return [
        Figure(f"{count:,} logs of ten lines, 2 workers", count / cost.wall_s, "logs/s"),
        Figure(f"{count:,} logs of ten lines, largest process", cost.peak_mib, "MiB", goal=400, less_is_better=True),
        *of_each(cost, count, " of ten lines"),
    ]


def with_a_large_one(scratch: Path, gib: float) -> list[Figure]:
    """Read a large log alone, then among small ones."""
    folder = scratch / "mixed"
    write_many(folder, FEW)
    write_log(folder / "large.log", int(gib * LINES_A_GIB) // 2000 * 2000)
    size_gib = (folder / "large.log").stat().st_size / 2**30
    large = batch(str(folder / "large.log"), scratch / "large.parquet", 1)
    whole = batch(str(folder), scratch / "whole.parquet", 2)
    check((large, 1), (whole, FEW + 1))
    name = f"{FEW} small logs and one of {size_gib:.2g} GiB"
    return [
        Figure(f"a log of {size_gib:.2g} GiB", large.readers_s, "CPU s"),
        Figure(name, whole.wall_s, "s"),
        Figure(f"{name}, largest process", whole.peak_mib, "MiB", goal=400, less_is_better=True),
    ]


def check(*costs: tuple[Cost, int]) -> None:
    """See that each batch has as many rows as there were logs, and none with an error."""
    if any(cost.rows != count or cost.failed for cost, count in costs):
        raise SystemExit("a batch has lost logs")


def of_each(cost: Cost, count: int, words: str = "") -> list[Figure]:
    """Say what one log costs, and what ten million would."""
    own_ms, reader_ms = 1000 * cost.own_s / count, 1000 * cost.readers_s / count
    fed = max(1, int(reader_ms / own_ms))
    return [
        Figure(f"CPU a log{words}, readers", reader_ms, "ms"),
        Figure(f"CPU a log{words}, whoever hands out and writes", own_ms, "ms"),
        Figure(f"{AHEAD / 1e6:.0f}M logs{words} on paper: readers", AHEAD * reader_ms / 3.6e6, "core hours"),
        Figure(f"{AHEAD / 1e6:.0f}M logs{words} on paper, {fed} readers", AHEAD * own_ms / 3.6e6, "hours"),
    ]
