"""How fast a diagnosis is: a gigabyte against grep, a quarter of a million lines with start-up, a thousand files."""

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory, TemporaryFile
from typing import NamedTuple

from benchmarks import Figure
from evals.planted.styles import megatron
from evals.planted.write import write_cases

LARGE_LINES, MEDIUM_LINES, FILES = 8_000_000, 250_000, 1000
RUNS = 5
ROOT = (
    "Mar  2 03:12:44 gpu17 kernel: [93122.402113] NVRM: Xid (PCI:0000:3b:00): 79, pid='<unknown>', name=<unknown>, "
    "GPU has fallen off the bus.\n"
)


def write_log(path: Path, lines: int) -> None:
    """Write a log whose root stands in the middle: steps and loader's lines before it, waiting and time-outs after."""
    rng = Random(1)
    blocks_before = [before(rng, block) for block in range(16)]
    blocks_after = [after(rng, block) for block in range(16)]
    with path.open("w", encoding="utf-8") as handle:
        for block in range(lines // 2 // 1000):
            handle.write(blocks_before[block % 16].replace("@@@@", f"{block:04d}"))
        handle.write(ROOT)
        for block in range(lines // 2 // 1000):
            handle.write(blocks_after[block % 16])


def before(rng: Random, block: int) -> str:
    """Write a thousand lines of a run that gets on; the block's number moves its steps."""
    rows = []
    for row in range(1000):
        step = megatron(rng, 250 * block + row // 4 + 1, 9_999_999).replace("iteration ", "iteration @@@@", 1)
        shard = f"shard-{rng.randrange(9999):05d}.tar from /data/train in {rng.randrange(90)} ms"
        loader = f"INFO loader: took {shard}, pool at {row % 64} of 64"
        rows.append(step if row % 4 == 0 else loader)
    return "\n".join(rows) + "\n"


def after(rng: Random, block: int) -> str:
    """Write a thousand lines of ranks that wait in vain."""
    rows = []
    for row in range(1000):
        rank = rng.randrange(64)
        watchdog = (
            f"[rank{rank}]:[E302 03:2{row % 10}:11.{rng.randrange(10**6):06d} ProcessGroupNCCL.cpp:616] "
            f"[Rank {rank}] Watchdog caught "
            f"collective operation timeout: WorkNCCL(SeqNum={4000 + block}, OpType=ALLREDUCE, Timeout(ms)=600000)"
        )
        waiting = (
            f"INFO heartbeat of rank {rank}: waiting for its peers, nothing to do yet, queue length {row % 77} of 1000"
        )
        rows.append(watchdog if row % 3 == 0 else waiting)
    return "\n".join(rows) + "\n"


class Cost(NamedTuple):
    """What a command took."""

    cpu_s: float
    wall_s: float
    memory_kib: float


def cost(command: Sequence[str]) -> Cost:
    """Run a command as a process of its own."""
    # Not /dev/null: grep sees it there, stops at the first match and so reads half of the log.
    with TemporaryFile() as nowhere:
        started = os.times().elapsed
        process = subprocess.Popen(command, stdout=nowhere)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    wall_s = os.times().elapsed - started
    if process.returncode:
        raise RuntimeError(f"{command[0]} ended with {process.returncode}: its time means nothing")
    return Cost(usage.ru_utime + usage.ru_stime, wall_s, usage.ru_maxrss)


def side_by_side(one: Sequence[str], other: Sequence[str]) -> tuple[Cost, Cost]:
    """Take medians of two commands run in turn, so that a busy machine slows both."""
    runs = [(cost(one), cost(other)) for _ in range(RUNS)]
    first, second = (Cost(*map(median, zip(*column, strict=True))) for column in zip(*runs, strict=True))
    return first, second


def measure() -> list[Figure]:
    """Make the logs, then measure; needs two gigabytes of disk for a while.

    The cache is this benchmark's own: no other version of SchedMate that runs meanwhile leaves it cold.
    """
    figures = []
    with TemporaryDirectory() as scratch:
        ours = ["env", f"SCHEDMATE_CACHE_DIR={scratch}/cache"]
        diagnose = [*ours, sys.executable, "-m", "schedmate", "diagnose", "--engine", "built-in", "--json"]
        large, medium, many = (Path(scratch) / name for name in ("large.log", "medium.log", "many"))
        write_log(large, LARGE_LINES)
        grep, read = side_by_side(["grep", "-c", "-E", "error|Xid", str(large)], [*diagnose, str(large)])
        size = f"{large.stat().st_size / 1e9:.2f} GB, {LARGE_LINES / 1e6:g}M lines"
        figures += [
            Figure(f"grep -c -E 'error|Xid' on {size}", grep.cpu_s, "CPU s"),
            Figure(f"diagnose on {size}", read.cpu_s, "CPU s"),
            Figure("diagnose / grep, CPU", read.cpu_s / grep.cpu_s, "times", goal=1.5, less_is_better=True),
            Figure("diagnose / grep, wall", read.wall_s / grep.wall_s, "times", goal=2.0, less_is_better=True),
            Figure("peak memory", read.memory_kib / 1024, "MiB", goal=100, less_is_better=True),
        ]
        large.unlink()
        write_log(medium, MEDIUM_LINES)
        idle, read = side_by_side([sys.executable, "-m", "schedmate", "--help"], [*diagnose, str(medium)])
        figures += [
            Figure("start-up alone (schedmate --help)", idle.cpu_s, "CPU s"),
            Figure(f"{MEDIUM_LINES:,} lines with start-up", read.cpu_s, "CPU s", goal=0.5, less_is_better=True),
        ]
        write_cases(many, FILES, seed=2)
        batch = cost([*diagnose, *map(str, sorted(many.glob("*.log")))])
        figures.append(Figure(f"{FILES:,} files, CPU over wall", batch.cpu_s / batch.wall_s, "cores used"))
        figures.append(Figure(f"{FILES:,} files", FILES / batch.cpu_s, "files per CPU s"))
    return figures
