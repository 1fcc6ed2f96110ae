"""A small memory cgroup, and what the kernel said when a process outgrew it."""

import re
import subprocess
from pathlib import Path

LIMIT = 400_000_000


def make_cgroup(name: str) -> Path | None:
    """Make a cgroup of a few hundred megabytes; give the file that takes a pid, or None where there are no cgroups."""
    first, second = Path("/sys/fs/cgroup/memory"), Path("/sys/fs/cgroup")
    folder = (first if first.is_dir() else second) / name
    try:
        folder.mkdir(exist_ok=True)
        (folder / ("memory.limit_in_bytes" if first.is_dir() else "memory.max")).write_text(str(LIMIT))
    except OSError:
        return None
    return folder / "cgroup.procs"


def kernel_clock() -> float:
    return float(Path("/proc/uptime").read_text().split()[0])


def kernel_report(since: float) -> list[str]:
    """Give what the kernel has said since, as dmesg prints it."""
    said = subprocess.run(["dmesg"], capture_output=True, text=True, check=False).stdout.splitlines()
    stamped = ((re.match(r"\[\s*(\d+\.\d+)\]", line), line) for line in said)
    return [line for stamp, line in stamped if stamp and float(stamp[1]) >= since]
