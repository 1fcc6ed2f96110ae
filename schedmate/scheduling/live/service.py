"""`schedmate up`: the loop with everything around it, in one process that may be killed at any moment."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType

from schedmate.choices import EngineChoice, RecoveryMode, checked
from schedmate.clusters import NodeSpec
from schedmate.clusters.engines import open_cluster
from schedmate.clusters.managed import GRACE_S, SPARE, Mark, Wish
from schedmate.counts import how_many
from schedmate.errors import InputError
from schedmate.history.intact import OpenFiles
from schedmate.history.live import Changes, LiveStore
from schedmate.scheduling.catalogue import PolicyParts, policy_maker
from schedmate.scheduling.live.advice import Advice
from schedmate.scheduling.live.aftermath import Aftermath
from schedmate.scheduling.live.desk import Desk
from schedmate.scheduling.live.doorkeeping import Doorkeeper
from schedmate.scheduling.live.estimates import LiveEstimates
from schedmate.scheduling.live.learning import Learning
from schedmate.scheduling.live.log_metrics import ProgressFollower
from schedmate.scheduling.live.pair_watch import PairWatch
from schedmate.scheduling.live.presence import Presence
from schedmate.scheduling.live.reader_client import ReaderClient
from schedmate.scheduling.live.retention import Retention
from schedmate.scheduling.live.telling import Teller
from schedmate.scheduling.live.timings import Timings
from schedmate.scheduling.loop import Loop
from schedmate.scheduling.parting import PARTED_BELOW
from schedmate.scheduling.policies import Policy
from schedmate.scheduling.policies.order_only import OrderOnly
from schedmate.scheduling.policies.policy_uses import Uses
from schedmate.scheduling.policy_table import LIVE
from schedmate.scheduling.recovery.engine import RecoveryEngine
from schedmate.scheduling.recovery.owner_rules import Rules
from schedmate.scheduling.resizing import resize
from schedmate.workers.worker_pool import WorkerPool

READING = "schedmate.scheduling.live.reader_worker"

TEND_S = 1.0
"""How often helpers, open plans and pairs are looked after."""
WORKERS = 4
"""Slow recovery steps at once; they have helpers of their own, so that a test that hangs delays no reading."""


@dataclass(frozen=True)
class ServiceOptions:
    """What the command line says."""

    data_dir: Path
    nodes: Sequence[NodeSpec]
    """For an engine that has none of its own."""
    policy: str = "schedmate"
    mode: RecoveryMode = "observe"
    engine: EngineChoice = "auto"
    readers: int = 2
    grace_s: float = GRACE_S
    threshold: float = PARTED_BELOW
    rules: Rules = field(default_factory=Rules)
    spares: int = 0
    reading: str = READING
    """The module that reads logs and code, in processes of its own."""
    sharing: bool = True
    """Whether two jobs may share slots."""
    displacing: bool = True
    """Whether the policy may stop a job that has saved, to make room for one that is done much sooner."""
    gpu_memory_mib: float = 0.0
    """What one GPU has; 0: nobody knows, and only those share whose owners said so."""
    tracks: bool = True
    """Whether running jobs' logs are followed."""
    cluster: str = "local"
    """Which engine."""
    socket: Path | None = None
    """Where the door for other accounts is; none: this loop is one account's own."""
    words: Mapping[str, str] = field(default_factory=dict)
    """The engine's own options."""
    presence: Presence | None = None
    """The hold on the store; none where another keeps that there is but one loop, as a test may."""

    def __post_init__(self) -> None:
        """Refuse a mistyped engine, which would ask a model, a mistyped mode, and a policy that no loop can run by."""
        checked("engine", self.engine, EngineChoice)
        checked("mode", self.mode, RecoveryMode)
        if self.policy not in LIVE:
            raise InputError(f"policy '{self.policy}' cannot run here", f"there are: {', '.join(LIVE)}")


class Service:
    """Puts the parts together; `run` returns when it is told to go down."""

    def __init__(self, options: ServiceOptions, say: Callable[[str], None]) -> None:
        self.options = options
        self.say = say
        self.going = True
        self.store = LiveStore(options.data_dir, patient=True, complain=say)
        self.store.leaving = lambda: not self.going
        if options.presence is not None:
            options.presence.look()
            self.store.own(options.presence.turn)
        self.files = OpenFiles(options.data_dir)
        wish = Wish(options.nodes, options.grace_s, options.words, options.rules.limits.log_gib)
        self.cluster = open_cluster(options.cluster, self.store, wish)
        self.changes = Changes(self.store)
        logs = Path(options.words["logs"]) if options.socket is not None else None
        self.retention = Retention(self.store, options.rules.keep, logs)
        self.door: Doorkeeper | None = None
        if options.socket is not None:
            operators = options.rules.people.operators
            self.door = Doorkeeper(self.cluster, options.socket, options.data_dir, operators, say)
        self.tended_s = 0.0
        self.trouble = ""
        self.set_aside(options.spares)
        self.pool = WorkerPool(self.cluster, options.reading, options.readers)
        self.progress = ProgressFollower(self.cluster, self.store) if options.tracks else None
        self.estimates = LiveEstimates(self.store)
        self.workshop = WorkerPool(self.cluster, options.reading, WORKERS)
        self.recovery = RecoveryEngine(self.cluster, self.store, self.workshop, options.mode, options.rules, say)
        limit_s = options.rules.reading.model_limit_s
        self.timings = Timings(self.pool.calls)
        self.readings = ReaderClient(self.pool, self.cluster, options.engine, limit_s, say, self.timings.reading)
        tells = options.mode != "observe"
        self.aftermath = Aftermath(self.cluster, self.store, self.readings, self.recovery, say, tells)
        teller = Teller(self.cluster, self.store, self.estimates, say)
        learn = self.progress.learn if self.progress is not None else lambda number: None
        advice = Advice(self.cluster, self.store, self.readings, self.estimates, say, learn)
        self.learning = Learning(self.store, say)
        memory_mib = options.gpu_memory_mib
        sharing = options.sharing and self.cluster.can.share
        uses = Uses(displacing=options.displacing)
        parts = PolicyParts(self.estimates, self.estimates, sharing=sharing, gpu_memory_mib=memory_mib, uses=uses)
        self.watch = PairWatch(options.threshold)
        self.loop = Loop(
            self.cluster,
            self.policy(policy_maker(options.policy, parts)),
            [teller, advice, self.aftermath, self.learning, self.timings],
            watch=self.watch,
            patience=None,
            speed=self.progress.speed if self.progress is not None else None,
            progress=self.progress.progress if self.progress is not None else None,
            resize=resize if options.displacing and self.cluster.can.place and self.cluster.can.resize else None,
        )
        self.desk = Desk(
            self.cluster, self.store, self.loop, self.estimates, self.recovery, self.retention, self.stop, say
        )

    def policy(self, make: Callable[[str], Policy]) -> Callable[[str], Policy]:
        """Let the policy decide, or where the engine chooses itself, only say in which order jobs should start."""
        cluster = self.cluster
        orders = cluster.can.order and self.options.mode == "act"
        return make if cluster.can.place else lambda vc: OrderOnly(make(vc), cluster, orders)

    def set_aside(self, spares: int) -> None:
        """Keep the last nodes in reserve, once; a spare that was brought in stays in."""
        if spares and not self.store.fact("spares"):
            states = self.cluster.states()
            if spares >= len(states):
                raise InputError(f"of {how_many(len(states), 'node')} none would be left to run on", "fewer --spares")
            for state in states[-spares:]:
                self.cluster.mark(state.spec.name, Mark(SPARE), "kept in reserve")
            self.store.set_fact("spares", f"{spares}")

    def run(self) -> None:
        """Turn until told to stop; jobs go on without us."""
        while self.going:
            self.turn()

    def turn(self) -> None:
        """Do what others ask for, let the loop turn once, and now and then look after everything else."""
        if self.changes.are_new():
            self.desk.serve()
        self.timings.turn(lambda: self.loop.turn(self.tended_s + TEND_S))
        if not 0 <= self.cluster.now_s() - self.tended_s < TEND_S:
            self.tended_s = self.cluster.now_s()
            self.tend()

    def tend(self) -> None:
        """Look after the store's files, the helpers, and pairs that were together before this process was."""
        self.files.look()
        if self.options.presence is not None:
            self.options.presence.look()
        for words in self.cluster.remarks():
            self.say(words)
        if self.cluster.trouble != self.trouble:
            self.trouble = self.cluster.trouble
            self.say(f"{self.trouble}: waiting, nothing is lost" if self.trouble else "the cluster answers again")
        self.recovery.tend()
        if self.progress is not None:
            self.progress.tend()
        self.pool.tend(self.cluster.now_s())
        self.workshop.tend(self.cluster.now_s())
        self.learning.catch_up()
        self.timings.tend(self.store, self.cluster.now_s())
        if self.door is not None:
            self.door.tend()
        if words := self.retention.tend(self.cluster.now_s()):
            self.say(words)
        for run in self.cluster.running():
            if run.job.partner is not None and run.partner == run.job.partner.number:
                self.watch.join(run.job, run.job.partner)

    def stop(self, number: int = 0, frame: FrameType | None = None) -> None:
        """Go down at the next opportunity; also what a signal does."""
        self.going = False
        self.cluster.nudge()

    def close(self) -> None:
        """Let go of everything but the jobs."""
        self.close_helpers()
        self.store.close()
        self.files.close()

    def close_helpers(self) -> None:
        """Let go of everything but the jobs and the store."""
        if self.door is not None:
            self.door.close()
        self.pool.close()
        self.workshop.close()
        if self.progress is not None:
            self.progress.close()
        self.cluster.close()
