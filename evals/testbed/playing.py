"""Play one scheduler for real: raylets up, users at work, the loop turning, and what became of each job."""

import json
import shutil
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean
from typing import Any

import schedmate
from evals.testbed.arms import Arm, TestbedService, at_pace
from evals.testbed.engine import raylets
from evals.testbed.machine import Machine
from evals.testbed.notes import Notes
from evals.testbed.users import Users
from evals.testbed.workload import Task, Workload
from schedmate.clusters import LiveJob
from schedmate.errors import SchedMateError
from schedmate.history.jobs import add_jobs
from schedmate.history.live import LiveStore
from schedmate.history.live_rows import RunRow
from schedmate.scheduling.live.presence import presence
from schedmate.schemas import Hardware, PastJob
from schedmate.schemas import Workload as Read

LIMIT_S = 2400.0

AGE_S = 3600.0
"""How long ago the last of the past jobs has ended."""


@dataclass(frozen=True)
class Ended:
    """What became of one job, in seconds here."""

    number: int
    submit_s: float
    end_s: float
    ran_s: float
    """On GPUs, all runs but the profiler's."""
    profiled_s: float
    profiled_gpus: int
    runs: int
    state: str
    believed_s: float
    recovery_s: float | None
    """From the end by a fault to the next run's start."""
    released: int
    """How often a person had to let it go on."""
    start_s: float = 0.0
    """What its runs held their GPUs beyond their steps, on average."""
    queued_s: float | None = None
    """From the end by a fault until it stood in the queue again."""

    @property
    def jct_s(self) -> float:
        """Give the time from submission to the end."""
        return self.end_s - self.submit_s


@dataclass(frozen=True)
class Played:
    """One scheduler's run."""

    arm: str
    jobs: Sequence[Ended]
    evicted: int
    displaced: int
    overhead_s: float
    """What a run holds its GPUs beyond its steps: the mean of Ray's start and of its end."""
    machine: dict[str, float] = field(default_factory=dict)
    """How busy the machine was, and how late steps came."""


def play(name: str, arm: Arm, workload: Workload, folder: Path, say: Callable[[str], None]) -> Played:
    """Play one scheduler from the first submission to the last end."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    users = Users(arm, workload, folder)
    users.prepare()
    remember(users, workload.past)
    with raylets() as address, at_pace(), presence(folder / "data"), Machine() as machine:
        service = TestbedService(arm, address, folder / "data", say)
        notes = Notes(service, users)
        service.loop.observers.append(notes)
        for task in workload.past:
            if not task.bug:
                service.estimates.learn(past_live(task), task.work_s, "completed")
        users.start()
        limit_s = time.monotonic() + LIMIT_S
        try:
            while not users.is_over.is_set():
                service.turn()
                if time.monotonic() > limit_s:
                    raise SchedMateError(f"{arm.title} was not done within {LIMIT_S:g} s", f"look at {folder}")
                if not users.is_alive() and not users.is_over.is_set():
                    raise SchedMateError("the users' thread has died")
            return gather(name, workload, users, notes, service.store, machine)
        finally:
            users.is_over.set()
            service.close()


def past_live(task: Task) -> LiveJob:
    """Say of a past job what the baseline's predictor groups by."""
    return LiveJob(0, "", task.gpus, 0.0, task.user, task.name)


def remember(users: Users, past: Sequence[Task]) -> None:
    """Fill the history with the jobs that ended before; what their code says is read once a program."""
    store, now_s = LiveStore(users.folder / "data"), time.time()
    read: dict[tuple[object, ...], Read] = {}
    jobs = []
    for task in past:
        key = task.program.key
        job = users.noun(task)
        if key not in read:
            workdir = users.workdir(next((one for one in users.workload.tasks if one.program.key == key), task))
            if not (workdir / "train.py").exists():
                continue
            read[key] = schedmate.extract(workdir, command=job.command).workload
        begin_s = now_s - AGE_S - (-task.submit_s)
        told = {"job_id": f"past{-task.number}", "submit_s": begin_s, "start_s": begin_s}
        told |= {"end_s": begin_s + task.work_s, "status": "failed" if task.bug else "completed"}
        hardware = Hardware(gpu_util=task.program.gpu_util / 100, gpu_memory_gib=task.program.gpu_memory_mib / 1024)
        jobs.append(PastJob(job=job.model_copy(update=told), workload=read[key], hardware=hardware))
    add_jobs(store.connection, jobs)
    store.close()


def gather(name: str, workload: Workload, users: Users, notes: Notes, store: LiveStore, machine: Machine) -> Played:
    """Read what became of each job from the store and from what the programs wrote down."""
    told = {path.stem: json.loads(path.read_text()) for path in (users.folder / "notes").glob("*.json")}
    jobs, overheads = list[Ended](), list[float]()
    for task in workload.tasks:
        main, first = users.jobs.get(task.number), users.profiles.get(task.number)
        runs = [] if main is None else store.runs(main)
        looks = [] if first is None else store.runs(first)
        mine = [beyond for run in runs or looks if (beyond := beyond_steps(run, told)) is not None]
        overheads += mine
        last = (runs or looks)[-1]
        struck = next((k for k, run in enumerate(runs[:-1]) if run.outcome == "failed"), None) if task.fault else None
        jobs.append(
            Ended(
                number=task.number,
                submit_s=users.submit_s[task.number],
                end_s=last.ended_s or 0.0,
                ran_s=sum((run.ended_s or 0.0) - run.intended_s for run in runs or looks),
                profiled_s=sum((run.ended_s or 0.0) - run.intended_s for run in looks),
                profiled_gpus=task.gpus if looks else 0,
                runs=len(runs),
                state=store.job(last.job).state,
                believed_s=notes.believed_s.get(main or 0, task.work_s),
                recovery_s=None if struck is None else runs[struck + 1].intended_s - (runs[struck].ended_s or 0.0),
                released=users.released.get(task.number, 0),
                start_s=fmean(mine) if mine else 0.0,
                queued_s=None if struck is None or main is None else queued_again_s(store, main, runs[struck]),
            )
        )
    steps = sum(note.get("steps", 0) for note in told.values())
    late = {
        "step_late_ms": 1000 * sum(note["late_s"] for note in told.values()) / max(steps, 1),
        "step_latest_s": max((note["latest_s"] for note in told.values()), default=0.0),
        "steps": float(steps),
    }
    return Played(name, jobs, notes.evicted, notes.displaced, fmean(overheads), machine.told() | late)


def queued_again_s(store: LiveStore, job: int, run: RunRow) -> float | None:
    """Give how long after a run's end its job stood in the queue again: by a restart, or by a person's word."""
    ended_s = run.ended_s or 0.0
    restarts = [row.id for row in store.actions(job=job) if row.run == run.run and row.kind == "restart"]
    moments = [entry.at_s for number in restarts for entry in store.trail(number) if entry.event == "done"]
    asked = "SELECT done_s FROM live_requests WHERE kind = 'release' AND target = ? AND done_s >= ?"
    moments += [row["done_s"] for row in store.connection.execute(asked, (job, ended_s))]
    return min(moments) - ended_s if moments else None


def beyond_steps(run: RunRow, told: dict[str, dict[str, Any]]) -> float | None:
    """Give how long a run held its GPUs before its first step and after its last; None for one that made none."""
    note = told.get(f"{run.job}.{run.run}")
    if note is None or run.ended_s is None or "first_s" not in note:
        return None
    return run.ended_s - run.intended_s - float(note["last_s"] - note["first_s"])
