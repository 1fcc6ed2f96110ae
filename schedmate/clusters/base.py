"""What a policy needs of an engine, and the events that it tells."""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from schedmate.clusters.jobs import JobProgress, LiveJob, Placement


class NodeSpec(NamedTuple):
    """A node as its owner describes it."""

    name: str
    gpus: int
    kind: str = "gpu"
    vc: str = ""
    island: str = ""
    rack: str = ""
    """What it is near to, where that is known."""


class Submitted(NamedTuple):
    """A job has come in, or has come back after a start that failed."""

    job: LiveJob


class Ended(NamedTuple):
    """A job runs no more; `node_fail` means that it did not end of itself."""

    job: LiveJob
    status: str


class FoundRunning(NamedTuple):
    """A job runs that the loop did not start: before it came up, or as the engine chose; `partner` shares its GPUs."""

    job: LiveJob
    placement: Placement
    partner: LiveJob | None = None
    since_s: float | None = None


class Withdrawn(NamedTuple):
    """A job that waits is to wait no more: cancelled, held, or ended after all while it was being stopped."""

    job: LiveJob
    status: str


class Learned(NamedTuple):
    """More is known of a job than when it came: a reader has answered."""

    job: LiveJob


class NodeDown(NamedTuple):
    """A node takes no more jobs; the jobs that were on it get an `Ended` of their own."""

    node: str


class NodeUp(NamedTuple):
    """A node is back, or a spare has come in."""

    node: NodeSpec


class GpusDown(NamedTuple):
    """GPUs of a node take no more jobs while the node stays up; the jobs on them get an `Ended` of their own."""

    node: str
    mask: int


class GpusUp(NamedTuple):
    """GPUs of a node are back; a node that comes up brings all of its GPUs back by itself."""

    node: str
    mask: int


Event = Submitted | Ended | NodeDown | NodeUp | GpusDown | GpusUp | FoundRunning | Withdrawn | Learned


class Clock(Protocol):
    """Time as the loop sees it, so that tests of the loop take none."""

    def now_s(self) -> float:
        """Give seconds since an origin that stays the same while the program runs."""
        ...


class Cluster(Clock, Protocol):
    """What the loop asks of an engine. Calls return at once; what became of them comes back as events."""

    def nodes(self) -> Sequence[NodeSpec]:
        """List the nodes that are up now."""
        ...

    def wait(self, until_s: float | None) -> Sequence[Event] | None:
        """Sleep until something happened or `until_s`; `[]` at the latter, and when woken by others.

        None says that nothing can ever happen again.

        All events of one moment come in one answer: ends (and whatever else frees or fills GPUs) first, then nodes,
        then submissions and withdrawals as they came. A job that has come is never submitted again while it waits or
        runs.
        """
        ...

    def start(self, job: LiveJob, placement: Placement, partner: LiveJob | None = None) -> None:
        """Run a job on these GPUs, shared with the partner that already runs there if one is named."""
        ...

    def preempt(self, job: LiveJob) -> None:
        """Stop a job so that a later start goes on from its last checkpoint."""
        ...

    def resize(self, job: LiveJob, placement: Placement) -> None:
        """Move a running job onto other GPUs, maybe more or fewer; it pays a restart."""
        ...

    def speed(self, job: LiveJob) -> float | None:
        """Tell a running job's progress relative to running alone; None while it is not known."""
        ...

    def progress(self, job: LiveJob) -> JobProgress:
        """Tell how far a job that runs, or was stopped, has come, by its own word and by what it left on disk."""
        ...
