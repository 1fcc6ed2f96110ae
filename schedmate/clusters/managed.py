"""What live operation and recovery ask of an engine, beyond what a policy asks: the docstrings are the contract.

A job has one number, the store's, wherever it is spoken of; the engine's own name of it is `LiveJob.job_id`. All that
changes something may be asked twice, by a loop that was killed before it could write down that it had asked: twice does
what once does. An engine that does not answer raises `Unreachable` where something is asked of it now, tells nothing in
`wait` meanwhile, and afterwards all that it missed. `docs/adapters.md` says for each call how Slurm and Ray do it.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, Protocol

from schedmate.clusters.base import Cluster, Event, NodeSpec
from schedmate.clusters.jobs import LiveJob, Placement
from schedmate.errors import SchedMateError
from schedmate.history.live_rows import Submission

ISOLATED, SPARE, DRAINED = "isolated", "spare", "drained"

NODES = "{nodes}"
"""Stands in a launcher's words for the nodes that are meant."""
GRACE_S = 10.0
"""Time between asking a job to end and ending it, unless the owner says another (`cli/up.py` shows it in its help)."""


Cancelled = Literal["stopping", "cancelled", "over"]
"""What became of a job that was to be cancelled: its processes are being ended; it had none; it was over before."""


class Unreachable(SchedMateError):
    """Say that the engine does not answer; whatever was asked is to be asked again."""


class Refused(SchedMateError):
    """Say that the engine answers and will not: no right, no such job, a job of somebody else."""


class Denied(Refused):
    """Say that nothing of the kind can be done from here: no right, or no such program."""


class Can(NamedTuple):
    """What an engine can do; what it cannot is not asked of it."""

    place: bool = True
    """Start a job on the very GPUs that the policy chose; else it schedules itself and tells of `FoundRunning`."""
    order: bool = False
    """Let itself be told in which order waiting jobs should start."""
    share: bool = True
    """Put two jobs on the same GPUs."""
    resize: bool = True
    """Let a job go on with more or fewer GPUs than it was handed in with."""
    mark: bool = True
    """Keep nodes from new jobs."""
    scripts: bool = False
    """Keep the scripts of jobs that others handed to it: `engines.handed_in` asks for one."""
    here: bool = False
    """All its nodes are this machine: its driver tells of their GPUs, and programs run on them with no launcher."""


class Mark(NamedTuple):
    """Our reason to keep a node from jobs, and the action of the audit trail that it goes back to; 0: none."""

    kind: str
    """ISOLATED; SPARE for one that is kept in reserve; DRAINED by a person."""
    action: int = 0


class NodeState(NamedTuple):
    """A node as the engine sees it now."""

    spec: NodeSpec
    state: Literal["up", "marked", "down"] = "up"
    """`marked`: kept from new jobs on purpose, by us or by others; `down`: it failed, or does not answer."""
    reason: str = ""
    """In the engine's own words, or in those of whoever marked it."""
    by: str = ""
    """Who marked it: a user's name, `schedmate` for us."""
    mark: Mark | None = None
    """Ours, as long as nobody has changed it since."""
    address: str = ""
    """Where other nodes reach it; empty: under its name."""


class Facts(NamedTuple):
    """What the engine knows of a run, whatever its log says."""

    log: str
    """Where it writes; the path need not be readable here, nor there yet. Empty: there is none that we may read."""
    code: int | None = None
    """Exit status, minus the signal's number where one ended it; None while it runs, or where nobody knows."""
    reason: str = ""
    """Why it ended, in the engine's own words: `OUT_OF_MEMORY`, `NODE_FAIL`, `TIMEOUT`; empty where it has none."""
    environment: Mapping[str, str] = {}
    """What the run was told of its place, share and checkpoint; empty where the engine keeps no such thing."""
    evidence: tuple[str, ...] = ()
    """What else it knows of the run's end, for people who read why it died: limits, nodes that are not well."""


class EngineRun(Protocol):
    """A run that has not ended: its processes are there, or are about to be."""

    @property
    def job(self) -> LiveJob: ...
    @property
    def run(self) -> int:
        """Count the runs of a job from 1; a requeue under the same name in the engine is another run."""
        ...

    @property
    def placement(self) -> Placement: ...
    @property
    def partner(self) -> int | None:
        """Number of the job beside which it was started, which stays even when that one has gone."""
        ...

    @property
    def began_s(self) -> float | None:
        """Since when its processes run; None while they are only about to."""
        ...

    @property
    def log(self) -> str:
        """Where it writes; empty where there is none yet, or none that may be read."""
        ...


@dataclass(frozen=True)
class Wish:
    """What the command line says of an engine; failures are always examined under `up`."""

    nodes: Sequence[NodeSpec] = ()
    """For an engine that has none of its own."""
    grace_s: float = GRACE_S
    """Time between asking a job to end and ending it."""
    words: Mapping[str, str] = field(default_factory=dict)
    """The engine's own options."""
    log_gib: float = 0.0
    """What a run may write into its log, where we hold it; 0: as much as the disk holds."""


class ManagedCluster(Cluster, Protocol):
    """An engine under `schedmate up`: what it holds it books in the store that it was opened with.

    Jobs come from two sides, and both as one `Submitted`: rows that others put into the store are handed to the engine,
    and jobs that others handed to the engine become rows. What runs when it is opened comes as `FoundRunning`, in the
    first answer of `wait`; so does what the engine starts by itself. Who opens it says whether failures are examined:
    then a job that failed is `examined` in the store until `requeue`, `hold` or `give_up` says what becomes of it.
    """

    @property
    def can(self) -> Can:
        """Tell what it can do; the same as long as it is open."""
        ...

    @property
    def trouble(self) -> str:
        """Say why the engine does not answer; empty while it does."""
        ...

    def remarks(self) -> Sequence[str]:
        """Give, once, what people should hear of beside events: what was odd, what was found that is not ours."""
        ...

    def close(self) -> None:
        """Let go of everything; jobs go on, and marks stay."""
        ...

    # Waiting: `wait` also serves pipes, and comes back with [] whenever one of them, or the wake pipe, has spoken.

    def serve(self, pipe: int, work: Callable[[], None]) -> None:
        """Call `work` from within `wait` whenever there is something to read."""
        ...

    def leave(self, pipe: int) -> None:
        """Watch a pipe no more."""
        ...

    def nudge(self) -> None:
        """Let `wait` come back soon; may be called from a signal's handler."""
        ...

    def post(self, event: Event) -> None:
        """Tell an event of somebody else's in the next answer of `wait`."""
        ...

    # Jobs

    def job(self, number: int) -> LiveJob | None:
        """Give a job that is not over: the very object that events tell of."""
        ...

    def running(self) -> Iterable[EngineRun]:
        """List what runs now."""
        ...

    def facts(self, number: int, run: int) -> Facts:
        """Tell what is known of a run, also of one that is over for long."""
        ...

    def submit(self, job: Submission, token: str) -> int:
        """Take a job and give its number; the same token gives the same job."""
        ...

    def cancel(self, number: int) -> Cancelled:
        """End a job for good, whatever it does; its end comes as `Ended` or `Withdrawn`."""
        ...

    def hold(self, number: int, reason: str) -> None:
        """Keep a job that does not run from running; one that waits comes as `Withdrawn`."""
        ...

    def release(self, number: int, reason: str = "") -> None:
        """Let a job that is held wait for its turn: it comes as `Submitted`."""
        ...

    def requeue(self, number: int, reason: str) -> None:
        """Let a job that is over wait again, under its number, to go on from the checkpoint that its row names."""
        ...

    def give_up(self, number: int, reason: str) -> None:
        """Leave a job dead that was to be examined."""
        ...

    def tell(self, number: int, words: str) -> None:
        """Put words where a job's users see them, of one that is over too; never fails, and may be no place for any."""
        ...

    def order(self, jobs: Sequence[LiveJob]) -> None:
        """Let waiting jobs start in this order, as far as the engine lets itself be told; only where `can.order`.

        Never fails: what an engine out of reach was not told, it is told later, or the next order tells it.
        """
        ...

    # Nodes

    def states(self) -> Sequence[NodeState]:
        """List all nodes in their order, with those that take no jobs; as last known while it does not answer."""
        ...

    def mark(self, node: str, mark: Mark, reason: str = "") -> None:
        """Keep a node from new jobs, across restarts; what runs there goes on. A mark that is there already stays."""
        ...

    def unmark(self, node: str, mark: Mark) -> bool:
        """Take back this very mark; False where there is another's, or somebody has changed it since."""
        ...

    def reserve(self, nodes: Iterable[str], limit_s: float) -> None:
        """Give nodes no new jobs while something is tested there; it ends with this process, or after `limit_s`."""
        ...

    def let_go(self, nodes: Iterable[str]) -> None:
        """End a reservation; never fails: what cannot be ended now ends later. A node marked meanwhile stays so."""
        ...

    def devices(self, node: str, slots: Iterable[int]) -> tuple[int, ...]:
        """Number slots as the driver of the node's own host does; none for processors."""
        ...

    def launcher(self, nodes: Sequence[str]) -> tuple[str, ...]:
        """Give the words before a command that runs it once on each of some of these nodes; none: all are here.

        `{nodes}` in them stands for the nodes that are meant, with commas between; they run it together. The words are
        handed to another process and used there while the nodes are reserved. The command ends when the launcher is
        killed, its input and output are the launcher's, its status is other than 0 if any of them failed.
        """
        ...


def on_nodes(launcher: Sequence[str], nodes: Sequence[str]) -> list[str]:
    """Aim a launcher's words at nodes."""
    return [word.replace(NODES, ",".join(nodes)) for word in launcher]
