"""Jobs of our own store as batch jobs: the script that is handed to sbatch, and what a run is told when it starts."""

import json
import os
import shlex
from collections.abc import Mapping
from pathlib import Path

from schedmate.clusters.managed import Refused, Unreachable
from schedmate.clusters.slurm.accounting_export import stamp
from schedmate.clusters.slurm.books import Books
from schedmate.clusters.slurm.ledger import SLACK_S
from schedmate.clusters.slurm.records import JobRecord
from schedmate.history.database import identity
from schedmate.history.live_rows import LiveRow

NAME_BYTES = 64

TRIED = "slurm handing in"
"""Fact of the store: rows that sbatch was asked about, and when; those whose answer never came are looked for."""
DOUBT_S = 15.0
"""A job whose handing in had no answer is not handed in anew before: the controller may still be taking it in."""


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

    def hand_over(self, found: Mapping[str, JobRecord]) -> bool:
        """Hand in what waits in the store and has no name of Slurm's yet; tell whether that was all."""
        known = {one.comment: one.name for one in found.values() if one.comment and one.uid == os.geteuid()}
        tried: dict[str, float] = json.loads(self.store.fact(TRIED) or "{}")
        rows = [row for row in self.store.jobs(("pending",)) if not row.engine_id]
        is_all = True
        if rows:  # sbatch may not answer
            self.books.soon()
        for row in rows:
            token = token_of(self.identity, row.id)
            name = known.get(token, "")
            if not name and str(row.id) in tried:
                name, may_try = self.ask_again(token, tried[str(row.id)])
                if not name and not may_try:
                    is_all = False
                    continue
            try:
                name = name or self.sbatch(row, token, tried)
            except Unreachable as error:
                self.books.odd.append(f"job {row.id}: {error.message}: it is looked for before it is handed in anew")
                return False
            if not name:
                continue
            tried.pop(str(row.id), None)
            self.store.update(row.id, engine_id=name)
            self.books.hold_row(self.store.job(row.id))
            self.books.submitted(row.id)
        if rows:
            waits = {str(row.id) for row in rows}  # others were cancelled meanwhile
            self.store.set_fact(TRIED, json.dumps({number: at_s for number, at_s in tried.items() if number in waits}))
        return is_all

    def ask_again(self, token: str, tried_s: float) -> tuple[str, bool]:
        """Look for a job that was handed in without an answer: its name, or whether it may be handed in anew.

        A controller that was slow may take a job in after it has answered others; and a job that has come and gone is
        known to the accounting alone, by the line that handed it in.
        """
        if self.books.now_s() - tried_s < DOUBT_S:
            return "", False
        asked = ("-X", "-n", f"--starttime={stamp(tried_s - SLACK_S)}", f"--uid={os.geteuid()}")
        try:
            rows = self.books.commands.table("sacct", ("JobID", "SubmitLine"), *asked, letters=True)
        except Unreachable:
            return "", False
        except Refused:  # there is no accounting, or one from before SubmitLine
            return "", True
        return next((name for name, line in rows if f"--comment={token} " in f"{line} "), ""), True

    def sbatch(self, row: LiveRow, token: str, tried: dict[str, float]) -> str:
        """Hand in a job of ours, having written down that we try; empty where Slurm will not have it."""
        books = self.books
        tried[str(row.id)] = books.now_s()
        self.store.set_fact(TRIED, json.dumps(tried))
        told = books.told_of(row.id)
        told.parent.mkdir(parents=True, exist_ok=True)
        options = options_of(row, token, books.log_of(row.id), self.partition, books.gone_s if books.can.place else 0.0)
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


def options_of(row: LiveRow, token: str, log: Path, partition: str, gone_s: float) -> list[str]:
    """Give sbatch's options; settings of the caller's environment do not reach the job.

    What we place has a time before which Slurm lets it be.
    """
    wants = (
        ["--gres=shard:1"] if row.share < 1 else [f"--gpus={row.slots}"] if row.kind != "cpu" else [f"-n{row.slots}"]
    )
    return [
        "--parsable", "--export=NIL", "--requeue", "--open-mode=append", f"--comment={token}", f"--chdir={row.workdir}",
        f"--job-name={row.name[:NAME_BYTES] or 'job'}", f"--output={log}", *wants,
        *([f"--mem={int(row.memory_gib * 1024)}M"] if row.memory_gib else []),
        *([f"--cpus-per-task={row.cpus}"] if row.cpus else []),
        *([f"--partition={partition}"] if partition else []),
        *([f"--begin=now+{gone_s:.0f}"] if gone_s else []),
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
