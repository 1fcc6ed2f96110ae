"""Start a case under its launcher, with its output going to one file as on a cluster."""

import os
import subprocess
from pathlib import Path

from evals.broken_runs.case import SMALL_DISK, Case, python


def command(case: Case) -> list[str]:
    """Give the launcher's command."""
    program = case.program()
    if case.launcher == "torchrun":
        return [python(), "-m", "torch.distributed.run", "--standalone", f"--nproc-per-node={case.ranks}", *program]
    if case.launcher == "mpirun":
        tag = ["--tag-output"] if case.victim % 2 else []
        return ["mpirun", "--oversubscribe", *tag, "-np", str(case.ranks), python(), *program]
    if case.launcher.startswith("srun"):
        label = ["-l"] if case.launcher == "srun -l" else []
        return ["srun", *label, "-n", str(case.ranks), "-N", "2", "--overcommit", python(), *program]
    if case.launcher == "ray":
        return [python(), "-m", "evals.broken_runs.ray_driver", str(case.ranks), *program[2:]]
    raise ValueError(case.launcher)


def confined(case: Case, inner: list[str]) -> list[str]:
    """Give a job that fills a disk or shared memory a small one of its own, in a mount namespace of its own."""
    small = case.folder / "small"
    mounts = ""
    if case.fault in SMALL_DISK:
        small.mkdir(exist_ok=True)
        mounts = f"mount -t tmpfs -o size=4m small {small}; "
    if case.fault == "shm_full":
        mounts = "mount -t tmpfs -o size=3m shm /dev/shm; "
    return ["unshare", "--mount", "sh", "-c", f'{mounts}exec "$@"', "sh", *inner] if mounts else inner


def start(case: Case) -> subprocess.Popen[bytes]:
    """Start the job in a session of its own."""
    with case.log.open("ab") as log:
        if case.fault in {"time_limit", "cancel", "preempt"}:
            return subprocess.Popen(batch(case), stdout=log, stderr=log, env=case.environment(), start_new_session=True)
        return subprocess.Popen(
            confined(case, command(case)),
            stdout=log,
            stderr=log,
            env=case.environment(),
            start_new_session=True,
            cwd="/",
        )


def batch(case: Case) -> list[str]:
    """Write a batch script that runs the job as its step, and give the command that submits it and waits."""
    script = case.folder / "job.sh"
    script.write_text("#!/bin/sh\n" + " ".join(command(case)) + "\n")
    limit = ["-t", "1"] if case.fault == "time_limit" else ["-t", "9"]
    return [
        "sbatch",
        "--wait",
        "-Q",
        *limit,
        "-J",
        case.name,
        "-N",
        "2",
        "--ntasks",
        str(case.ranks),
        "--overcommit",
        "-o",
        str(case.log),
        "--open-mode=append",
        str(script),
    ]


def pids_of(case: Case, rank: int) -> list[int]:
    """Give step, pid and workers that a rank has noted."""
    note = case.folder / f"rank_{rank}"
    return [int(word) for word in note.read_text().split()] if note.exists() else []


def children(pid: int) -> list[int]:
    """Give all processes below one."""
    found: list[int] = []
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            direct = [int(word) for word in task.read_text().split()]
        except OSError:
            continue
        for child in direct:
            found += [child, *children(child)]
    return found


def end(process: subprocess.Popen[bytes], signal: int) -> None:
    """End what is left of a job: its launcher and all below it."""
    for pid in [process.pid, *children(process.pid)]:
        try:
            os.kill(pid, signal)
        except ProcessLookupError:
            continue
