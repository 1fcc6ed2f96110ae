"""A control group for one run, where the kernel lets us make one: nothing that a job starts gets out of it.

Nothing but the standard library, for the runner. A group outlives its maker: whoever finds a run without its runner
ends what that has left. Where no group is to be had every call does nothing, and the runner's watch holds the job in.
"""

import os
import time
from contextlib import suppress

LEAF = "loop"
"""Where a service keeps its own processes: a group that has some may share out neither memory nor processors."""
PREFIX = "schedmate-"
PERIOD_US = 100_000
NO_GROUPS = "no control groups are ours to make here, so the tree of its processes is what holds a job in"


def make(name: str, memory_bytes: int = 0, cpus: int = 0, processes: int = 0) -> str:
    """Make a group beside our own; give its folder, empty where that is not to be had."""
    base = own_folder()
    if os.path.basename(base) == LEAF:
        base = os.path.dirname(base)
    if not base or not is_ours(base):
        return ""
    for controller in ("memory", "cpu", "pids"):
        write(f"{base}/cgroup.subtree_control", f"+{controller}")
    folder = f"{base}/{PREFIX}{name}"
    try:
        os.mkdir(folder, 0o755)
    except OSError:
        return ""
    if memory_bytes:
        write(f"{folder}/memory.max", f"{memory_bytes}")
        write(f"{folder}/memory.swap.max", "0")
    if cpus:
        write(f"{folder}/cpu.max", f"{cpus * PERIOD_US} {PERIOD_US}")
    if processes:
        write(f"{folder}/pids.max", f"{processes}")
    return folder


def shortcomings() -> str:
    """Say which limits the kernel does not hold here, and what does so instead; empty where it holds all."""
    probe = make(f"probe-{os.getpid()}")
    missing = [name for name in ("memory", "cpu") if not os.path.exists(f"{probe}/{name}.max")]
    end(probe)
    if probe and not missing:
        return ""
    held = f"the control groups that are ours here lack {' and '.join(missing)}" if probe else NO_GROUPS
    return f"{held}: memory (--memory) is looked at every 5 s, and --cpus ties a job to processors, which it may leave"


def own_folder() -> str:
    """Find the folder of the group that we are in; empty where there is no unified hierarchy."""
    try:
        with open("/proc/self/mountinfo") as mounts:
            found = [line.split() for line in mounts if " - cgroup2 " in line]
        with open("/proc/self/cgroup") as groups:
            mine = next(line.rstrip("\n")[3:] for line in groups if line.startswith("0::"))
    except (OSError, StopIteration):
        return ""
    if not found:
        return ""
    root, place = found[0][3], found[0][4]
    below = mine[len(root.rstrip("/")) :] if mine.startswith(root.rstrip("/")) else mine
    folder = f"{place}{below}".rstrip("/")
    return folder if os.path.isdir(folder) else ""


def is_ours(folder: str) -> bool:
    """Tell whether groups may be made here: where systemd rules, it must have handed this one over."""
    if not os.path.isdir("/run/systemd/system"):
        return True
    for name in ("trusted.delegate", "user.delegate"):
        with suppress(OSError):
            return os.getxattr(folder, name) == b"1"
    return False


def is_runs(folder: str) -> bool:
    """Tell whether a folder can be the group of a run: what is in it is ended as a whole."""
    return os.path.isabs(folder) and os.path.basename(os.path.normpath(folder)).startswith(PREFIX)


def enter(folder: str) -> bool:
    """Move into the group; whatever is started from then on is in it."""
    return bool(folder) and write(f"{folder}/cgroup.procs", "0")


def end(folder: str, patience_s: float = 10.0) -> bool:
    """Kill all that is in the group, and remove it; True once it is gone."""
    until_s = time.monotonic() + patience_s
    while folder and os.path.isdir(folder):
        if not write(f"{folder}/cgroup.kill", "1"):  # kernels before 5.14
            for pid in members(folder):
                with suppress(OSError):
                    os.kill(pid, 9)
        with suppress(OSError):
            os.rmdir(folder)
            return True
        if time.monotonic() > until_s:
            return False
        time.sleep(0.01)
    return True


def members(folder: str) -> list[int]:
    """List the processes in a group."""
    try:
        with open(f"{folder}/cgroup.procs") as file:
            return [int(line) for line in file]
    except OSError:
        return []


def was_short_of_memory(folder: str) -> bool:
    """Tell whether the kernel has killed something for the group's limit of memory."""
    try:
        with open(f"{folder}/memory.events") as file:
            return any(line.startswith("oom_kill ") and int(line.split()[1]) > 0 for line in file)
    except OSError:
        return False


def write(path: str, text: str) -> bool:
    """Write to one of the kernel's files; tell whether it took it."""
    try:
        with open(path, "w") as file:
            file.write(text)
    except OSError:
        return False
    return True
