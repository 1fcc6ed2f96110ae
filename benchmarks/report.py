"""A report on a million jobs of ninety days, as `schedmate report --jobs` makes it: all of it, replays included."""

import os
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from benchmarks import Figure

JOBS = int(os.environ.get("JOBS", "1000000"))
DAYS, NODES = 90, 1600
FIELDS = (
    "JobID|User|Partition|JobName|Submit|Start|End|ElapsedRaw|State|AllocTRES|NodeList|TimelimitRaw|TRESUsageInTot|WorkDir"
    "|SubmitLine\n"
)
STATES = ("COMPLETED",) * 12 + ("FAILED",) * 3 + ("CANCELLED by 1000",) * 4 + ("TIMEOUT", "OUT_OF_MEMORY")


def write_accounting(path: Path) -> None:
    """Write the jobs, each with its batch step, as Slurm's accounting tells them."""
    draw = Random(11)
    with path.open("w", encoding="utf-8") as file:
        file.write(FIELDS)
        for number in range(JOBS):
            submit_s = 1_780_000_000 + number * DAYS * 86_400 / JOBS
            start_s = submit_s + draw.expovariate(1 / 1800)
            ran_s = min(draw.lognormvariate(6.5, 2), 5 * 86_400)
            gpus, first = 2 ** draw.randrange(6), draw.randrange(NODES - 4)
            nodes = f"gpu{first:04}" if gpus <= 8 else f"gpu[{first:04}-{first + gpus // 8 - 1:04}]"
            state = "NODE_FAIL" if draw.random() < 0.003 else draw.choice(STATES)
            times = f"{start_s:.0f}|{start_s + ran_s:.0f}|{ran_s:.0f}|{state}"
            user = f"user{draw.randrange(800)}"
            file.write(
                f"{number}|{user}|gpu|train{draw.randrange(20)}|{submit_s:.0f}|{times}|cpu=64,mem=128G,gres/gpu={gpus}|"
                f"{nodes}|1440||/home/{user}/code|sbatch train.sh --lr {draw.random():.4f}\n"
                f"{number}.batch|||batch|{start_s:.0f}|{times}|cpu=64,mem=128G|{nodes}||"
                f"mem={draw.randrange(1, 99)}G||\n"
            )


def measure() -> list[Figure]:
    """Make one report in a process of its own."""
    return list(figures())


def figures() -> Iterator[Figure]:
    """Write the accounting, report on it, look at what that took."""
    with TemporaryDirectory() as folder:
        path, page = Path(folder) / "jobs.sacct", Path(folder) / "report.html"
        write_accounting(path)
        before, wall = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
        command = [sys.executable, "-m", "schedmate", "report", "--jobs", str(path), "-o", str(page)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        took_s = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        yield Figure(f"report on {JOBS:,} jobs, {2 * JOBS:,} rows of sacct", took_s, "CPU s", 120, less_is_better=True)
        yield Figure("  by the clock of this machine", time.monotonic() - wall, "s")
        yield Figure("  most memory", after.ru_maxrss / 1024, "MB", 1000, less_is_better=True)
        yield Figure("  the page", page.stat().st_size / 1024, "KB")
