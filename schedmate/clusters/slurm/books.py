"""What all parts of the cluster share: the jobs that are not over, their runs, and what Slurm said last."""

from collections.abc import Sequence
from pathlib import Path

from schedmate.clusters.base import Clock, Event, Submitted
from schedmate.clusters.job_rows import live_job
from schedmate.clusters.jobs import LiveJob
from schedmate.clusters.managed import Can, Refused
from schedmate.clusters.slurm.commands import Commands
from schedmate.clusters.slurm.records import JobRecord, NodeRecord
from schedmate.clusters.slurm.runs import SlurmRun
from schedmate.clusters.steady_clock import SteadyClock
from schedmate.clusters.waiting import Waiting
from schedmate.history.live import LiveStore
from schedmate.history.live_rows import LiveRow

SOON_S = 1.0
"""After we have asked Slurm for something, it is looked at sooner."""
DONE_ALREADY = ("is pending execution", "already finished", "already completing", "invalid job id", "not held")
"""What Slurm says where a thing asked twice has been done once."""


class Books:
    """The store is the truth; what stands here was read from it, or is to be asked of Slurm again."""

    def __init__(self, store: LiveStore, commands: Commands, can: Can, every_s: float, gone_s: float) -> None:
        self.store = store
        self.commands = commands
        self.can = can
        self.every_s = every_s
        self.gone_s = gone_s
        """After so long without us Slurm starts by itself what waits for the policy to place it."""
        self.clock: Clock = SteadyClock()
        self.folder = store.data_dir.resolve() / "jobs"
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self.waiting: Waiting
        """Set by whoever looks."""
        self.due_s = 0.0
        """When Slurm is looked at next."""
        self.is_unhanded = True
        """Whether something of the store may wait to be handed in."""
        self.jobs: dict[int, LiveJob] = {}
        """Jobs that Slurm has and that are not over."""
        self.names = store.numbers()
        self.held: dict[int, SlurmRun] = {}
        """Runs that have not ended, or are about to begin."""
        self.leaving: set[int] = set()
        self.half_held: set[str] = set()
        """Jobs that Slurm was asked to hold and of which the store does not say so yet; unwritten, it is taken back."""
        self.seen: dict[str, JobRecord] = {}
        """Jobs as Slurm had them at the last look."""
        self.known: dict[str, NodeRecord] = {}
        """Nodes, likewise."""
        self.odd: list[str] = []

    def now_s(self) -> float:
        """Give the steady time."""
        return self.clock.now_s()

    def soon(self) -> None:
        """Look sooner than it is time for."""
        self.due_s = min(self.due_s, self.now_s() + min(SOON_S, self.every_s))

    def post(self, event: Event) -> None:
        """Tell the loop, once what is being written is safe."""
        self.store.when_written(lambda: self.waiting.posted.append(event))

    def unpost(self, kind: type, job: LiveJob) -> None:
        """Take back events of a job that the loop has not heard of yet."""
        posted = self.waiting.posted
        posted[:] = [one for one in posted if not (isinstance(one, kind) and getattr(one, "job", None) is job)]

    def hold_row(self, row: LiveRow) -> LiveJob:
        """Keep a job that is not over."""
        job = self.jobs[row.id] = live_job(row)
        job.most_gpus = 0  # it keeps the size that Slurm was asked for
        if row.engine_id:
            self.names[row.engine_id] = row.id
        return job

    def submitted(self, number: int) -> None:
        """Tell of a job that waits."""
        self.post(Submitted(self.jobs.get(number) or self.hold_row(self.store.job(number))))

    def log_of(self, number: int) -> Path:
        """Name the log of a job of ours; its runs go on in one file, as Slurm's requeued jobs do."""
        return self.folder / "slurm" / f"{number}.log"

    def told_of(self, number: int) -> Path:
        """Name the file that tells a run of ours its place and checkpoint."""
        return self.folder / "slurm" / f"{number}.sh"

    def ask(self, *words: str, done: Sequence[str] = DONE_ALREADY) -> None:
        """Have Slurm do something that may have been done already."""
        try:
            self.commands.run(*words)
        except Refused as error:
            if not any(said in error.message.lower() for said in done):
                raise
