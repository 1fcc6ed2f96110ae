"""Jobs of our own store as batch jobs: the script that is handed to sbatch, and what a run is told when it starts."""

import os
import shlex
from collections.abc import Mapping
from pathlib import Path

from schedmate.clusters.managed import Refused
from schedmate.clusters.slurm.books import Books
from schedmate.clusters.slurm.records import JobRecord
from schedmate.history.database import identity
from schedmate.history.live_rows import LiveRow

NAME_BYTES = 64


class Handing:
    """Gives Slurm what others have put into the store; a sign in each job's comment tells what it was given before."""

    def __init__(self, books: Books, partition: str) -> None:
        self.books = books
        self.store = books.store
        self.partition = partition
        self.identity = identity(books.store.connection)[:12]
        self.sign = token_of(self.identity, 0).rstrip("0")

    def are_unknown(self, found: Mapping[str, JobRecord]) -> bool:
        """Tell whether one of ours is there without our knowing: sbatch did not answer in time."""
        names = self.books.names
        return any(name not in names and one.comment.startswith(self.sign) for name, one in found.items())

    def hand_over(self, found: Mapping[str, JobRecord]) -> None:
        """Hand in what waits in the store and has no name of Slurm's yet."""
        known = {one.comment: one.name for one in found.values() if one.comment and one.uid == os.geteuid()}
        for row in self.store.jobs(("pending",)):
            if row.engine_id:
                continue
            token = token_of(self.identity, row.id)
            name = known.get(token) or self.sbatch(row, token)
            if not name:
                continue
            self.store.update(row.id, engine_id=name)
            self.books.names[name] = row.id
            self.books.submitted(row.id)
            self.books.soon()

    def sbatch(self, row: LiveRow, token: str) -> str:
        """Hand in a job of ours; empty where Slurm will not have it."""
        books = self.books
        told = books.told_of(row.id)
        told.parent.mkdir(parents=True, exist_ok=True)
        options = options_of(row, token, books.log_of(row.id), self.partition, books.can.place)
        try:
            return books.commands.run("sbatch", *options, told=script_of(row, told)).strip().split(";")[0]
        except Refused as error:
            self.store.update(row.id, state="failed", reason=error.message, end_s=books.now_s())
            books.odd.append(f"job {row.id} was not taken: {error.message}")
            return ""


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
