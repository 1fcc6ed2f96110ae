"""This machine as a cluster: jobs are process groups, nodes are names for shares of its GPUs or CPUs.

What is to be done is written to the store before it is done, and jobs run under runners of their own: a loop that is
killed at any moment finds, when it comes back, each job either waiting, or running, or ended, and none twice.
"""

import signal
from collections import deque
from collections.abc import Sequence
from pathlib import Path

from schedmate.clusters import (
    Clock,
    Ended,
    JobProgress,
    LiveJob,
    NodeSpec,
    Placement,
    Submitted,
    Withdrawn,
)
from schedmate.clusters.job_rows import live_job, told
from schedmate.clusters.local.books import SCAN_S, LocalBooks
from schedmate.clusters.local.ends import drop, end, insist, lose, stop, tell_unlocked
from schedmate.clusters.local.runs import LocalRun, began_s_of
from schedmate.clusters.local.starts import adopt, begin
from schedmate.clusters.local.systemd_scope import RunScope
from schedmate.clusters.managed import GRACE_S, Can, Cancelled, Facts, Wish
from schedmate.clusters.runner.cgroup import shortcomings
from schedmate.clusters.suspected_nodes import avoided
from schedmate.clusters.waiting import Waiting, wake_path
from schedmate.history.live import LiveStore
from schedmate.history.live_rows import Submission
from schedmate.tools.numbered_folders import is_number

SOON_S = 0.005
"""How soon a runner is looked at again that has written its last word; twice as late each time."""
SLICE = 200
"""Most runs that one scan looks at, so that thousands of them do not hold up a decision."""
MOST_SPAWNS = 5


class LocalCluster(LocalBooks):
    """Jobs as process groups on this machine; `wait` also serves the pipes that others have asked it to watch."""

    can = Can(here=True)
    trouble = ""

    def __init__(
        self,
        nodes: Sequence[NodeSpec],
        store: LiveStore,
        clock: Clock | None = None,
        grace_s: float = GRACE_S,
        examines: bool = False,
        logs: Path | None = None,
    ) -> None:
        super().__init__(nodes, store, clock, grace_s, examines, logs)
        self.waiting = Waiting(wake_path(store.data_dir.resolve()), self.clock, self.look, SCAN_S)
        self.wait, self.nudge = self.waiting.wait, self.waiting.nudge
        self.serve, self.leave = self.waiting.serve, self.waiting.leave
        adopt(self)

    def close(self) -> None:
        """Let go of everything; jobs go on."""
        self.waiting.close()
        if self.scope is not None:
            self.scope.close()

    def remarks(self) -> Sequence[str]:
        """Give what was found that did not belong here."""
        odd, self.odd = self.odd, []
        return odd

    def job(self, number: int) -> LiveJob | None:
        """Give a job that is not over."""
        return self.jobs.get(number)

    def facts(self, number: int, run: int) -> Facts:
        """Tell what the store holds of a run."""
        row = self.store.run(number, run)
        words = told(self.store.job(number), run, Placement(row.kind, row.parts), self.declared.values())
        return Facts(str(self.store.log_of(number, run)), row.code, row.reason, words)

    def submit(self, job: Submission, token: str) -> int:
        """Take a job."""
        number = self.store.submit(job, token, self.now_s())
        self._take_in()
        return number

    def start(self, job: LiveJob, placement: Placement, partner: LiveJob | None = None) -> None:
        """Write the intent down, then start a runner; slots that a stopping job still holds are waited for."""
        other = None if partner is None else partner.number
        run = self.store.open_run(job.number, placement.kind, placement.parts, other, self.now_s())
        if run is None:
            self._refuse(job)
            return
        begin(self, self.make_run(job, run, placement, other))

    def preempt(self, job: LiveJob) -> None:
        """Stop a job that is to go on later; what is being stopped for good stays so."""
        values = {"state": "pending", "preemptions": job.preemptions, "served_s": job.served_s}
        if run := self.current(job):
            stop(self, run, "preempt", packable=job.packable, **values)

    def resize(self, job: LiveJob, placement: Placement) -> None:
        """Stop a job and start it on other slots; what is being stopped for good stays so."""
        if run := self.current(job):
            stop(self, run, "resize", state="pending")  # a kill before the start leaves a job that waits
            self.start(job, placement, job.partner)

    def speed(self, job: LiveJob) -> float | None:
        """Know nothing: who reads its log may."""
        return None

    def tell(self, number: int, words: str) -> None:
        """Do nothing: `schedmate why` tells it."""

    def order(self, jobs: Sequence[LiveJob]) -> None:
        """Do nothing: the policy starts jobs in its own order."""

    def progress(self, job: LiveJob) -> JobProgress:
        """Know nothing: who reads its log may."""
        return JobProgress()

    def cancel(self, number: int) -> Cancelled:
        """End a job for good, whatever it does."""
        row = self.store.job(number)
        if row.state in ("completed", "failed", "cancelled"):
            return "over"
        job = self.jobs.get(number)
        run = None if job is None else self.current(job)
        if run is not None and row.state == "running":
            stop(self, run, "cancel")
            return "stopping"
        if row.state == "running" and any(key[0] == number and run.stopping for key, run in self.runs.items()):
            return "stopping"  # its end, when it comes, frees its place
        self.store.update(number, state="cancelled", reason="cancelled by request", end_s=self.now_s())
        if job is not None and row.state == "pending":
            self.post(Withdrawn(job, "cancelled"))
        self.jobs.pop(number, None)
        return "cancelled"

    def hold(self, number: int, reason: str) -> None:
        """Keep a job that waits or lies dead from running; one that is over stays over."""
        row = self.store.job(number)
        if row.state not in ("pending", "examined"):
            return
        self.store.update(number, state="held", reason=reason)
        if row.state == "pending":
            self.post(Withdrawn(self.jobs[number], "held"))

    def release(self, number: int, reason: str = "") -> None:
        """Put a job that failed or was held back into the queue."""
        self.store.update(number, state="pending", reason=reason, end_s=None)
        job = self.jobs[number] = self.jobs.get(number) or live_job(self.store.job(number))
        job.avoid = avoided(self.store, number)
        self.post(Submitted(job))

    def requeue(self, number: int, reason: str) -> None:
        """Put a job that is over back into the queue, unless it is there already."""
        if self.store.job(number).state not in ("pending", "running"):
            self.release(number, reason)

    def give_up(self, number: int, reason: str) -> None:
        """Leave a job dead."""
        self.store.update(number, state="failed", reason=reason)
        self.jobs.pop(number, None)

    def look(self) -> None:
        """Find out what has happened: to those that were named, and now and then to all."""
        if self.changes.are_new():
            self._take_in()
        now_s = self.now_s()
        self._hear()
        named, self.named = self.named, set()
        keys = [key for key in named if key in self.runs]
        if not 0 <= now_s - self.scanned_s < SCAN_S:
            self.scanned_s = now_s
            keys += self._next_to_scan()
            self.leaving = [run for run in self.leaving if run.pid and not run.reap()]
        for key in dict.fromkeys(keys):
            self._examine(key, self.runs[key], now_s)

    def _hear(self) -> None:
        """Understand who woke us: runs that have ended."""
        words, self.waiting.words = self.waiting.words, set()
        for word in words:
            number, _, run = word.partition(b"/")
            if is_number(number.decode("latin-1")) and is_number(run.decode("latin-1")):
                self.named.add((int(number), int(run)))

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
            if row.id not in self.jobs:  # released before it was ever seen
                job = self.jobs[row.id] = live_job(row)
                self.post(Submitted(job))

    def _refuse(self, job: LiveJob) -> None:
        """Take back a start that came too late: meanwhile the job was cancelled or held, and that holds."""
        state = self.store.job(job.number).state
        self.jobs.pop(job.number, None)
        posted = self.waiting.posted
        posted[:] = [event for event in posted if not (isinstance(event, Withdrawn) and event.job is job)]
        self.post(Ended(job, state if state in ("held", "completed", "failed") else "cancelled"))

    def _examine(self, key: tuple[int, int], run: LocalRun, now_s: float) -> None:
        if not run.spawned and not run.stopping:
            begin(self, run)
            return
        pulse = run.pulse()
        if pulse == "ending":
            run.endings += 1
            self.named.add(key)
            self.waiting.pause_s = min(self.waiting.pause_s, SOON_S * 2 ** min(run.endings, 8))
        if pulse == "ended":
            end(self, key, run)
        elif pulse == "absent" and run.stopping:
            drop(self, key, run, "cancelled" if run.stopping == "cancel" else "stopped")
        elif pulse == "absent" and run.spawns < MOST_SPAWNS:
            run.spawned = False
            begin(self, run)
        elif pulse in ("lost", "absent"):
            run.signal(signal.SIGKILL)
            run.end_group()
            lose(self, key, run)
        elif run.stopping:
            insist(self, run, now_s)
        elif run.began_s is None and (began_s := began_s_of(run.read("began"))) and (started := run.read("job")):
            run.began_s = began_s
            self.store.update_run(*key, began_s=run.began_s)
            tell_unlocked(self, key, started)


def open_engine(store: LiveStore, wish: Wish) -> LocalCluster:
    """Open this machine, cut into the nodes that are named."""
    logs = Path(wish.words["logs"]) if "logs" in wish.words else None
    made = LocalCluster(wish.nodes, store, grace_s=wish.grace_s, examines=True, logs=logs)
    made.scope = RunScope(made.identity)
    made.odd += filter(None, [shortcomings(made.scope.folder)])
    made.most_log_bytes = int(wish.log_gib * 2**30)
    return made
