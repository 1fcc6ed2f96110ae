"""The injector: waits until the victim has come far enough, and then does it."""

import os
import signal
import subprocess
import time
from collections.abc import Callable

from evals.broken_runs.case import Case
from evals.broken_runs.launch import children, pids_of
from evals.broken_runs.truths import SIGNALS

PATIENCE_S = 200

SECOND_CTRL_C_S = 0.3
"""srun asks for a second one within a second, and goes on after one alone."""


def wait_for_step(case: Case, rank: int, process: subprocess.Popen[bytes]) -> bool:
    """Wait until a rank has reached the step at which it is to be broken."""
    limit = time.monotonic() + PATIENCE_S
    while time.monotonic() < limit and process.poll() is None:
        noted = pids_of(case, rank)
        if noted and noted[0] >= (8 if case.fault in SCHEDULER else case.at):
            return True
        time.sleep(0.02)
    return False


def send(pid: int, number: int) -> None:
    os.kill(pid, number)


def strike(case: Case, process: subprocess.Popen[bytes]) -> None:
    """Do to the job what its fault says, once it is under way."""
    if not wait_for_step(case, case.victim, process):
        return
    role, _, name = case.fault.partition("_")
    noted = pids_of(case, case.victim)
    if case.fault == "stopped_rank":
        send(noted[1], signal.SIGSTOP)
    elif role == "rank":
        send(noted[1], SIGNALS[name])
    elif role == "loader" and name in SIGNALS:
        send(noted[2], SIGNALS[name])
    elif role == "launcher":
        send(launcher_pid(process.pid), SIGNALS[name])
        if name == "INT" and case.launcher.startswith("srun"):
            time.sleep(SECOND_CTRL_C_S)
            send(launcher_pid(process.pid), SIGNALS[name])
    elif case.fault in SCHEDULER:
        SCHEDULER[case.fault](case)


def launcher_pid(pid: int) -> int:
    """Find the launcher itself: the process that was started, which may have an own shell before it."""
    with open(f"/proc/{pid}/comm") as file:
        return children(pid)[0] if file.read().strip() == "sh" else pid


def scancel(case: Case) -> None:
    subprocess.run(["scancel", "--name", case.name], check=False)


def preempt(case: Case) -> None:
    """Send an urgent job that needs all nodes."""
    subprocess.run(
        ["sbatch", "-Q", "-p", "urgent", "-N", "2", "--exclusive", "-t", "1", "-o", "/dev/null", "--wrap", "sleep 1"],
        check=False,
    )


SCHEDULER: dict[str, Callable[[Case], None]] = {"cancel": scancel, "preempt": preempt}
