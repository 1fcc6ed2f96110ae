"""The watch: look at all logs, have those that fell silent read, tell what is wrong, and remember that it was told."""

import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from schedmate.choices import EngineChoice, checked
from schedmate.clusters.log_ends import KnowsEnds, LogEnd
from schedmate.readers.progress.learning.learned import all_formats
from schedmate.readers.progress.reading import shared_shapes
from schedmate.tools.messages import MailServer
from schedmate.watching import signs, telling
from schedmate.watching.channels import Channel
from schedmate.watching.events import URGENT, Kind, WatchEvent
from schedmate.watching.finding import Finder, job_of
from schedmate.watching.gathering import GATHER_S, DeathGathering
from schedmate.watching.inquests import Inquests
from schedmate.watching.job import Log, WatchedJob
from schedmate.watching.journal import Journal
from schedmate.watching.outbox import Outbox, QuietHours
from schedmate.watching.ownership import has_writer
from schedmate.workers.worker import Poll
from schedmate.workers.worker_pool import WorkerPool

NO_MAIL = MailServer()
READER = "schedmate.scheduling.live.reader_worker"

QUIET_S = 8.0
"""A log that has said something bad and nothing since for so long is read."""
RAISED_S = 15.0
"""So long where all that it said is an exception."""
HELD_S = 20.0
"""So long where a process still holds the log open, or where such pauses are usual."""
SETTLED_S = 2.0
"""Where a job is known to be over, what it still had in its buffers is in the log after so long."""
PASSING_S = 300.0
"""Trouble that does not look like an end is given so long to pass."""
BUDGET_S = 0.25
"""CPU seconds of one look that go into working out metrics; the others have their turn at the next."""
FIRST_BUDGET_S = 1.0
"""So many go into logs that were never read: of ten thousand found at once, the first is told before all are read."""
IDLE_S = 86400.0
"""A log that has not grown for so long is let go of; when it grows, it is found again."""
STEADY: tuple[Kind, ...] = ("not_a_number", "diverged", "slower", "behind")
"""What is told once a run, however long it lasts."""
REFUTED: frozenset[Kind] = frozenset({"died", "stalled", "silent"})
"""What a job's going on takes back."""


@dataclass(frozen=True)
class WatchOptions:
    """What to watch, and whom to tell."""

    patterns: tuple[str, ...]
    channels: tuple[Channel, ...] = ()
    mail: MailServer = NO_MAIL
    quiet: QuietHours | None = None
    stall_least_s: float = 180.0
    gather_s: float = GATHER_S
    readers: int = 2
    engine: EngineChoice = "built-in"

    def __post_init__(self) -> None:
        """Watch nothing whose reader would ask a model because its engine is mistyped."""
        checked("engine", self.engine, EngineChoice)


class WatchService:
    """All jobs that are watched; `look` does one round at a moment, so that a test may play any time."""

    def __init__(
        self,
        options: WatchOptions,
        journal: Journal,
        tell: Callable[[WatchEvent], None],
        now_s: float,
        ends: Sequence[KnowsEnds] = (),
    ) -> None:
        self.options = options
        self.ends = ends
        """Whoever knows that a job is over before its log shows it, the surest first."""
        self.journal = journal
        self.tell = tell
        self.now_s = now_s
        self.finder = Finder(options.patterns)
        self.shapes = shared_shapes(all_formats())
        self.started_s = now_s
        self.since_s = min(max(journal.begun_s or 0.0, min(journal.last_look_s, now_s) - IDLE_S), journal.asked_s)
        """What was last written to before that is passed by; what the watch before this one had not settled is not."""
        self.jobs: dict[str, WatchedJob] = {}
        self.turns: deque[str] = deque()
        self.pipes = Poll()
        self.pool = WorkerPool(self.pipes, READER, options.readers)
        self.inquests = Inquests(self.pool, options.engine, options.stall_least_s, self.report)
        self.gathering = DeathGathering(options.gather_s)
        self.outbox = Outbox(journal, options.channels, options.mail, options.quiet, now_s)
        self.counts = (0, 0)
        """How many logs there are, and how many jobs are followed."""
        self.passed_by = 0
        """How many of these logs are not followed, because nothing was written to them lately."""
        self.unread = 0
        """How many of these jobs have logs that were not read yet."""

    def look(self, now_s: float) -> None:
        """Do one round: find, read, judge, tell, send."""
        self.now_s = self.inquests.now_s = now_s
        if self.finder.is_due(now_s):
            self.find(now_s)
        self.read(now_s)
        self.pipes.sleep(0.0)  # answers are heard however long a look takes
        self.work_out()
        for known in self.ends:
            known.look((path for job in self.jobs.values() for path in job.logs), now_s)
        for job in self.jobs.values():
            self.judge(job, now_s)
        self.pool.tend(now_s)
        for events in self.gathering.ready(now_s):
            self.outbox.add(events)
        self.outbox.tend(now_s)
        self.journal.looked()

    def find(self, now_s: float) -> None:
        """Begin to follow what is new, and leave what is gone or idle."""
        seen, passed_by = set(), 0
        if now_s - self.started_s > IDLE_S:
            self.since_s = max(self.since_s, now_s - IDLE_S)
        for path, written_s, owner in self.finder.find(now_s):
            seen.add(path)
            name = job_of(path, owner)
            job = self.jobs.get(name)
            if job is not None and path in job.logs:
                continue
            if written_s < self.since_s:
                passed_by += 1
                continue
            if job is None:
                job = self.jobs[name] = WatchedJob(name, self.journal.open.get(name, {}))
                self.turns.append(name)
            alone = self.jobs.pop(path, None) if name != path else None  # its errors came before its output did
            job.logs[path] = alone.logs[path] if alone else Log(path, self.shapes)
        for name, job in [*self.jobs.items()]:
            for path in job.logs.keys() - seen:
                del job.logs[path]
            if not job.logs or (now_s - max(job.grew_s, self.started_s) > IDLE_S and not job.is_asked):
                del self.jobs[name]
        self.counts, self.passed_by = (len(seen), len(self.jobs)), passed_by

    def read(self, now_s: float) -> None:
        """Read what is new in all logs, and as many that were never read as there is time for."""
        until_s: float | None = None
        self.unread = 0
        for job in self.jobs.values():
            if job.is_unread:
                if until_s is not None and time.process_time() >= until_s:
                    self.unread += 1
                    continue
                until_s = until_s or time.process_time() + FIRST_BUDGET_S
            if job.poll(now_s):
                self.went_on(job, now_s)

    def work_out(self) -> None:
        """Compute the metrics of those that grew, as many as there is time for."""
        until_s = time.process_time() + BUDGET_S
        for _ in range(len(self.turns)):
            name = self.turns.popleft()
            job = self.jobs.get(name)
            if job is None:
                continue
            self.turns.append(name)
            if job.is_dirty:
                job.work_out()
                if time.process_time() >= until_s:
                    return

    def went_on(self, job: WatchedJob, now_s: float) -> None:
        """Take back what a job's going on refutes."""
        step = job.leader.step[1]
        over = [kind for kind in REFUTED if kind in job.open and step and step != job.open[kind]]
        for kind in over:
            self.end(job, kind)
        if "stalled" in over or "silent" in over:
            gaps = job.leader.tracker.pace.clock.gaps
            job.leader.outlived_s = max(job.leader.outlived_s, gaps[-1] if gaps else 0.0)
        if "died" in over:
            for steady in STEADY:
                self.end(job, steady)
        if "died" in over or "stalled" in over:
            said = f"{job.leader.path} goes on after all: it is at step {step:g}"
            self.report(job, telling.event(job, "went_on", said, now_s, job.leader))
            self.end(job, "went_on")

    def judge(self, job: WatchedJob, now_s: float) -> None:
        """See whether anything is wrong with a job that was not before."""
        if job.is_asked or job.has_ended or "died" in job.open or job.reads_on:
            return
        silent_s = now_s - job.grew_s
        end = self.end_of(job)
        job.is_settling = end is not None and silent_s < SETTLED_S
        if job.is_dirty:
            if end is None and not (job.trouble and silent_s >= QUIET_S):
                return
            job.work_out()  # who may be dead does not wait for its turn
        if end is None:
            self.judge_silence(job, silent_s, now_s)
            self.judge_steps(job, now_s)
        elif not job.is_settling:
            job.has_ended = end.well or end.is_meant
            if not job.has_ended:
                self.inquests.ask(job, now_s, stalled=False, end=end)

    def judge_silence(self, job: WatchedJob, silent_s: float, now_s: float) -> None:
        """Have the log of a job read that seems to be over, or to hang."""
        if job.trouble and silent_s >= QUIET_S and job.looks_over and silent_s >= quiet_s(job):
            self.inquests.ask(job, now_s, stalled=False)
        elif job.trouble and silent_s >= PASSING_S:
            self.inquests.ask(job, now_s, stalled=True)
        elif not REFUTED & job.open.keys() and signs.stands_still(job, now_s, self.options.stall_least_s):
            job.has_ended = signs.is_at_its_end(job.leader)
            if not job.has_ended:
                self.inquests.ask(job, now_s, stalled=True)

    def judge_steps(self, job: WatchedJob, now_s: float) -> None:
        """Tell what is wrong with a job that runs."""
        if not job.has_news and len(job.logs) == 1:
            return
        job.has_news = False
        for kind, words in signs.troubles(job, now_s, self.options.stall_least_s):
            if kind not in job.open:
                cause = kind if kind == "slower" else ""
                self.report(job, telling.event(job, kind, words, now_s, job.leader, cause=cause))

    def end_of(self, job: WatchedJob) -> LogEnd | None:
        """Give the end of a job that somebody knows of; of many logs each must be at its end."""
        for known in self.ends:
            ends = [end_of_rank(known, logs) for logs in job.ranks.values()]
            if ends and all(end is not None for end in ends):
                return next((end for end in ends if end and not end.well), ends[0])
        return None

    def report(self, job: WatchedJob, event: WatchEvent) -> None:
        """Write an event down, show it, and hand it to those who send."""
        job.open[event.kind] = job.leader.step[1]
        self.journal.add(event)
        self.tell(event)
        if event.kind in URGENT and self.options.channels:
            self.gathering.add(event, self.now_s)

    def end(self, job: WatchedJob, kind: Kind) -> None:
        """Note that something is no longer wrong."""
        job.open.pop(kind, None)
        self.journal.over(job.name, kind)

    @property
    def is_busy(self) -> bool:
        """Tell whether answers or messages are still on their way."""
        waits = self.pool.waiting or self.pool.busy or self.gathering.waiting or self.outbox.is_busy
        return bool(waits) or any(
            job.is_unread or job.reads_on or job.is_dirty or job.is_settling for job in self.jobs.values()
        )

    def close(self) -> None:
        """Let the readers go; what a channel has not taken, the next watch sends."""
        for known in self.ends:
            known.close()
        self.pool.close()
        self.outbox.close()
        self.journal.close()


def end_of_rank(known: KnowsEnds, logs: Sequence[Log]) -> LogEnd | None:
    """Give the end of one process: an engine may know it by one of its logs; whoever sees files let go must see all."""
    ends = [known.end_of(log.path) for log in logs]
    told = next((end for end in ends if end is not None and end != LogEnd()), None)
    return told or (ends[0] if all(end is not None for end in ends) else None)


def quiet_s(job: WatchedJob) -> float:
    """Give how long a job that has said something bad must be silent.

    Longer where it always pauses, is held open, or nobody says that a process is gone: an exception may be caught.
    """
    log = job.leader
    usual_s = min(1.5 * (log.usual_s or 0.0), HELD_S)
    return max(QUIET_S if job.looks_over == "said" else RAISED_S, usual_s, HELD_S if has_writer(log.path) else 0.0)


def serve(watch: WatchService, every_s: float, is_over: Callable[[], bool], show: Callable[[], None]) -> None:
    """Look again and again until somebody says that it is over."""
    while not is_over():
        began_s = time.monotonic()
        watch.look(time.time())
        show()
        watch.pipes.sleep(0.0)
        while (rest_s := began_s + every_s - time.monotonic()) > 0 and not is_over():
            watch.pipes.sleep(min(rest_s, 0.2))
