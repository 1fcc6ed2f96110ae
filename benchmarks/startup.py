"""How long a user waits before anything happens: the start-up of the command line."""

import subprocess
import sys
from resource import RUSAGE_CHILDREN, getrusage
from statistics import median

from benchmarks import Figure

RUNS = 7


def cpu_seconds(*arguments: str) -> float:
    """Give the median CPU time of a command as a whole process; wall time would measure the machine's other work."""
    seconds = []
    for _ in range(RUNS):
        before = getrusage(RUSAGE_CHILDREN)
        subprocess.run([sys.executable, "-m", "schedmate", *arguments], stdout=subprocess.DEVNULL, check=True)
        after = getrusage(RUSAGE_CHILDREN)
        seconds.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return median(seconds)


def measure() -> list[Figure]:
    """Time `--help`, and `config` for what settings cost on top."""
    return [
        Figure("schedmate --help", cpu_seconds("--help"), "CPU s", goal=0.3, less_is_better=True),
        Figure("schedmate config --json", cpu_seconds("config", "--json"), "CPU s"),
    ]
