"""What is held of this machine's jobs and runs while a loop is up; how runs begin and end is told of it elsewhere."""

from collections import deque
from collections.abc import Iterable, Sequence
from pathlib import Path

from schedmate.clusters import Clock, Event, LiveJob, NodeSpec, Placement
from schedmate.clusters.local.nodes import LocalNodes
from schedmate.clusters.local.runs import LocalRun
from schedmate.clusters.local.systemd_scope import RunScope
from schedmate.clusters.managed import GRACE_S
from schedmate.clusters.steady_clock import SteadyClock
from schedmate.clusters.waiting import Waiting
from schedmate.history.database import identity
from schedmate.history.live import Changes, LiveStore

SCAN_S = 1.0
"""How often every run is looked at; those that end of themselves say so at once."""


class LocalBooks(LocalNodes):
    """Jobs that are not over and their runs, beside the store, which holds what must outlive a kill."""

    waiting: Waiting
    """Events for the loop; made by who finds out what has happened."""

    def __init__(
        self,
        nodes: Sequence[NodeSpec],
        store: LiveStore,
        clock: Clock | None = None,
        grace_s: float = GRACE_S,
        examines: bool = False,
        logs: Path | None = None,
    ) -> None:
        super().__init__(nodes, store)
        self.clock = clock or SteadyClock()
        self.grace_s = grace_s
        self.folder = store.data_dir.resolve() / "jobs"
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self.most_log_bytes = 0
        """What a job may write into its log; 0: as much as the disk holds."""
        self.logs = logs
        """Where logs lie that their owners may open; none: each in the folder of its run."""
        self.limits_every_s = 5.0
        """How often a job is looked at for its limits."""
        self.scope: RunScope | None = None
        """Where runs get their control groups; without it, beside ours."""
        self.examines = examines
        """Whether somebody looks at failed jobs before they are given up."""
        self.jobs: dict[int, LiveJob] = {}
        """Every job that is not over, by its number."""
        self.runs: dict[tuple[int, int], LocalRun] = {}
        self.leaving: list[LocalRun] = []
        self.changes = Changes(store)
        self.newest = 0
        self.scanned_s = 0.0
        self.turns: deque[tuple[int, int]] = deque()
        self.named: set[tuple[int, int]] = set()
        """Runs that are to be looked at before their turn."""
        self.identity = identity(store.connection)
        self.odd: list[str] = []
        """What was found that did not belong here, in words, for whoever tells people."""

    def now_s(self) -> float:
        """Give the steady time."""
        return self.clock.now_s()

    def post(self, event: Event) -> None:
        """Let the loop hear of something at its next look, once what is being written is safe."""
        self.store.when_written(lambda: self.waiting.posted.append(event))

    def running(self) -> Iterable[LocalRun]:
        """List what runs, or is about to."""
        return self.runs.values()

    def make_run(self, job: LiveJob, run: int, placement: Placement, partner: int | None) -> LocalRun:
        """Hold a run of a job here."""
        made = LocalRun(job, run, self.folder_of(job, run), placement, partner)
        if self.logs is not None:
            made.log = str(self.logs / f"{job.number}.{run}.log")
        return made

    def current(self, job: LiveJob) -> LocalRun | None:
        """Give the run that a job is in, unless it is being stopped."""
        found = [run for (number, _), run in self.runs.items() if number == job.number and not run.stopping]
        return found[-1] if found else None

    def folder_of(self, job: LiveJob, run: int) -> Path:
        """Name a run's folder."""
        return self.folder / str(job.number) / str(run)
