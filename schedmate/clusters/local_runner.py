"""Run one job to its end and write down how it ended; a process of its own, so that jobs outlive the loop.

It is started as a plain file with nothing but the standard library, once for a folder that holds `spec`. However often
it is started, and however it is killed, the job in that folder is started once at most:

- `lock` is held by this process and by the job; who cannot have it leaves,
- `began` is written before the job starts; who finds it leaves,
- `stop`, made by the loop, keeps the job from starting, and tells afterwards that it was asked to stop,
- `exit` tells how it ended. Its blocks are reserved before the job starts, so that a full disk cannot swallow it.
"""

import fcntl
import json
import os
import signal
import sys
import time
from contextlib import suppress
from typing import Any

LOCK_WAIT_S = 2.0
"""Whoever looks whether the lock is held has it for a moment."""
EXIT_BYTES = 512
NOT_STARTED = 127


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


def write_whole(path: str, record: dict[str, Any], through: bool = True) -> None:
    """Write a file that is either absent or whole; `through` to the disk, so that it outlasts a loss of power too."""
    part = f"{path}.part{os.getpid()}"
    with open(part, "w") as file:
        json.dump(record, file)
        file.flush()
        if through:
            os.fsync(file.fileno())
    os.rename(part, path)


def take_lock(path: str) -> int | None:
    """Take the folder; None when another runner has it."""
    lock = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
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


def become_job(folder: str, spec: dict[str, Any]) -> None:
    """Turn this forked process into the job; never returns."""
    try:
        os.setsid()
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGPIPE):
            signal.signal(number, signal.SIG_DFL)
        pid = os.getpid()
        write_whole(f"{folder}/job", {"pid": pid, "ticks": start_ticks(pid)})
        log = os.open(spec["log"], os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.dup2(log, 1)
        os.dup2(log, 2)
        try:
            os.chdir(spec["workdir"])
            os.execvpe(spec["command"][0], spec["command"], spec["environment"])
        except (OSError, ValueError) as error:
            os.write(2, f"schedmate: the job could not be started: {error}\n".encode(errors="replace"))
    finally:
        os._exit(NOT_STARTED)


def wait_for(child: int) -> int:
    """Wait for the job and take down what it leaves behind; the zombie keeps its group's number from being reused."""
    os.waitid(os.P_PID, child, os.WEXITED | os.WNOWAIT)
    with suppress(OSError):
        os.killpg(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status)


def write_exit(folder: str, record: dict[str, Any]) -> None:
    """Fill in the reserved blocks and give them their name; try until it can be done."""
    text = json.dumps(record).ljust(EXIT_BYTES).encode()
    while True:
        try:
            reserved = os.open(f"{folder}/exit.part", os.O_WRONLY | os.O_CREAT, 0o644)
            try:
                os.pwrite(reserved, text, 0)
                os.fsync(reserved)
            finally:
                os.close(reserved)
            os.rename(f"{folder}/exit.part", f"{folder}/exit")
            return
        except FileNotFoundError:
            return
        except OSError:
            time.sleep(1.0)


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
    began_s, clock_s = time.time(), time.monotonic()
    with open(f"{folder}/exit.part", "w") as file:
        file.write(" " * EXIT_BYTES)
        file.flush()
        os.fsync(file.fileno())
    record = {"pid": os.getpid(), "ticks": start_ticks(os.getpid()), "boot": boot_id(), "began_s": began_s}
    write_whole(f"{folder}/began", record)
    code = 0
    if not os.path.exists(f"{folder}/stop"):
        child = os.fork()
        if not child:
            become_job(folder, spec)
        code = wait_for(child)
    ran_s = time.monotonic() - clock_s
    stopped = os.path.exists(f"{folder}/stop")
    write_exit(folder, {"code": code, "stopped": stopped, "ran_s": ran_s, "ended_s": time.time()})
    wake(spec["wake"], spec["name"])


def main() -> None:
    """Run in the folder that the one argument names; signals to the loop's group are not for us."""
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    run(sys.argv[1])


if __name__ == "__main__":
    main()
