"""Jobs of our own store as batch jobs: the script that is handed to sbatch, and what a run is told when it starts."""

import os
import shlex
from collections.abc import Mapping
from pathlib import Path

from schedmate.history.live_rows import LiveRow

NAME_BYTES = 64


def token_of(identity: str, number: int) -> str:
    """Sign a job of ours, so that one handed in by a loop that was killed is known again."""
    return f"schedmate:{identity}:{number}"


def script_of(row: LiveRow, told: Path) -> bytes:
    """Write the batch script: the environment that the user had, what the run is told, the command."""
    kept = "\n".join(
        f"export {name}={shlex.quote(value)}" for name, value in row.environment.items() if name.isidentifier()
    )
    lines = [
        "#!/bin/sh",
        kept,
        f"export SCHEDMATE_JOB_ID={row.id} SCHEDMATE_RUN=$((${{SLURM_RESTART_COUNT:-0}} + 1))",
        f"if [ -r {shlex.quote(str(told))} ]; then . {shlex.quote(str(told))}; fi",
        f"exec {shlex.join(row.command)}",
    ]
    return ("\n".join(lines) + "\n").encode()


def options_of(row: LiveRow, token: str, log: Path, partition: str, is_held: bool) -> list[str]:
    """Give sbatch's options; settings of the caller's environment do not reach the job."""
    wants = (
        ["--gres=shard:1"] if row.share < 1 else [f"--gpus={row.slots}"] if row.kind != "cpu" else [f"-n{row.slots}"]
    )
    return [
        "--parsable", "--export=NIL", "--requeue", "--open-mode=append", f"--comment={token}", f"--chdir={row.workdir}",
        f"--job-name={row.name[:NAME_BYTES] or 'job'}", f"--output={log}", *wants,
        *([f"--mem={int(row.memory_gib * 1024)}M"] if row.memory_gib else []),
        *([f"--cpus-per-task={row.cpus}"] if row.cpus else []),
        *([f"--partition={partition}"] if partition else []),
        *(["--hold"] if is_held else []),
    ]  # fmt: skip


def tell_run(path: Path, words: Mapping[str, str]) -> None:
    """Leave for a run what it is told; it reads this when it begins. Slurm itself numbers the GPUs."""
    path.parent.mkdir(parents=True, exist_ok=True)
    text = "".join(
        f"export {name}={shlex.quote(value)}\n" for name, value in words.items() if name != "CUDA_VISIBLE_DEVICES"
    )
    fresh = path.with_suffix(".new")
    fresh.write_text(text)
    os.replace(fresh, path)
