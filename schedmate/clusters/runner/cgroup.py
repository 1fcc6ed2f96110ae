"""A control group for one run, where the kernel lets us make one: nothing that a job starts gets out of it.

Nothing but the standard library, for the runner. A group outlives its maker: whoever finds a run without its runner
ends what that has left. Where no group is to be had every call does nothing, and the runner's watch holds the job in.
"""

import os
import sys
import time
from contextlib import suppress

LEAF = "keepers"
"""Where processes of ours are kept beside the groups of runs: a group that has some shares out no controllers."""
PREFIX = "schedmate-"

BOOTED = "/run/systemd/system"
"""A folder that is there where systemd is the first process."""
PERIOD_US = 100_000
CONTROLLERS = {"memory": "memory.max", "cpu": "cpu.max", "pids": "pids.max"}

MOST_PROCESSES = 32768
"""No job has more processes and threads; on a machine that has few numbers for them, a quarter of those."""
NO_GROUPS = "no control groups are ours to make here, so the tree of its processes is what holds a job in"


def make(base: str, name: str, memory_bytes: int = 0, cpus: int = 0) -> str:
    """Make a group in a folder of such; give its own folder, empty where that is not to be had."""
    if not base:
        return ""
    share_out(base)
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
    write(f"{folder}/pids.max", f"{most_processes()}")
    return folder


def share_out(base: str) -> None:
    """Let the groups in a folder have limits of their own."""
    for controller in CONTROLLERS:
        write(f"{base}/cgroup.subtree_control", f"+{controller}")


def most_processes() -> int:
    """Give how many processes a job may have: never so many that nobody else could start one."""
    try:
        with open("/proc/sys/kernel/pid_max") as file:
            return min(MOST_PROCESSES, int(file.read()) // 4)
    except (OSError, ValueError):
        return MOST_PROCESSES


def shortcomings(base: str) -> str:
    """Say which limits the kernel does not hold here, and what does so instead; empty where it holds all."""
    probe = make(base, f"probe-{os.getpid()}")
    missing = [name for name, file in CONTROLLERS.items() if not os.path.exists(f"{probe}/{file}")]
    end(probe)
    if probe and not missing:
        return ""
    held = f"the control groups that are ours here lack {' and '.join(missing)}" if probe else NO_GROUPS
    watched = {
        "memory": "memory (--memory) is looked at every 5 s",
        "cpu": "--cpus ties a job to processors, which it may leave",
        "pids": "nothing bounds how many processes a job has",
    }
    return f"{held}: {', and '.join(watched[name] for name in missing)}"


def own_place() -> str:
    """Give our own group's folder where nobody else rules over groups: systemd may move or remove what lies in its."""
    return "" if os.path.isdir(BOOTED) else own_folder()


def own_folder() -> str:
    """Find the folder of the group that we are in; empty where there is no unified hierarchy."""
    try:
        with open("/proc/self/cgroup") as groups:
            return folder_of(next(line.rstrip("\n")[3:] for line in groups if line.startswith("0::")))
    except (OSError, StopIteration):
        return ""


def folder_of(group: str) -> str:
    """Find the folder of a group that the kernel has named; empty where it cannot be seen."""
    try:
        with open("/proc/self/mountinfo") as mounts:
            root, place = next(line.split()[3:5] for line in mounts if " - cgroup2 " in line)
    except (OSError, StopIteration):
        return ""
    below = group[len(root.rstrip("/")) :] if group.startswith(root.rstrip("/")) else group
    folder = f"{place}{below}".rstrip("/")
    return folder if os.path.isdir(folder) else ""


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


def keep() -> None:
    """Hold the place of all groups open as long as whoever has started us is there, or a run: it goes when it is empty.

    The folder is the first argument; without it, the group that this process was put into. Says where it is.
    """
    base = sys.argv[1] if len(sys.argv) > 1 else own_folder()
    with suppress(FileExistsError):
        os.mkdir(f"{base}/{LEAF}", 0o755)
    if not enter(f"{base}/{LEAF}"):
        return
    share_out(base)
    print(base, flush=True)
    sys.stdin.read()
    while any(entry.name.startswith(PREFIX) for entry in os.scandir(base)):
        time.sleep(1.0)


if __name__ == "__main__":
    keep()
