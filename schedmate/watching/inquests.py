"""Have the logs of jobs read that seem to be dead or to hang, and say what the answers mean."""

import os
import time
from collections.abc import Callable
from functools import partial
from typing import Any

from schedmate.choices import EngineChoice
from schedmate.clusters.log_ends import LogEnd
from schedmate.schemas import Diagnosis
from schedmate.tools.exposition import Histogram
from schedmate.tools.shortening import short
from schedmate.watching import signs, telling
from schedmate.watching.events import WatchEvent
from schedmate.watching.job import WatchedJob
from schedmate.watching.last_words import LATE_LINES
from schedmate.watching.ownership import has_writer
from schedmate.workers.worker_pool import READING_BOUNDS, WorkerPool

READING_LIMIT_S = 120.0

MOST_READINGS = 3
"""So often a log is read whose reader was lost."""


class Inquests:
    """What is being read, by helpers that may be lost over it, and what is reported of it."""

    def __init__(
        self,
        pool: WorkerPool,
        engine: EngineChoice,
        stall_least_s: float,
        report: Callable[[WatchedJob, WatchEvent], None],
    ) -> None:
        self.pool = pool
        self.engine = engine
        self.stall_least_s = stall_least_s
        self.report = report
        self.now_s = 0.0
        self.reading_s = Histogram.of(*READING_BOUNDS)
        """How long readings took, their turn waited for."""

    def ask(self, job: WatchedJob, now_s: float, stalled: bool, end: LogEnd | None = None) -> None:
        """Have a job's log read by somebody who takes his time."""
        asked = {"kind": "diagnose", "log": job.leader.spoken, "files": job.files, "workdir": os.devnull}
        asked |= {"engine": self.engine}
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
        if job.grew_s != grew_s or self.is_tried_again(job, answer):
            log.trouble = True
            return
        found = of_the_last_run(Diagnosis.model_validate(answer["diagnosis"])) if "diagnosis" in answer else None
        if end is not None:
            self.over(job, end, found, str(answer.get("checkpoint") or ""))
        elif found is not None and telling.is_end(found):
            job.has_ended = True
        elif found is not None and telling.is_death(found, not stalled, bool(job.seen_gone())):
            self.report(job, telling.death(job, found, str(answer.get("checkpoint") or ""), self.now_s))
        elif stalled and signs.may_go_on(job, self.now_s, self.stall_least_s):
            return
        elif stalled and (signs.is_unfinished(log) or has_writer(log.path)):
            self.report(job, telling.stall(job, self.now_s, found))
            log.hung_s = min(log.hung_s, self.now_s - log.moved_s)
        elif stalled:
            self.report(job, telling.silence(job, self.now_s))
        elif word := job.seen_gone(LATE_LINES):
            why = "its log does not say why" if found else f"its log could not be read: {answer.get('error')}"
            self.report(job, telling.wordless(job, f"{short(word.strip(), 160)}; {why}", self.now_s))

    def is_tried_again(self, job: WatchedJob, answer: dict[str, Any]) -> bool:
        """Tell whether a reading that failed is to be tried once more: a reader may be killed, a file system slow."""
        job.failed_readings = job.failed_readings + 1 if "diagnosis" not in answer else 0
        return 0 < job.failed_readings < MOST_READINGS

    def over(self, job: WatchedJob, end: LogEnd, found: Diagnosis | None, checkpoint: str) -> None:
        """Tell of a job that is over for sure: of what it died, or that its log does not say."""
        if found is not None and found.category != "none":
            self.report(job, telling.death(job, found, checkpoint, self.now_s))
        elif end.said or signs.is_unfinished(job.leader):
            self.report(job, telling.wordless(job, telling.without_reason(end.said), self.now_s))
        else:
            job.has_ended = True


def of_the_last_run(found: Diagnosis) -> Diagnosis:
    """Leave out what ended a run after which the job was started again and got on: that is no news of this one."""
    if found.running_again_line is None:
        return found
    return Diagnosis(
        category="none", confidence=found.confidence / 2, log=found.log, logs=found.logs, notes=found.notes
    )
