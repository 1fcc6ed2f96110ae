"""How fast a diagnosis is: a gigabyte against grep, a quarter of a million lines with start-up, a thousand files."""

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory

from benchmarks import Figure
from evals.planted.styles import megatron
from evals.planted.write import write_cases

LARGE_LINES, MEDIUM_LINES, FILES = 8_000_000, 250_000, 1000
RUNS = 3
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


def cost(command: Sequence[str]) -> tuple[float, float, int]:
    """Run a command; give its CPU seconds, wall seconds and peak memory in KiB."""
    with open(os.devnull, "wb") as nowhere:
        started = os.times().elapsed
        process = subprocess.Popen(command, stdout=nowhere)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    wall_s = os.times().elapsed - started
    if process.returncode:
        raise RuntimeError(f"{command[0]} ended with {process.returncode}: its time means nothing")
    return usage.ru_utime + usage.ru_stime, wall_s, usage.ru_maxrss


def typical(command: Sequence[str]) -> tuple[float, float, int]:
    """Take the median of each figure over a few runs."""
    runs = [cost(command) for _ in range(RUNS)]
    cpu_s, wall_s, memory_kib = (median(column) for column in zip(*runs, strict=True))
    return cpu_s, wall_s, int(memory_kib)


def measure() -> list[Figure]:
    """Make the logs, then measure; needs two gigabytes of disk for a while."""
    diagnose = [sys.executable, "-m", "schedmate", "diagnose", "--engine", "built-in", "--json"]
    figures = []
    with TemporaryDirectory() as scratch:
        large, medium, many = (Path(scratch) / name for name in ("large.log", "medium.log", "many"))
        write_log(large, LARGE_LINES)
        cost(["grep", "-c", "loader", str(large)])  # both find the file in the page cache
        grep_cpu_s, grep_wall_s, _ = typical([shutil.which("grep") or "grep", "-c", "-E", "error|Xid", str(large)])
        cpu_s, wall_s, memory_kib = typical([*diagnose, str(large)])
        size = f"{large.stat().st_size / 1e9:.2f} GB, {LARGE_LINES / 1e6:g}M lines"
        figures += [
            Figure(f"grep -c -E 'error|Xid' on {size}", grep_cpu_s, "CPU s"),
            Figure(f"diagnose on {size}", cpu_s, "CPU s"),
            Figure("diagnose / grep, CPU", cpu_s / grep_cpu_s, "times", goal=2.0, less_is_better=True),
            Figure("diagnose / grep, wall", wall_s / grep_wall_s, "times", goal=2.0, less_is_better=True),
            Figure("peak memory", memory_kib / 1024, "MiB", goal=300, less_is_better=True),
        ]
        large.unlink()
        write_log(medium, MEDIUM_LINES)
        cpu_s, _, _ = typical([*diagnose, str(medium)])
        figures.append(Figure(f"{MEDIUM_LINES:,} lines with start-up", cpu_s, "CPU s", goal=0.5, less_is_better=True))
        write_cases(many, FILES, seed=2)
        cpu_s, wall_s, _ = cost([*diagnose, *map(str, sorted(many.glob("*.log")))])
        figures.append(Figure(f"{FILES:,} files, CPU over wall", cpu_s / wall_s, "cores used"))
        figures.append(Figure(f"{FILES:,} files", FILES / cpu_s, "files per CPU s"))
    return figures
