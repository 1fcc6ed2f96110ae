"""What names a process for good, and all that come from this one: a runner counts their memory and ends what is left.

Like the runner it is loaded as a plain file with nothing but the standard library.
"""

import os
import signal
import time
from contextlib import suppress

PR_SET_CHILD_SUBREAPER = 36


def boot_id() -> str:
    """Name this boot of the machine: process ids mean nothing in another."""
    try:
        with open("/proc/sys/kernel/random/boot_id") as file:
            return file.read().strip()
    except OSError:
        return ""


def start_ticks(pid: int) -> int:
    """Tell when a process started, in the kernel's ticks, which with the pid names it for good; 0 when it is gone."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            fields = file.read().rpartition(b")")[2].split()
    except OSError:
        return 0
    return 0 if fields[0] in (b"Z", b"X") else int(fields[19])


def adopt_orphans() -> str:
    """Become the parent of whatever the job's processes leave behind; say what holds the job in."""
    try:
        import ctypes

        held = ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0
    except (ImportError, OSError, AttributeError):
        held = False
    return "process tree" if held else "process group"


def memory_of(pid: int) -> int:
    """Give a process's share of memory; pages that several have are shared among them."""
    try:
        with open(f"/proc/{pid}/smaps_rollup", "rb") as file:
            return sum(int(line.split()[1]) << 10 for line in file if line.startswith(b"Pss:"))
    except (OSError, ValueError):
        return 0


def memory_kills() -> int:
    """Tell how many processes the kernel of this machine has killed for want of memory; 0 where it does not say."""
    with suppress(OSError, ValueError), open("/proc/vmstat") as file:
        return next((int(line.split()[1]) for line in file if line.startswith("oom_kill ")), 0)
    return 0


def descendants() -> list[int]:
    """List all processes that come from this one, whatever sessions they have made."""
    children: dict[int, list[int]] = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            with suppress(OSError), open(f"/proc/{name}/stat", "rb") as file:
                parent = int(file.read().rpartition(b")")[2].split()[1])
                children.setdefault(parent, []).append(int(name))
    found, parents = list[int](), [os.getpid()]
    while parents:
        for child in children.get(parents.pop(), ()):
            found.append(child)
            parents.append(child)
    return found


def kill(pids: list[int]) -> None:
    """Stop all before any is killed, so that none starts others meanwhile."""
    for number in (signal.SIGSTOP, signal.SIGKILL):
        for pid in pids:
            with suppress(OSError):
                os.kill(pid, number)


def sweep() -> None:
    """End what is left of the job; who forks on is met again."""
    pause_s = 0.001
    while reap():
        kill(descendants())
        time.sleep(pause_s)
        pause_s = min(1.0, 2 * pause_s)


def reap(but: int = 0) -> bool:
    """Take notice of orphans that have ended; tell whether children are left."""
    while True:
        try:
            found = os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        except ChildProcessError:
            return False
        if found is None or found.si_pid == but:
            return True
        os.waitpid(found.si_pid, 0)
