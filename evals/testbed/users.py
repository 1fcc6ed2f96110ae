"""The people of the experiment: they hand jobs in at their times, and come back to jobs that a broken GPU has ended."""

import heapq
import json
import os
import shlex
import shutil
import sys
import threading
import time
from dataclasses import asdict
from pathlib import Path

from evals.testbed import train
from evals.testbed.arms import Arm
from evals.testbed.engine import PROFILER
from evals.testbed.workload import GPUS, PACE, SAVE_S, STEP_S, Task, Workload
from schedmate.clusters.steady_clock import SteadyClock
from schedmate.history.admission import find_resubmissions
from schedmate.history.live import LiveStore
from schedmate.history.live_rows import LiveRow, Submission
from schedmate.scheduling.live.presence import poke
from schedmate.scheduling.simulation.simulated_setup import as_profile
from schedmate.schemas import Job

NOTICE_S = 40.0
"""After so long a user finds his job dead and lets it go on: twenty minutes of the experiment."""
PROFILE_S = 100.0 / PACE
LOOK_S = 0.5

FIRST_S = 5.0
"""Before the first submission: helpers come up."""
OVER = frozenset({"completed", "failed", "cancelled", "held"})


class Users(threading.Thread):
    """One thread for all of them, with a connection of its own, as `schedmate submit` has."""

    def __init__(self, arm: Arm, workload: Workload, folder: Path) -> None:
        super().__init__(daemon=True)
        self.arm, self.workload, self.folder = arm, workload, folder
        self.clock = SteadyClock()
        self.lock = threading.Lock()
        self.due: list[tuple[float, int, str]] = []
        """When, which task, and what: `come`, `main`."""
        self.profiles: dict[int, int] = {}
        """The profiler's job of a task."""
        self.jobs: dict[int, int] = {}
        self.submit_s: dict[int, float] = {}
        self.released: dict[int, int] = {}
        """How often a person let a job go on."""
        self.is_over = threading.Event()

    def prepare(self) -> None:
        """Lay out the users' directories, and tell each program how fast it is beside each other."""
        for name in ("tasks", "gpus", "notes", "work"):
            (self.folder / name).mkdir(parents=True, exist_ok=True)
        table = self.workload.interference
        for task in self.workload.tasks:
            workdir = self.workdir(task)
            workdir.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(train.__file__, workdir / "train.py")
            mine = as_profile(task.program)
            speeds = {key_of(other): table(mine, as_profile(other)) for other in self.workload.programs}
            plan = asdict(task) | {"key": key_of(task.program), "speeds": speeds, "step_s": STEP_S, "save_s": SAVE_S}
            (self.folder / "tasks" / f"{task.number}.json").write_text(json.dumps(plan))

    def workdir(self, task: Task) -> Path:
        """Name where a user keeps one kind of job."""
        return self.folder / "work" / task.user / task.name

    def command(self, task: Task, output: str) -> tuple[str, ...]:
        """Write what the user types; runs of one kind differ in seed and output only."""
        program = task.program
        words = ["train.py", "--model", program.model, "--dataset", program.dataset]
        words += ["--batch-size", str(program.batch_size), *(["--amp"] if program.amp else [])]
        return (sys.executable, *words, "--seed", str(abs(task.number)), "--output-dir", output)

    def run(self) -> None:
        """Do what is due until all jobs are over."""
        self.store = LiveStore(self.folder / "data", patient=True)
        begin_s = self.clock.now_s() + FIRST_S
        for task in self.workload.tasks:
            self.submit_s[task.number] = begin_s + task.submit_s
            self.at(begin_s + task.submit_s, task.number, "come")
        while not self.is_over.is_set():
            self.act()
            self.look()
            time.sleep(min(LOOK_S, max(0.0, self.next_s() - self.clock.now_s())))
        self.store.close()

    def at(self, moment_s: float, number: int, what: str) -> None:
        """Put something on the list; the loop's thread does so, too."""
        with self.lock:
            heapq.heappush(self.due, (moment_s, number, what))

    def next_s(self) -> float:
        """Give when something is due next."""
        with self.lock:
            return self.due[0][0] if self.due else float("inf")

    def act(self) -> None:
        """Hand in what is due."""
        while self.next_s() <= self.clock.now_s():
            with self.lock:
                _, number, what = heapq.heappop(self.due)
            task = self.workload.tasks[number]
            if what == "come" and self.is_profiled(task):
                self.profiles[number] = self.submit(task, PROFILER)
            else:
                self.jobs[number] = self.submit(task, "")
            poke(self.folder / "data")

    def is_profiled(self, task: Task) -> bool:
        """Tell whether a job goes to the profiler first: those of up to a node, whose like nobody has seen."""
        if not self.arm.profiles or task.gpus > GPUS:
            return False
        return not (self.arm.reads and find_resubmissions(self.store.connection, self.noun(task)))

    def noun(self, task: Task) -> Job:
        """Say of a job what a scheduler knows when it comes."""
        command = shlex.join(self.command(task, f"out/run_{task.number:05d}"))
        return Job(
            job_id="", user=task.user, name=task.name, command=command, workdir=self.workdir(task), gpus=task.gpus
        )

    def submit(self, task: Task, vc: str) -> int:
        """Hand a job in."""
        output = f"out/run_{task.number:05d}"
        told = {"TESTBED": str(self.folder), "TESTBED_TASK": str(task.number), "PATH": os.environ["PATH"]}
        if vc:
            output, told["TESTBED_PROFILE_S"] = f"{output}_profile", str(PROFILE_S)
        user = PROFILER if vc else task.user
        asked = Submission(
            self.command(task, output), str(self.workdir(task)), told, task.gpus, name=task.name, user=user, vc=vc
        )
        return self.store.submit(asked, f"{task.number} {vc}", self.clock.now_s())

    def profiled(self, row: LiveRow) -> None:
        """Hear from the loop that a job has left the profiler: who was not done goes to the queue."""
        number = task_of(row)
        notes = [json.loads(path.read_text()) for path in (self.folder / "notes").glob(f"{row.id}.*.json")]
        if not any(note["finished"] for note in notes):
            self.at(0.0, number, "main")

    def look(self) -> None:
        """Let jobs go on that a fault has ended, once their users have noticed; see whether all is over."""
        left = 0
        for task in self.workload.tasks:
            number = self.jobs.get(task.number, self.profiles.get(task.number))
            row = None if number is None else self.store.job(number)
            if row is None or row.state not in OVER or self.waits(task, row):
                left += 1
        if not left:
            self.is_over.set()
            poke(self.folder / "data")

    def waits(self, task: Task, row: LiveRow) -> bool:
        """Tell whether a job that lies dead is to go on; after a while its user lets it."""
        if row.vc:
            return not list((self.folder / "notes").glob(f"{row.id}.*.json")) or self.is_due(task.number)
        if row.state == "completed" or task.bug:
            return False
        ended_s = self.store.runs(row.id)[-1].ended_s
        if ended_s is not None and self.clock.now_s() - ended_s > NOTICE_S:
            self.released[task.number] = self.released.get(task.number, 0) + 1
            self.store.ask("release", row.id)
            poke(self.folder / "data")
            time.sleep(LOOK_S)
        return True

    def is_due(self, number: int) -> bool:
        """Tell whether something is still to be handed in for a task."""
        with self.lock:
            return any(each == number for _, each, _ in self.due)


def key_of(program: object) -> str:
    """Write a program's name as one word."""
    return "/".join(map(str, program.key))  # type: ignore[attr-defined]


def task_of(row: LiveRow) -> int:
    """Tell which task a job of the store is."""
    return int(row.token.partition(" ")[0])
