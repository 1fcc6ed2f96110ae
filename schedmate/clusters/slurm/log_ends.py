"""How the jobs of logs ended, asked of Slurm beside whoever watches: the controller knows an end for minutes."""

import os
import threading
from collections.abc import Iterable, Sequence
from contextlib import suppress

from schedmate.clusters.log_ends import LogEnd
from schedmate.clusters.managed import Refused, Unreachable
from schedmate.clusters.slurm.commands import Commands
from schedmate.clusters.slurm.log_names import log_of, may_read
from schedmate.clusters.slurm.past_ends import MEANT, ends_by_name
from schedmate.clusters.slurm.records import JobRecord, SlurmQueue
from schedmate.readers.failures.exit_codes import said_of_end

EVERY_S = 8.0
FIRST_S = 10.0
MOST = 200_000


class SlurmEnds:
    """Asks every few seconds, in a thread of its own: a slow controller keeps nobody from reading logs."""

    def __init__(self, commands: Commands | None = None, every_s: float = EVERY_S) -> None:
        self.queue = SlurmQueue(commands or Commands(), ())
        self.every_s = every_s
        self.known: dict[str, LogEnd | None] = {}
        """None: the job runs, or waits to run again."""
        self.said = ""
        self.followed: frozenset[str] = frozenset()
        self.looked_up: set[str] = set()
        """What the accounting was asked about; it has an end for good, or none."""
        self.over, self.named, self.answered = threading.Event(), threading.Event(), threading.Event()
        threading.Thread(target=self.ask_on, name="slurm-ends", daemon=True).start()

    def ask_on(self) -> None:
        """Ask until told to stop."""
        self.named.wait(FIRST_S)
        while not self.over.is_set():
            try:
                self.take([*self.queue.jobs().values()])
                self.said = ""
                self.look_back()
            except (Refused, Unreachable) as error:
                self.said = error.message
            self.answered.set()
            self.over.wait(self.every_s)

    def look_back(self) -> None:
        """Ask the accounting, once, about logs of which the controller knows no job: it forgets those that are over."""
        fresh = {path for path in self.followed - self.looked_up if os.path.realpath(path) not in self.known}
        self.looked_up |= fresh
        if fresh:
            with suppress(Refused, Unreachable):  # many sites keep none
                self.known = {**self.known, **ends_by_name(self.queue.commands, fresh)}

    def take(self, jobs: Sequence[JobRecord]) -> None:
        """Take an answer in; an end that the controller has forgotten stays known."""
        ended: dict[str, LogEnd | None] = {path: end for path, end in self.known.items() if end is not None}
        while len(ended) > MOST:
            del ended[next(iter(ended))]
        self.known = ended | ends_of(jobs, os.getuid())

    def look(self, paths: Iterable[str], now_s: float) -> None:
        """Hear which logs are followed; at first wait for an answer, or what is long over would seem to hang."""
        self.followed = frozenset(paths)
        self.named.set()
        self.answered.wait(0.0 if self.answered.is_set() else FIRST_S)
        self.answered.set()

    def end_of(self, path: str) -> LogEnd | None:
        """Give how the job of a log ended, by the last answer."""
        return self.known.get(os.path.realpath(path))

    def close(self) -> None:
        """Stop asking; a question that is under way is not waited for."""
        self.over.set()


def ends_of(jobs: Sequence[JobRecord], caller: int) -> dict[str, LogEnd | None]:
    """Give each log's end; of jobs that share a log the one handed in last speaks, and one that runs before all."""
    found: dict[str, tuple[bool, float, LogEnd | None]] = {}
    for job in jobs:
        log = log_of(job)
        if not log or not may_read(log, job.uid, caller):
            continue
        path, end = os.path.realpath(log), end_of(job)
        mine = end is None, job.submit_s, end
        if path not in found or mine[:2] >= found[path][:2]:
            found[path] = mine
    return {path: end for path, (_, _, end) in found.items()}


def end_of(job: JobRecord) -> LogEnd | None:
    """Read how a job ended; None while it is not over."""
    if job.phase != "over":
        return None
    return LogEnd(said_of_end(job.code, job.state), job.state == "COMPLETED", job.state in MEANT)
