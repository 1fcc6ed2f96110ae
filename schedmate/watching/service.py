"""The watch: look at all logs, have those that fell silent read, tell what is wrong, and remember that it was told."""

import os
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from schedmate.clusters.log_ends import KnowsEnds, LogEnd
from schedmate.readers.progress.learned import all_formats
from schedmate.readers.progress.reading import shared_shapes
from schedmate.scheduling.live.timings import READING_BOUNDS
from schedmate.scheduling.live.worker_pool import Poll, WorkerPool
from schedmate.schemas import Diagnosis
from schedmate.tools.exposition import Histogram
from schedmate.tools.messages import MailServer
from schedmate.watching import signs, telling
from schedmate.watching.channels import Channel
from schedmate.watching.events import URGENT, Kind, WatchEvent
from schedmate.watching.finding import Finder, job_of
from schedmate.watching.gathering import GATHER_S, DeathGathering
from schedmate.watching.job import Log, WatchedJob
from schedmate.watching.journal import Journal
from schedmate.watching.outbox import Outbox, QuietHours
from schedmate.watching.ownership import has_writer

NO_MAIL = MailServer()
READER = "schedmate.scheduling.live.reader_worker"
READING_LIMIT_S = 120.0
QUIET_S = 8.0
"""A log that has said something bad and nothing since for so long is read."""
HELD_S = 20.0
"""So long where a process still holds the log open, or where such pauses are usual."""
SETTLED_S = 2.0
"""Where a job is known to be over, what it still had in its buffers is in the log after so long."""
PASSING_S = 300.0
"""Trouble that does not look like an end is given so long to pass."""
BUDGET_S = 0.25
"""CPU seconds of one look that go into working out metrics; the others have their turn at the next."""
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
    engine: str = "built-in"


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
        self.since_s = max(journal.begun_s or 0.0, min(journal.last_look_s, now_s) - IDLE_S)
        """What was last written to before that is passed by; what the watch before this one had not settled is not."""
        self.jobs: dict[str, WatchedJob] = {}
        self.turns: deque[str] = deque()
        self.pipes = Poll()
        self.pool = WorkerPool(self.pipes, READER, options.readers)
        self.reading_s = Histogram.of(*READING_BOUNDS)
        """How long readings took, their turn waited for."""
        self.gathering = DeathGathering(options.gather_s)
        self.outbox = Outbox(journal, options.channels, options.mail, options.quiet, now_s)
        self.counts = (0, 0)
        """How many logs there are, and how many jobs are followed."""

    def look(self, now_s: float) -> None:
        """Do one round: find, read, judge, tell, send."""
        self.now_s = now_s
        if self.finder.is_due(now_s):
            self.find(now_s)
        for job in self.jobs.values():
            if job.poll(now_s):
                self.went_on(job, now_s)
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
        seen = set()
        for path, written_s in self.finder.find(now_s):
            seen.add(path)
            name = job_of(path)
            job = self.jobs.get(name)
            if (job is not None and path in job.logs) or written_s < self.since_s:
                continue
            if job is None:
                job = self.jobs[name] = WatchedJob(name, self.journal.open.get(name, {}))
                self.turns.append(name)
            alone = self.jobs.pop(path, None) if name != path else None  # its errors came before its output did
            job.logs[path] = alone.logs[path] if alone else Log(path, self.shapes)
        for name, job in [*self.jobs.items()]:
            for path in job.logs.keys() - seen:
                del job.logs[path]
            if not job.logs or (now_s - job.grew_s > IDLE_S and not job.is_asked):
                del self.jobs[name]
        self.counts = len(seen), len(self.jobs)

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
        if "died" in over:
            for steady in STEADY:
                self.end(job, steady)
            said = f"{job.leader.path} goes on after all: it is at step {step:g}"
            self.report(job, telling.event(job, "went_on", said, now_s, job.leader))
            self.end(job, "went_on")

    def judge(self, job: WatchedJob, now_s: float) -> None:
        """See whether anything is wrong with a job that was not before."""
        if job.is_asked or job.has_ended or "died" in job.open or job.reads_on or job.is_dirty:
            return
        least_s = self.options.stall_least_s
        silent_s = now_s - job.grew_s
        end = self.end_of(job)
        job.is_settling = end is not None and silent_s < SETTLED_S
        if job.is_settling:
            return
        if end is not None:
            job.has_ended = end.well or end.is_meant
            if not job.has_ended:
                self.ask(job, now_s, stalled=False, end=end)
            return
        if job.trouble and silent_s >= QUIET_S and job.looks_over and silent_s >= quiet_s(job.leader):
            self.ask(job, now_s, stalled=False)
        elif job.trouble and silent_s >= PASSING_S:
            self.ask(job, now_s, stalled=True)
        elif not REFUTED & job.open.keys() and signs.stands_still(job, now_s, least_s):
            job.has_ended = signs.is_at_its_end(job.leader)
            if not job.has_ended:
                self.ask(job, now_s, stalled=True)
        if job.has_news or len(job.logs) > 1:
            job.has_news = False
            for kind, words in signs.troubles(job, now_s, least_s):
                if kind not in job.open:
                    self.report(job, telling.event(job, kind, words, now_s, job.leader))

    def end_of(self, job: WatchedJob) -> LogEnd | None:
        """Give the end of a job that somebody knows of; of many logs each must be at its end."""
        for known in self.ends:
            ends = [end_of_rank(known, logs) for logs in job.ranks.values()]
            if ends and all(end is not None for end in ends):
                return next((end for end in ends if end and not end.well), ends[0])
        return None

    def ask(self, job: WatchedJob, now_s: float, stalled: bool, end: LogEnd | None = None) -> None:
        """Have a job's log read by somebody who takes his time."""
        asked = {"kind": "diagnose", "log": job.leader.path, "files": job.files, "workdir": os.devnull}
        asked |= {"engine": self.options.engine}
        asked |= {"exited": end.said} if end else {}
        job.is_asked = True
        for log in job.logs.values():
            log.trouble = False
        done = partial(self.answered, job, stalled, end, job.grew_s, time.monotonic())
        self.pool.ask(asked, READING_LIMIT_S, done, now_s, urgent=not stalled)

    def answered(
        self, job: WatchedJob, stalled: bool, end: LogEnd | None, grew_s: float, asked_s: float, answer: dict[str, Any]
    ) -> None:
        """Take in what was read; a job that has printed meanwhile is judged anew."""
        self.reading_s.add(time.monotonic() - asked_s)
        job.is_asked = False
        if not job.logs:
            return
        log = job.leader
        if job.grew_s != grew_s:
            log.trouble = True
            return
        found = Diagnosis.model_validate(answer["diagnosis"]) if "diagnosis" in answer else None
        if end is not None:
            self.over(job, end, found, str(answer.get("checkpoint") or ""))
        elif found is not None and telling.is_end(found):
            job.has_ended = True
        elif found is not None and telling.is_death(found, not stalled, job.is_seen_gone):
            self.report(job, telling.death(job, found, str(answer.get("checkpoint") or ""), self.now_s))
        elif stalled and (signs.is_unfinished(log) or has_writer(log.path)):
            self.report(job, telling.stall(job, self.now_s, found))
            log.hung_s = min(log.hung_s, self.now_s - log.moved_s)
        elif stalled:
            self.report(job, telling.silence(job, self.now_s))

    def over(self, job: WatchedJob, end: LogEnd, found: Diagnosis | None, checkpoint: str) -> None:
        """Tell of a job that is over for sure: of what it died, or that its log does not say."""
        if found is not None and found.category != "none":
            self.report(job, telling.death(job, found, checkpoint, self.now_s))
        elif end.said or signs.is_unfinished(job.leader):
            self.report(job, telling.wordless(job, end.said, self.now_s))
        else:
            job.has_ended = True

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
        return bool(waits) or any(job.reads_on or job.is_dirty or job.is_settling for job in self.jobs.values())

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


def quiet_s(log: Log) -> float:
    """Give how long a log that has said something bad must be silent: longer where it always pauses, or is held."""
    usual_s = min(1.5 * (log.usual_s or 0.0), HELD_S)
    return max(QUIET_S, usual_s, HELD_S if has_writer(log.path) else 0.0)


def serve(watch: WatchService, every_s: float, is_over: Callable[[], bool], show: Callable[[], None]) -> None:
    """Look again and again until somebody says that it is over."""
    while not is_over():
        began_s = time.monotonic()
        watch.look(time.time())
        show()
        while (rest_s := began_s + every_s - time.monotonic()) > 0 and not is_over():
            watch.pipes.wait(min(rest_s, 0.2))
