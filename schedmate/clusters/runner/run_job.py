"""Run one job to its end and write down how it ended; a process of its own, so that jobs outlive the loop.

It is started as a plain file with nothing but the standard library, once for a folder that holds `spec`. However often
it is started, and however it is killed, the job in that folder is started once at most:

- `lock` is held by this process and by the job; who cannot have it leaves,
- `began` is written before the job starts; who finds it leaves,
- `stop`, made by the loop, keeps the job from starting, and tells afterwards that it was asked to stop,
- the processes that the job leaves behind become this one's, whatever sessions they made, and end with the job,
- `exit` tells how it ended. Its blocks are reserved before the job starts, so that a full disk cannot swallow it.
"""

import fcntl
import json
import os
import select
import signal
import sys
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any

LOCK_WAIT_S = 2.0
"""Whoever looks whether the lock is held has it for a moment."""
NOT_STARTED = 127
MEMORY_BROKEN = "it took more memory than its limit: the kernel ended a part of it"
MEMORY_SHORT = "it was killed while the kernel killed processes for want of memory"
KILLED = (-signal.SIGKILL, 128 + signal.SIGKILL)

DIES_FIRST = 500
"""Of 1000, where 0 is what every process has."""
WATCH_S = 5.0
"""How often a job is looked at for its limits."""


def beside(name: str) -> Any:  # Any: a module
    """Load a file that lies beside this one, which Python's own path does not name."""
    from importlib.util import module_from_spec, spec_from_file_location

    found = spec_from_file_location(name, os.path.join(os.path.dirname(os.path.abspath(__file__)), f"{name}.py"))
    assert found is not None
    assert found.loader is not None
    module = module_from_spec(found)
    found.loader.exec_module(module)
    return module


if TYPE_CHECKING:
    from schedmate.clusters.runner import processes, records
else:
    records, processes = beside("records"), beside("processes")
Record = records.Record


def take_lock(path: str) -> int | None:
    """Take the folder; None when another runner has it."""
    lock = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
    os.set_inheritable(lock, True)
    deadline = time.monotonic() + LOCK_WAIT_S
    while True:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return lock
        except OSError:
            if time.monotonic() > deadline:
                return None
            time.sleep(0.02)


def become_job(folder: str, spec: Record, wall: str, group: str) -> None:
    """Turn this forked process into the job; never returns."""
    try:
        os.setsid()
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGPIPE, signal.SIGXFSZ):
            signal.signal(number, signal.SIG_DFL)
        pid, who = os.getpid(), spec.get("runs_as")
        unlocked, environment = "", spec["environment"]
        if who and spec.get("gpus") is not None:
            gpus = beside("gpus")
            unlocked = gpus.lock(spec["gpus"], group, f"{folder}/closed")
            environment = environment if unlocked else gpus.numbered_anew(environment)
        record = {"pid": pid, "ticks": processes.start_ticks(pid), "wall": wall, "group": group, "unlocked": unlocked}
        records.write_whole(f"{folder}/job", record)
        log = open_log(spec["log"], who)
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.dup2(log, 1)
        os.dup2(log, 2)
        if unlocked:
            os.write(2, f"schedmate: {unlocked}\n".encode(errors="replace"))
        try:
            die_first()
            keep_to_processors(spec.get("limits", {}).get("cpus", 0), pid)
            if group and not beside("cgroup").enter(group):
                raise OSError(f"it could not be put into {group}")
            if who:
                leave_root(who)
            os.chdir(spec["workdir"])
            os.execvpe(spec["command"][0], spec["command"], environment)
        except Exception as error:  # whatever it is: nothing may go on that is not what it was to become
            reason = f"schedmate: the job could not be started: {why_not(error, spec)}\n"
            os.write(2, reason.encode(errors="replace"))
    finally:
        os._exit(NOT_STARTED)


def why_not(error: Exception, spec: Record) -> str:
    """Say what kept a job from starting; Python names the last folder of PATH where a program was looked for."""
    import shutil

    program = spec["command"][0]
    found = shutil.which(program, path=spec["environment"].get("PATH", os.defpath))
    lacks = isinstance(error, FileNotFoundError) and os.path.isdir(spec["workdir"]) and found is None
    return f"{program}: command not found" if lacks else str(error)


def open_log(path: str, who: Record | None, flags: int = os.O_WRONLY | os.O_APPEND | os.O_NOFOLLOW) -> int:
    """Open the log; where the job is another account's its log is, too, and never one that was there before."""
    if not who:
        return os.open(path, flags | os.O_CREAT, 0o600)
    try:
        log = os.open(path, flags | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        os.rename(path, f"{path}.{time.time_ns()}")
        log = os.open(path, flags | os.O_CREAT | os.O_EXCL, 0o600)
    os.fchown(log, int(who["uid"]), int(who["gid"]))
    return log


def leave_root(who: Record) -> None:
    """Keep nothing of ours open, and become the account that the job belongs to."""
    account = beside("account")
    for name in os.listdir("/proc/self/fd"):
        if int(name) > 2:
            with suppress(OSError):
                os.close(int(name))
    account.become(who)


def die_first() -> None:
    """Let the kernel, where the whole machine is short of memory, end a job before it ends the loop."""
    with suppress(OSError), open("/proc/self/oom_score_adj", "r+") as file:
        if int(file.read()) < DIES_FIRST:
            file.write(f"{DIES_FIRST}")


def keep_to_processors(count: int, start: int) -> None:
    """Let the job run on so many processors; which ones differs from job to job."""
    there = sorted(os.sched_getaffinity(0))
    if 0 < count < len(there):
        os.sched_setaffinity(0, {there[(start + number) % len(there)] for number in range(count)})


def make_group(spec: Record) -> str:
    """Make a control group for the job; empty where there are none to be had."""
    limits, name = spec.get("limits", {}), spec.get("name", "").replace("/", "-")
    cgroup = beside("cgroup")
    base = spec["groups"] if "groups" in spec else cgroup.own_place()
    if os.path.isdir(leaf := f"{base}/{cgroup.LEAF}"):
        cgroup.enter(leaf)  # out of the loop's own: whatever ends all that is in there leaves runs alone
    made: str = cgroup.make(
        base, f"{spec.get('store', '')}-{name}-{os.getpid()}", limits.get("memory_bytes", 0), limits.get("cpus", 0)
    )
    return made


def wait_for(child: int, spec: Record, group: str) -> tuple[int, str]:
    """Wait for the job and end all that it leaves; give its status, and the limit that it broke, if any."""
    limit, kills = watch(child, spec)
    os.waitid(os.P_PID, child, os.WEXITED | os.WNOWAIT)
    with suppress(OSError):
        os.killpg(child, signal.SIGKILL)  # its zombie keeps the group's number from being reused
    _, status = os.waitpid(child, 0)
    if group:
        cgroup = beside("cgroup")
        if not limit and status and cgroup.was_short_of_memory(group):
            limit = MEMORY_BROKEN
            tell_owner(spec["log"], limit, spec.get("runs_as"))
        cgroup.end(group)
    code = os.waitstatus_to_exitcode(status)
    if not limit and code in KILLED and processes.memory_kills() > kills:
        limit = MEMORY_SHORT
        tell_owner(spec["log"], limit, spec.get("runs_as"))
    processes.sweep()
    return code, limit


def watch(child: int, spec: Record) -> tuple[str, int]:
    """Look at what the job takes until it ends, and end it should that be too much; say what was.

    Also gives how many processes the kernel had killed for want of memory when it was last looked.
    """
    kills = processes.memory_kills()
    try:
        ended = os.pidfd_open(child)
    except OSError:
        return "", kills
    poll = select.poll()
    poll.register(ended, select.POLLIN)
    keeper = keeper_to_follow()
    if keeper is not None:
        poll.register(keeper, select.POLLIN)
    try:
        while not (spoke := poll.poll(1000 * spec.get("limits", {}).get("every_s", WATCH_S))):
            processes.reap(but=child)
            kills = processes.memory_kills()
            if words := broken_limit(spec):
                processes.kill(processes.descendants())
                tell_owner(spec["log"], words, spec.get("runs_as"))
                return words, kills
        if keeper is not None and ended not in dict(spoke):
            if processes.memory_kills() > kills:
                records.write_whole(f"{sys.argv[1]}/lost", {"why": MEMORY_SHORT})
            follow_keeper()
    finally:
        os.close(ended)
    return "", kills


def keeper_to_follow() -> int | None:
    """Give what tells of the end of the process that the job is not to outlive, named by its number and its start."""
    if len(sys.argv) < 4:
        return None
    pid, ticks = int(sys.argv[2]), int(sys.argv[3])
    try:
        found = os.pidfd_open(pid)
    except OSError:
        found = -1
    if found < 0 or processes.start_ticks(pid) != ticks:
        follow_keeper()
    return found


def follow_keeper() -> None:
    """End the job and say nothing of that: whoever looks finds a run that has vanished. Never returns."""
    while processes.reap():
        processes.kill(processes.descendants())
        time.sleep(0.01)
    os._exit(1)


def broken_limit(spec: Record) -> str:
    """Say which limit is broken; empty when none is."""
    limits = spec.get("limits", {})
    with suppress(OSError):
        size, most = os.stat(spec["log"]).st_size, limits.get("log_bytes", 0)
        if 0 < most < size:
            return f"its log has {size >> 20} MiB, {most >> 20} MiB are the limit"
    most = limits.get("memory_bytes", 0)
    if most:
        taken = sum(map(processes.memory_of, processes.descendants()))
        if taken > most:
            return f"it took {taken >> 20} MiB of memory, {most >> 20} MiB are its limit"
    return ""


def tell_owner(path: str, limit: str, who: Record | None) -> None:
    """Write a line into the job's log on its end, or into a new one; a pipe or a link that lies there is left alone."""
    words = f"\nschedmate: the job was ended: {limit}\n"
    flags = os.O_WRONLY | os.O_APPEND | os.O_NOFOLLOW | os.O_NONBLOCK
    with suppress(OSError):
        log = os.open(path, flags) if os.path.lexists(path) else open_log(path, who, flags)
        os.write(log, words.encode(errors="replace"))
        os.close(log)


def wake(fifo: str, name: str) -> None:
    """Tell the loop, if there is one, that something has ended."""
    with suppress(OSError):
        pipe = os.open(fifo, os.O_WRONLY | os.O_NONBLOCK)
        os.write(pipe, f"{name}\n".encode())
        os.close(pipe)


def run(folder: str) -> None:
    """Run the folder's job, if nobody has."""
    if take_lock(f"{folder}/lock") is None or os.path.exists(f"{folder}/began"):
        return
    with open(f"{folder}/spec") as file:
        spec = json.load(file)
        os.fsync(file.fileno())  # whose folder this is has to outlast what happens in it
    began_s, clock_s = time.time(), time.monotonic()
    with open(f"{folder}/exit.part", "w") as file:
        file.write(" " * records.EXIT_BYTES)
        file.flush()
        os.fsync(file.fileno())
    me = os.getpid()
    record = {"pid": me, "ticks": processes.start_ticks(me), "boot": processes.boot_id(), "began_s": began_s}
    records.write_whole(f"{folder}/began", record)
    code, limit, wall = 0, "", processes.adopt_orphans()
    if not os.path.exists(f"{folder}/stop"):
        group = make_group(spec)
        child = os.fork()
        if not child:
            become_job(folder, spec, "control group" if group else wall, group)
        code, limit = wait_for(child, spec, group)
    ran_s = time.monotonic() - clock_s
    stopped = os.path.exists(f"{folder}/stop")
    records.write_exit(
        folder, {"code": code, "stopped": stopped, "ran_s": ran_s, "ended_s": time.time(), "limit": limit}
    )
    wake(spec["wake"], spec["name"])


def main() -> None:
    """Run in the folder that the first argument names; signals to the loop's group are not for us.

    Two more name a process, by its number and its start, that the job is not to outlive.
    """
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    run(sys.argv[1])


if __name__ == "__main__":
    main()
