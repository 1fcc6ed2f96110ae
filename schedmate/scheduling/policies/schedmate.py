"""SchedMate as a scheduler of its own: who is likely done first runs; who has no room shares, or takes a place.

Jobs are ranked by the seconds they have to go (`ranking`). A job that finds no free GPUs is put beside one that leaves
enough of its own (`sharing`); else it takes the place of those who are worth less and have saved (`displacing`). Who
waits out of all proportion is ranked higher and higher, and where those in its way cannot be asked to leave, nodes are
kept for it within a budget (`draining`).
"""

from collections.abc import Iterable

from schedmate.clusters import LiveJob
from schedmate.scheduling.estimators import DurationEstimator
from schedmate.scheduling.placement.defragmentation import movers
from schedmate.scheduling.placement.displacing import Tenants
from schedmate.scheduling.placement.kept_nodes import Drain, Firm
from schedmate.scheduling.placement.part_room import givers
from schedmate.scheduling.placement.sharing import Partners
from schedmate.scheduling.policies.policy_uses import Uses
from schedmate.scheduling.queueing.lateness import Lateness
from schedmate.scheduling.queueing.ranking import Ranks
from schedmate.scheduling.queueing.shapes import ShapedQueue
from schedmate.scheduling.view import ClusterView, Plan

MANY = 1 << 60

Wants = tuple[float, str, frozenset[str]]
"""How many GPUs, of which kind, and on which nodes not."""
LOOK_S, LOOK = 60.0, 0.05
"""Who found nobody to displace looks again after so long, or after this part of its rank."""
DRAIN_S = 1800.0
"""How often it is worked out anew whether nodes could be kept for somebody."""
FOLLOW_S = 3600.0
"""Who is done so soon takes over nodes that were emptied for another: they will not be empty again for long.

For so long nobody takes them from who was given them.
"""


class SchedMate:
    """Keeps a queue by rank, and books of who runs beside whom and where."""

    name = "schedmate"

    def __init__(
        self, estimator: DurationEstimator, sharing: bool = True, gpu_memory_mib: float = 0.0, uses: Uses | None = None
    ) -> None:
        self.uses = uses or Uses()
        self.ranks = Ranks(estimator, self.uses.progress, self.uses.estimates)
        self.sharing = sharing and self.uses.packing
        self.partners = Partners(gpu_memory_mib)
        self.queue = ShapedQueue(self.sharing)
        self.lateness = Lateness(self.ranks)
        self.tenants = Tenants(self.lateness.rank_s)
        self.drain = Drain()
        self.drain_s = 0.0
        self.retry: dict[Wants, tuple[float, float]] = {}
        """The rank that displaced nobody, and when it is worth another look, by what it wants."""
        self.regather_s: dict[Wants, float] = {}
        """When it is worth another look whether free GPUs can be brought together, by what it wants."""
        self.stopped: list[LiveJob] = []
        self.is_new = True

    def decide(self, view: ClusterView) -> Plan:
        """Serve who waits out of proportion, then all by rank."""
        self.drain.account(view)
        plan = view.plan()
        self.take_in(plan)
        if self.queue.held:
            self.serve_latest(plan)
            before = view.inventory.close(self.drain.nodes)
            self.walk(plan)
            view.inventory.reopen(before)
            self.fill(plan)
            if self.queue.held:
                self.look_again(plan)
        return plan

    def waiting(self) -> list[LiveJob]:
        """Give who waits, in the order in which they are looked at."""
        late = [] if self.drain.job is None else [self.drain.job]
        return late + [job for _, _, job in self.queue.in_order() if job not in late]

    def take_in(self, plan: Plan) -> None:
        """Book who came, went, or is known better."""
        view = plan.view
        if self.is_new:
            self.is_new = False
            for job in view.running.values():
                self.ranks.take_in(job)
            self.settled(view.running.values())
        for job in (*view.ended, *view.broken, *view.arrived):
            self.tenants.forget(job)
            if (other := self.partners.release(job, view)) is not None:
                self.settled([other])
        for job in view.ended:
            self.queue.drop(job.number)
            self.ranks.forget(job)
        if view.resized or view.revised:
            self.settled(job for job in view.resized if view.running.get(job.number) is job)
            self.partners.offer(job for job in view.revised if view.running.get(job.number) is job)
        for job in (*view.arrived, *view.revised):
            self.ranks.take_in(job)
            if view.pending.get(job.number) is job and not self.is_served_alone(job, plan):
                self.put(job, view)
        for job in self.lateness.due(view):
            self.put(job, view)

    def is_served_alone(self, job: LiveJob, plan: Plan) -> bool:
        """Start a job that comes alone and meets no queue, if it has room: most do, and none has a claim before it."""
        view = plan.view
        if self.queue.held or len(view.arrived) > 1 or view.revised:
            return False
        if not plan.is_dealt_with(job) and not self.place(plan, job):
            return False
        self.lateness.note(job, view)
        return True

    def put(self, job: LiveJob, view: ClusterView) -> None:
        """Queue a job by its rank of now."""
        self.queue.put(job, self.lateness.note(job, view))

    def settled(self, jobs: Iterable[LiveJob]) -> None:
        """Book jobs that have just got their place, or have been left alone on it."""
        for job in jobs:
            self.partners.offer([job])
            self.tenants.enter(job)

    def walk(self, plan: Plan) -> None:
        """Let each find room, company, or somebody to displace; those who were displaced look for the first two."""
        misfits: dict[str, float] = {}

        def start(job: LiveJob) -> bool:
            if plan.is_dealt_with(job):
                return True
            if job.gpus < min(misfits.get("", MANY), misfits.get(job.kind, MANY)):
                if self.place(plan, job):
                    return True
                if not job.avoid and not job.reach:  # else another of its size may have room
                    misfits[job.kind] = job.gpus
            if self.share(plan, job):
                return True
            if not self.displace(plan, job) and not self.gather(plan, job):
                return False
            misfits.clear()
            return True

        self.queue.start_past(start)
        if self.stopped:
            for job in self.stopped:
                self.put(job, plan.view)
            self.stopped.clear()
            self.queue.start_past(lambda job: self.place(plan, job) or self.share(plan, job))

    def place(self, plan: Plan, job: LiveJob) -> bool:
        """Start a job on free GPUs."""
        if not plan.start(job):
            return False
        self.settled([job])
        return True

    def share(self, plan: Plan, job: LiveJob) -> bool:
        """Start a job beside another."""
        avoid = self.drain.nodes | plan.view.avoided(job)
        other = self.partners.pick(job, plan.view, avoid) if self.sharing else None
        if other is None:
            return False
        plan.share(job, other)
        self.settled([job])
        return True

    def displace(self, plan: Plan, job: LiveJob) -> bool:
        """Start a job where others have to go for it."""
        view, shape, rank_s = plan.view, (job.gpus, job.kind, job.avoid), self.queue.key(job.number)
        failed_s, next_s = self.retry.get(shape, (0.0, 0.0))
        if not self.uses.displacing or (rank_s >= failed_s and view.now_s < next_s):
            return False
        avoid = view.avoided(job) if job is self.drain.job else view.avoided(job) | self.drain.nodes
        victims = givers(self.tenants, job, rank_s, view, avoid) if job.gpus < 1 else None
        victims = victims or self.tenants.cheapest(job, rank_s, view, avoid)
        if victims is None:
            self.retry[shape] = rank_s, view.now_s + max(LOOK_S, LOOK * rank_s)
            return False
        self.stop(plan, victims)
        self.stopped += victims
        return self.place(plan, job)

    def gather(self, plan: Plan, job: LiveJob) -> bool:
        """Start a job on GPUs that are free, but not side by side: others move together."""
        view, shape = plan.view, (job.gpus, job.kind, job.avoid)
        if not self.uses.moving or view.inventory.free_gpus < job.gpus or view.now_s < self.regather_s.get(shape, 0.0):
            return False
        avoid = self.drain.nodes | view.avoided(job)
        moving = movers(self.tenants, job, self.queue.key(job.number), view, avoid)
        if moving is None:
            self.regather_s[shape] = view.now_s + LOOK_S
            return False
        self.stop(plan, [one for tenant in moving for one in tenant.jobs])
        started = self.place(plan, job)
        for tenant in sorted(moving, key=lambda one: -sum(one.gpus_on.values())):
            # Whoever does not find its place again, against expectation, waits like all others.
            self.stopped += [one for one in tenant.jobs if not (self.place(plan, one) or self.share(plan, one))]
        return started

    def stop(self, plan: Plan, jobs: list[LiveJob]) -> None:
        """Stop jobs, and forget where they were."""
        for one in jobs:
            plan.preempt(one)
            self.tenants.forget(one)
            self.partners.release(one, plan.view)

    def serve_latest(self, plan: Plan) -> None:
        """Start who waits most out of proportion, or keep nodes for it; the brief ones of its size follow at once."""
        view, emptied = plan.view, self.drain.job is not None
        job = self.drain.job or self.lateness.worst(view)
        while job is not None:
            if not (self.place(plan, job) or self.share(plan, job) or self.displace(plan, job)):
                if emptied or view.now_s >= self.drain_s:
                    self.drain_s = view.now_s + DRAIN_S
                    self.keep_for(job, view)
                return
            if emptied:
                self.tenants.spare(job, view.now_s, view.now_s + FOLLOW_S)
            self.queue.drop(job.number)
            self.drain.drop()
            job = self.follower(job, view) if emptied else None

    def follower(self, job: LiveJob, view: ClusterView) -> LiveJob | None:
        """Give who is as large as a job that nodes were emptied for, and soon done there."""
        first = self.queue.first_from(job.gpus)
        return first if first is not None and self.ranks.ahead_s(first, view) <= FOLLOW_S else None

    def keep_for(self, job: LiveJob, view: ClusterView) -> None:
        """Keep nodes for a job, if that is not too dear."""
        self.drain.keep_for(job, view, self.firm(view), self.ranks.whole_s)

    def firm(self, view: ClusterView) -> Firm:
        """Tell of a node when those are expected to be gone who cannot be asked to leave."""
        return lambda node: self.tenants.firm(node, view, self.ranks.ahead_s)

    def fill(self, plan: Plan) -> None:
        """Let those begin on nodes that are kept who are expected to be gone when these are needed."""
        view, drain = plan.view, self.drain
        if drain.job is None:
            return
        if drain.holds_back(view, self.firm(view)):
            plan.wake_at(view.now_s + min(max(drain.hold_s, 1.0), LOOK_S))
            drain.settle(view.inventory, self.queue.gpus_below(drain.job.gpus))
            return
        left_s = drain.until_s - view.now_s

        def is_brief(job: LiveJob) -> bool:
            return job is not drain.job and self.ranks.ahead_s(job, view) <= left_s and self.place(plan, job)

        if left_s > 0:
            self.queue.start_past(is_brief)
        drain.settle(view.inventory, self.queue.gpus_below(drain.job.gpus))

    def look_again(self, plan: Plan) -> None:
        """Ask to be called when a job may displace others that could not before, or begins to wait too long."""
        now_s = plan.view.now_s
        if self.uses.displacing:
            for gpus, kind, _, avoid, _ in self.queue.rows:
                plan.wake_at(max(self.retry.get((gpus, kind, avoid), (0.0, 0.0))[1], now_s + 1.0))
        if (late_s := self.lateness.next_s()) is not None:
            plan.wake_at(max(late_s, now_s + LOOK_S))
