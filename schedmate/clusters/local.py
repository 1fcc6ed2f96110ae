"""This machine as a cluster: jobs are process groups, nodes are names for shares of its GPUs or CPUs.

What is to be done is written to the store before it is done, and jobs run under runners of their own: a loop that is
killed at any moment finds, when it comes back, each job either waiting, or running, or ended, and none twice.
"""

import os
import select
import signal
from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path

from schedmate.clusters import (
    Clock,
    Ended,
    Event,
    Found,
    Learned,
    LiveJob,
    NodeDown,
    NodeSpec,
    NodeUp,
    Placement,
    Profile,
    Submitted,
    Withdrawn,
)
from schedmate.clusters.local_runs import LocalRun
from schedmate.clusters.steady import SteadyClock
from schedmate.errors import SchedMateError
from schedmate.history.live import LiveRow, LiveStore, RunRow

SCAN_S = 1.0
"""How often every run is looked at; those that end of themselves say so at once."""
SLICE = 200
"""Most runs that one scan looks at, so that thousands of them do not hold up a decision."""
GRACE_S = 10.0
MOST_LOST = 3
"""Runs that may vanish without a word until the job is taken for the cause."""
MOST_SPAWNS = 5
ORDER = {Found: 0, Ended: 0, Withdrawn: 0, NodeDown: 1, NodeUp: 1, Submitted: 2, Learned: 3}


class LocalCluster:
    """Jobs as process groups on this machine; `wait` also serves the pipes that others have asked it to watch."""

    def __init__(
        self, nodes: Sequence[NodeSpec], store: LiveStore, clock: Clock | None = None, grace_s: float = GRACE_S
    ) -> None:
        self.declared = {node.name: node for node in nodes}
        self.store = store
        self.clock = clock or SteadyClock()
        self.grace_s = grace_s
        self.folder = store.data_dir.resolve() / "jobs"
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self.examines = False
        """Whether somebody looks at failed jobs before they are given up."""
        self.on_change: Callable[[], None] = lambda: None
        """Called when another process has written to the store."""
        self.chores: list[Callable[[], None]] = []
        """Called once in a while, whatever happens."""
        self.awake = False
        """Set by who wants `wait` to come back although nothing has happened."""
        self.speed_of: Callable[[LiveJob], float | None] = lambda job: None
        self.jobs: dict[int, LiveJob] = {}
        """Every job that is not over, by id."""
        self.runs: dict[tuple[int, int], LocalRun] = {}
        self.leaving: list[LocalRun] = []
        self.down = {name for name in store.marks() if name in self.declared}
        self.posted: list[Event] = []
        self.named: set[tuple[int, int]] = set()
        self.newest = 0
        self.scanned_s = 0.0
        self.turns: deque[tuple[int, int]] = deque()
        self.pipe = open_fifo(self.folder / "wake")
        self.poll = select.poll()
        self.poll.register(self.pipe, select.POLLIN)
        self.served: dict[int, Callable[[], None]] = {self.pipe: self._hear}
        self._adopt()

    def close(self) -> None:
        """Let go of everything; jobs go on."""
        os.close(self.pipe)

    def now_s(self) -> float:
        """Give the steady time."""
        return self.clock.now_s()

    def nodes(self) -> Sequence[NodeSpec]:
        """List the nodes that take jobs."""
        return [node for name, node in self.declared.items() if name not in self.down]

    def serve(self, pipe: int, work: Callable[[], None]) -> None:
        """Call `work` during `wait` whenever there is something to read."""
        self.served[pipe] = work
        self.poll.register(pipe, select.POLLIN)

    def leave(self, pipe: int) -> None:
        """Watch a pipe no more."""
        self.poll.unregister(pipe)
        del self.served[pipe]

    def post(self, event: Event) -> None:
        """Let the loop hear of something at its next look."""
        self.posted.append(event)

    def wait(self, until_s: float | None) -> list[Event] | None:
        """Sleep until something happened; `[]` also when a pipe was served and nothing came of it."""
        while True:
            if not self.posted:
                self._look()
            if self.posted or self.awake:
                self.awake = False
                events, self.posted = sorted(self.posted, key=lambda event: ORDER[type(event)]), []
                return events
            rest_s = SCAN_S if until_s is None else min(SCAN_S, until_s - self.now_s())
            if rest_s <= 0:
                return []
            ready = self.poll.poll(rest_s * 1000)
            for pipe, _ in ready:
                self.served[pipe]()
            if any(pipe != self.pipe for pipe, _ in ready) and not self.posted:
                return []

    def start(self, job: LiveJob, placement: Placement, partner: LiveJob | None = None) -> None:
        """Write the intent down, then start a runner; slots that a stopping job still holds are waited for."""
        other = None if partner is None else partner.number + 1
        run = self.store.open_run(job.number + 1, placement.kind, placement.parts, other, self.now_s())
        self._begin(LocalRun(job, run, self._place(job, run), placement, other))

    def preempt(self, job: LiveJob) -> None:
        """Stop a job that is to go on later."""
        values = {"state": "pending", "preemptions": job.preemptions, "served_s": job.served_s}
        self._stop(self.run_of(job), "preempt", packable=job.packable, **values)

    def resize(self, job: LiveJob, placement: Placement) -> None:
        """Stop a job and start it on other slots."""
        self._stop(self.run_of(job), "resize")
        self.start(job, placement, job.partner)

    def speed(self, job: LiveJob) -> float | None:
        """Tell how fast a job is beside its partner, if anyone reads its log."""
        return self.speed_of(job)

    def cancel(self, number: int) -> str:
        """End a job for good, whatever it does; give what was done in words."""
        row = self.store.job(number)
        if row.state in ("completed", "failed", "cancelled"):
            return f"job {number} is over already: {row.state}"
        job = self.jobs.get(number)
        run = None if job is None else self.current(job)
        if run is not None and row.state == "running":
            self._stop(run, "cancel")
            return f"job {number} is being stopped"
        self.store.update(number, state="cancelled", reason="cancelled by request", end_s=self.now_s())
        if job is not None and row.state == "pending":
            self.post(Withdrawn(job, "cancelled"))
        self.jobs.pop(number, None)
        return f"job {number} is cancelled"

    def hold(self, number: int, reason: str) -> None:
        """Keep a job that does not run from running."""
        row = self.store.job(number)
        self.store.update(number, state="held", reason=reason)
        if row.state == "pending":
            self.post(Withdrawn(self.jobs[number], "held"))

    def release(self, number: int, reason: str = "") -> None:
        """Put a job that failed or was held back into the queue."""
        self.store.update(number, state="pending", reason=reason, end_s=None)
        job = self.jobs.get(number)
        if job is None:
            job = self.jobs[number] = live_job(self.store.job(number))
        self.post(Submitted(job))

    def take_down(self, name: str, kill: bool) -> None:
        """Give a node no more jobs; `kill` also ends those on it, as if it had failed."""
        if name in self.down or name not in self.declared:
            return
        self.down.add(name)
        for run in [*self.runs.values()] if kill else ():
            if not run.stopping and any(node == name for node, _ in run.placement.parts):
                self._stop(run, "node", state="pending", reason=f"node {name} failed")
                self.post(Ended(run.job, "node_fail"))
        self.post(NodeDown(name))

    def bring_back(self, name: str) -> None:
        """Give a node jobs again."""
        if name in self.down:
            self.down.discard(name)
            self.post(NodeUp(self.declared[name]))

    def current(self, job: LiveJob) -> LocalRun | None:
        """Give the run that a job is in, unless it is being stopped."""
        found = [run for (number, _), run in self.runs.items() if number == job.number + 1 and not run.stopping]
        return found[-1] if found else None

    def run_of(self, job: LiveJob) -> LocalRun:
        """Give the run that a job must be in."""
        run = self.current(job)
        if run is None:
            raise ValueError(f"{job} does not run")
        return run

    def log_of(self, number: int, run: int) -> Path:
        """Name a run's log."""
        return self.folder / str(number) / str(run) / "log"

    def _place(self, job: LiveJob, run: int) -> Path:
        return self.folder / str(job.number + 1) / str(run)

    def _adopt(self) -> None:
        """Take over what the store holds: jobs that wait, and runs that may still be running."""
        for row in self.store.jobs(("pending", "running", "examined", "held")):
            job = self.jobs[row.id] = live_job(row)
            self.newest = max(self.newest, row.id)
            if row.state == "pending":
                self.post(Submitted(job))
        over = self.store.connection.execute("SELECT coalesce(max(id), 0) FROM live_jobs").fetchone()[0]
        self.newest = max(self.newest, int(over))
        self.store.has_changed()
        found = [(row, self._adopt_run(row)) for row in self.store.runs()]
        for known, run in found:
            if not known.stopping:
                partner = self.jobs.get(known.partner) if known.partner else None
                self.post(Found(run.job, run.placement, partner, known.began_s or known.intended_s))

    def _adopt_run(self, row: RunRow) -> LocalRun:
        job = self.jobs.get(row.job) or live_job(self.store.job(row.job))
        placement = Placement(row.kind, row.parts)
        run = self.runs[row.job, row.run] = LocalRun(job, row.run, self._place(job, row.run), placement, row.partner)
        run.began_s = row.began_s
        if row.stopping:
            run.stopping, run.asked_s = row.stopping, self.now_s()
            run.forbid()
            run.signal(signal.SIGTERM)
        else:
            run.spawned = run.pulse() != "absent"
            self.named.add((row.job, row.run))
        return run

    def _hear(self) -> None:
        """Read who woke us."""
        try:
            data = os.read(self.pipe, 65536)
        except BlockingIOError:
            return
        for word in data.split():
            number, _, run = word.partition(b"/")
            if number.isdigit() and run.isdigit():
                self.named.add((int(number), int(run)))

    def _look(self) -> None:
        """Find out what has happened: to those that were named, and now and then to all."""
        if self.store.has_changed():
            self._take_in()
            self.on_change()
        now_s = self.now_s()
        named, self.named = self.named, set()
        keys = [key for key in named if key in self.runs]
        if not 0 <= now_s - self.scanned_s < SCAN_S:
            self.scanned_s = now_s
            keys += self._next_to_scan()
            self.leaving = [run for run in self.leaving if run.pid and not run.reap()]
            for chore in self.chores:
                chore()
        for key in dict.fromkeys(keys):
            self._examine(key, self.runs[key], now_s)

    def _next_to_scan(self) -> list[tuple[int, int]]:
        """Give the next runs in turn; those that are being stopped, and those not yet begun, every time."""
        if not self.turns:
            self.turns = deque(self.runs)
        taken = [self.turns.popleft() for _ in range(min(SLICE, len(self.turns)))]
        pressing = (key for key, run in self.runs.items() if run.stopping or run.began_s is None)
        return [key for key in (*taken, *pressing) if key in self.runs]

    def _take_in(self) -> None:
        for row in self.store.jobs(("pending",), after=self.newest):
            self.newest = row.id
            job = self.jobs[row.id] = live_job(row)
            self.post(Submitted(job))

    def _examine(self, key: tuple[int, int], run: LocalRun, now_s: float) -> None:
        if not run.spawned and not run.stopping:
            self._begin(run)
            return
        pulse = run.pulse()
        if pulse == "ended":
            self._end(key, run)
        elif pulse == "absent" and run.stopping:
            self._drop(key, run, "cancelled" if run.stopping == "cancel" else "stopped")
        elif pulse == "absent" and run.spawns < MOST_SPAWNS:
            run.spawned = False
            self._begin(run)
        elif pulse in ("lost", "absent"):
            run.signal(signal.SIGKILL)
            self._lose(key, run)
        elif run.stopping:
            self._insist(run, now_s)
        elif run.began_s is None and (began := run.read("began")) is not None:
            run.began_s = float(began["began_s"])
            self.store.update_run(*key, began_s=run.began_s)

    def _begin(self, run: LocalRun) -> None:
        """Start the runner unless a stopping run still holds what it needs."""
        key = (run.job.number + 1, run.run)
        self.runs[key] = run
        for other in self.runs.values():
            if other is not run and other.stopping and (other.job is run.job or other.overlaps(run)):
                return
        try:
            run.spawn(self._spec(run))
        except OSError:
            run.spawns += 1  # no process to be had now, or no disk: the next scan tries again

    def _spec(self, run: LocalRun) -> dict[str, object]:
        number = run.job.number + 1
        row = self.store.job(number)
        return {
            "command": list(row.command),
            "workdir": row.workdir,
            "log": str(run.folder / "log"),
            "wake": str(self.folder / "wake"),
            "name": f"{number}/{run.run}",
            "environment": {**row.environment, **self._told(run, row)},
        }

    def _told(self, run: LocalRun, row: LiveRow) -> dict[str, str]:
        """Tell a job its place, its share and where it may go on from."""
        slots = run.placement.indices()
        told = {
            "SCHEDMATE_JOB_ID": str(row.id),
            "SCHEDMATE_RUN": str(run.run),
            "SCHEDMATE_NODES": ",".join(slots),
            "SCHEDMATE_PLACEMENT": ";".join(f"{node}:{','.join(map(str, each))}" for node, each in slots.items()),
            "SCHEDMATE_SHARE": f"{row.share:g}",
            "SCHEDMATE_CHECKPOINT": row.checkpoint,
        }
        if run.placement.kind != "cpu":
            told["CUDA_VISIBLE_DEVICES"] = ",".join(str(gpu) for gpu in self._devices(slots))
        return told

    def devices_of(self, name: str) -> tuple[int, ...]:
        """Give a node's GPUs as this machine numbers them."""
        node = self.declared.get(name)
        return () if node is None else tuple(self._devices({name: list(range(node.gpus))}))

    def _devices(self, slots: dict[str, list[int]]) -> list[int]:
        """Number this machine's GPUs through its nodes, in the order in which they were declared."""
        devices, first = [], 0
        for name, node in self.declared.items():
            if node.kind != "cpu":
                devices += [first + gpu for gpu in slots.get(name, ())]
                first += node.gpus
        return devices

    def _stop(self, run: LocalRun, why: str, **values: object) -> None:
        """Write down that a run is to be stopped, and begin to stop it."""
        number = run.job.number + 1

        def work() -> None:
            self.store.update_run(number, run.run, stopping=why)
            if values:
                self.store.update(number, **values)

        self.store.write(work)
        run.stopping, run.asked_s = why, self.now_s()
        self.named.add((number, run.run))
        if run.spawned:
            run.forbid()
            run.heard = run.signal(signal.SIGTERM)

    def _insist(self, run: LocalRun, now_s: float) -> None:
        """Kill what has had its grace; a job that was only just starting when it was asked is asked again."""
        if now_s - run.asked_s > self.grace_s:
            run.signal(signal.SIGKILL)
        elif not run.heard:
            run.heard = run.signal(signal.SIGTERM)

    def _end(self, key: tuple[int, int], run: LocalRun) -> None:
        """Book an end that its runner has written down."""
        done = run.exit()
        if done.stopped and run.stopping == "cancel":
            outcome = "cancelled"
        elif done.stopped and run.stopping:
            outcome = "stopped"
        else:
            outcome = "completed" if done.code == 0 else "failed"
        self._drop(key, run, outcome, done.code, done.ran_s)

    def _lose(self, key: tuple[int, int], run: LocalRun) -> None:
        """Book a run that vanished: its job goes back into the queue, unless that has happened too often."""
        lost = sum(row.outcome == "lost" for row in self.store.runs(key[0]))
        if run.stopping:
            self._drop(key, run, "cancelled" if run.stopping == "cancel" else "stopped")
        else:
            self._drop(key, run, "lost" if lost < MOST_LOST else "failed")

    def _drop(
        self, key: tuple[int, int], run: LocalRun, outcome: str, code: int | None = None, ran_s: float = 0.0
    ) -> None:
        """Write an end down and tell of it; both halves of the book change in one transaction."""
        number, now_s = key[0], self.now_s()
        state = self.store.job(number).state
        began_s = run.began_s if run.began_s is not None else now_s - ran_s
        values: dict[str, object] = {}
        is_over = outcome in ("completed", "failed", "cancelled") and state in ("running", "pending")
        if is_over:
            final = "examined" if outcome == "failed" and self.examines else outcome
            values = {"state": final, "end_s": now_s}
        elif outcome == "lost":
            values = {"state": "pending", "reason": "its processes vanished without a word"}

        def work() -> None:
            self.store.update_run(number, run.run, ended_s=now_s, began_s=began_s, outcome=outcome, code=code)
            if values:
                self.store.update(number, **values)

        self.store.write(work)
        del self.runs[key]
        self.leaving.append(run)
        self.named |= {other for other, waiting in self.runs.items() if not waiting.spawned}
        if is_over:
            self._withdraw_starts(number, now_s)
            ended = run.job.placement is not None
            self.post(Ended(run.job, outcome) if ended else Withdrawn(run.job, outcome))
            if values["state"] != "examined":
                self.jobs.pop(number, None)
        elif outcome == "lost":
            self.post(Ended(run.job, "node_fail"))

    def _withdraw_starts(self, number: int, now_s: float) -> None:
        """Forget starts of a job that ended by itself while it was being stopped."""
        for other, waiting in [*self.runs.items()]:
            if other[0] == number and not waiting.spawned:
                self.store.update_run(*other, ended_s=now_s, outcome="stopped")
                del self.runs[other]


def live_job(row: LiveRow) -> LiveJob:
    """Make what the loop holds out of a row; jobs that want part of a slot may be packed."""
    job = LiveJob(row.id - 1, str(row.id), row.slots, row.submit_s, row.user, row.name, row.vc)
    job.kind = row.kind
    job.packable = row.packable
    job.preemptions, job.served_s = row.preemptions, row.served_s
    job.first_start_s = -1.0 if row.first_start_s is None else row.first_start_s
    if row.share < 1:
        score = 0 if row.share <= 0.25 else 1 if row.share <= 0.6 else 2
        job.profile = Profile("", "", 0, 0, 100 * row.share, 0.0, 0.0, score)
    return job


def open_fifo(path: Path) -> int:
    """Open the pipe through which everybody wakes the loop; it is never at its end."""
    try:
        os.mkfifo(path, 0o600)
    except FileExistsError:
        pass
    except OSError as error:
        raise SchedMateError(f"{path} cannot be made: {error}", "put SCHEDMATE_DATA_DIR on a local disk") from error
    return os.open(path, os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC)
