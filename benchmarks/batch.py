"""How fast a batch is: many small logs and a large one among them, with one worker and with two.

BATCH_FILES and BATCH_GIB say how many and how large; the machine should be quiet for the ratio of the two.
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

FILES, GIB = 2_000, 0.25
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


def measure() -> list[Figure]:
    """Make the logs, then read them with one worker and with two."""
    count, gib = int(os.environ.get("BATCH_FILES", FILES)), float(os.environ.get("BATCH_GIB", GIB))
    with TemporaryDirectory() as scratch:
        folder = Path(scratch) / "many"
        write_many(folder, count)
        one, two = (batch(str(folder), Path(scratch) / f"{workers}.parquet", workers) for workers in (1, 2))
        write_log(folder / "large.log", int(gib * LINES_A_GIB) // 2000 * 2000)
        large = batch(str(folder / "large.log"), Path(scratch) / "large.parquet", 1)
        whole = batch(str(folder), Path(scratch) / "whole.parquet", 2)
    if (one.rows, two.rows, whole.rows) != (count, count, count + 1) or one.failed or two.failed or whole.failed:
        raise SystemExit("a batch has lost logs")
    own_ms, reader_ms = 1000 * two.own_s / count, 1000 * two.readers_s / count
    fed = reader_ms / own_ms
    return [
        Figure(f"{count:,} small logs, 1 worker", count / one.wall_s, "logs/s"),
        Figure(f"{count:,} small logs, 2 workers", count / two.wall_s, "logs/s"),
        Figure("2 workers / 1 worker, wall", one.wall_s / two.wall_s, "times", goal=1.8),
        Figure("processors in use with 2 workers", (two.own_s + two.readers_s) / two.wall_s, "cores"),
        Figure("CPU a log, readers", reader_ms, "ms"),
        Figure("CPU a log, whoever hands out and writes", own_ms, "ms"),
        Figure("readers that one such process keeps busy", fed, "readers"),
        Figure(f"a log of {gib:g} GiB", large.readers_s, "CPU s"),
        Figure(f"all, that log among them: largest process of {whole.rows:,} rows", whole.peak_mib, "MiB", goal=400,
               less_is_better=True),
        Figure(f"{AHEAD / 1e6:.0f}M such logs on paper: readers", AHEAD * reader_ms / 3.6e6, "core hours"),
        Figure(f"{AHEAD / 1e6:.0f}M such logs on paper, {int(fed)} readers", AHEAD * own_ms / 3.6e6, "hours"),
    ]  # fmt: skip
