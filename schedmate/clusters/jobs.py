"""A job and its place while the scheduler holds it; what a trace or an engine knows beyond this stays with them."""

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from schedmate.clusters.elastic import Elastic


class Placement(NamedTuple):
    """Which GPUs a job holds: pairs of node name and a bit mask of the GPUs on it, all of one kind."""

    kind: str
    parts: tuple[tuple[str, int], ...]
    piece: int = 0
    """What it holds of its one GPU, as the book of cut GPUs counts it; 0: the GPUs are its own."""

    @property
    def gpus(self) -> int:
        """Count the GPUs."""
        return sum(mask.bit_count() for _, mask in self.parts)

    def indices(self) -> dict[str, list[int]]:
        """Give each node's GPU indices, as CUDA_VISIBLE_DEVICES wants them."""
        return {node: [i for i in range(mask.bit_length()) if mask >> i & 1] for node, mask in self.parts}


class Profile(NamedTuple):
    """What a profiler measured of a job that ran alone."""

    model: str
    dataset: str
    batch_size: int
    amp: int
    gpu_util: float
    gpu_memory_util: float
    gpu_memory_mib: float
    score: int
    """Sharing score by Lucid's packing analysis: 0 tiny, 1 medium, 2 jumbo."""


class JobProgress(NamedTuple):
    """What a job's log has told of its way so far; None wherever it has told nothing."""

    remaining_s: float | None = None
    low_s: float | None = None
    high_s: float | None = None
    """The interval in which the remaining time lies, as far as such logs have been right before."""
    saved_s: float | None = None
    """When, on the cluster's clock, the last checkpoint was seen; None: a stop loses all that was done."""


Reach = tuple[float, frozenset[int]] | None


class LiveJob:
    """A job from submission to its end, as policies and clusters see it; only plans change it."""

    __slots__ = (
        "account",
        "avoid",
        "first_start_s",
        "gpus",
        "job_id",
        "kind",
        "most_gpus",
        "name",
        "number",
        "packable",
        "partner",
        "placement",
        "preemptions",
        "profile",
        "qos",
        "reach",
        "served_s",
        "spec",
        "started_s",
        "submit_s",
        "user",
        "vc",
    )

    def __init__(
        self, number: int, job_id: str, gpus: float, submit_s: float, user: str = "", name: str = "", vc: str = ""
    ) -> None:
        self.number = number
        """Rank by submit time, then id: the one tie-break that all policies use."""
        self.job_id = job_id
        self.gpus = gpus
        """A whole number, or a part of one GPU."""
        self.submit_s = submit_s
        self.user = user
        self.name = name
        self.vc = vc
        self.most_gpus = 0
        """How many it can use where others lie idle; 0: `gpus`, neither more nor fewer."""
        self.kind = ""
        """Accelerator kind that was asked for; empty: any."""
        self.profile: Profile | None = None
        self.spec: Elastic | None = None
        """What the job tells of itself to an elastic policy; None where it tells nothing."""
        self.placement: Placement | None = None
        self.partner: LiveJob | None = None
        self.packable = True
        self.started_s = 0.0
        self.first_start_s = -1.0
        self.served_s = 0.0
        """Time on GPUs in the runs that are over."""
        self.preemptions = 0
        self.avoid: frozenset[str] = frozenset()
        """Nodes where it is not to start while others would do: its failure speaks against them, or its user does."""
        self.account = self.qos = ""
        """Who pays for it and what it was promised, where an engine or a trace has such words."""
        self.reach: Reach = None
        """How long it may run, and which reservations of nodes are its own; nothing where no nodes are reserved."""

    def service_s(self, now_s: float) -> float:
        """Give the time on GPUs so far, the present run with it."""
        return self.served_s if self.placement is None else self.served_s + now_s - self.started_s

    def __lt__(self, other: "LiveJob") -> bool:
        """Order by number: queues may hold a job twice, from before it was taken back and from after."""
        return self.number < other.number

    def __repr__(self) -> str:
        return f"LiveJob({self.number}, {self.job_id!r}, gpus={self.gpus}, submit_s={self.submit_s})"
