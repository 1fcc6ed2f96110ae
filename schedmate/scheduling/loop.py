"""The scheduling loop: events in, decisions out, the same for every cluster.

Each virtual cluster has a policy of its own and is asked only when something happened to it. The loop keeps the books
(who waits, who runs, which GPUs are free); the cluster only says what happened and carries out what was decided.
"""

import heapq
from collections.abc import Callable, Iterable
from typing import Protocol

from schedmate.clusters import (
    Cluster,
    Ended,
    Event,
    FoundRunning,
    GpusDown,
    GpusUp,
    JobProgress,
    Learned,
    LiveJob,
    NodeDown,
    NodeSpec,
    NodeUp,
    Submitted,
    Withdrawn,
)
from schedmate.scheduling.parting import PackingWatch, Speed
from schedmate.scheduling.placement.cut_gpus import BY_TIME, Cut
from schedmate.scheduling.policies import Policy
from schedmate.scheduling.requeueing import RequeueAtOnce, Requeueing
from schedmate.scheduling.sites.site_rules import SiteRules
from schedmate.scheduling.stalls import stalled
from schedmate.scheduling.view import Action, Plan, Preempt, Resize, Start, stop
from schedmate.scheduling.virtual_cluster import VirtualCluster

PATIENCE = 100_000
"""Decisions in a row during which no job came or ended; beyond it the policy is going in circles."""


class Observer(Protocol):
    """Hears what happens to jobs; called before the decision that may follow."""

    def submitted(self, job: LiveJob, part: VirtualCluster) -> None:
        """A job came in."""
        ...

    def ended(self, job: LiveJob, part: VirtualCluster, status: str) -> None:
        """A job is done."""
        ...

    def decided(self, part: VirtualCluster, actions: list[Action]) -> None:
        """A policy has decided, and the cluster has been told; with what was stopped since the decision before."""
        ...


class Loop:
    """Runs until nothing is left to happen."""

    def __init__(
        self,
        cluster: Cluster,
        make_policy: Callable[[str], Policy],
        observers: Iterable[Observer] = (),
        requeueing: Requeueing | None = None,
        watch: PackingWatch | None = None,
        patience: int | None = PATIENCE,
        speed: Speed | None = None,
        progress: Callable[[LiveJob], JobProgress] | None = None,
        resize: Callable[[Plan, Policy], None] | None = None,
        rules: SiteRules | None = None,
        cut: Cut = BY_TIME,
    ) -> None:
        self.cluster = cluster
        self.speed = speed or cluster.speed
        self.progress = progress or cluster.progress
        self.make_policy = make_policy
        self.observers = list(observers)
        self.requeueing = requeueing or RequeueAtOnce()
        self.watch = watch
        self.resize = resize
        """Adds to a plan what elastic jobs get and give back; none: they have what they need, and no more."""
        self.patience = patience
        self.rules = rules
        self.cut = cut
        """How a GPU is cut for jobs that need a part of one."""
        self.parts: dict[str, VirtualCluster] = {}
        self.home: dict[str, tuple[VirtualCluster, NodeSpec]] = {}
        self._wakes: list[tuple[float, str]] = []
        self._requeues: list[tuple[float, int, LiveJob]] = []
        self._idle_decisions = 0
        for node in cluster.nodes():
            self._node_up(node)

    def run(self) -> None:
        """Go on until nothing can happen any more; complain when jobs are left waiting then."""
        while self.turn():
            pass
        if self.rules is not None and self.rules.aside:
            number, job = next(iter(self.rules.aside.items()))
            self.part(job.vc).view.pending[number] = job
        if any(part.view.pending for part in self.parts.values()):
            raise stalled(self.parts.values(), "has stalled")

    def turn(self, until_s: float | None = None) -> bool:
        """Ask the cluster once what happened, and each policy that it concerns what to do; False at the very end.

        Whoever has other work names the time at which to come back although nothing has happened.
        """
        wake_s = self._next_wake()
        if until_s is not None and (wake_s is None or until_s < wake_s):
            wake_s = until_s
        events = self.cluster.wait(wake_s)
        if events is None:
            return False
        now_s = self.cluster.now_s()
        touched: dict[str, VirtualCluster] = {}
        for event in events:
            if isinstance(event, NodeDown) and event.node not in self.home:
                continue  # it was never heard of as up
            part = self._take_in(event, now_s)
            touched[part.view.vc] = part
        self._due(now_s, touched)
        if self.rules is not None:
            self._release(self.rules, touched)
        self._idle_decisions = 0 if events else self._idle_decisions + 1
        for part in touched.values():
            self._decide(part, now_s)
        if self.patience is not None and self._idle_decisions > self.patience:
            raise stalled(self.parts.values(), "goes in circles: it keeps deciding and no job comes or ends")
        return True

    def _release(self, rules: SiteRules, touched: dict[str, VirtualCluster]) -> None:
        for job in rules.released():
            touched[job.vc] = part = self.part(job.vc)
            part.view.pending[job.number] = job
            part.view.arrived.append(job)

    def part(self, vc: str) -> VirtualCluster:
        """Give a virtual cluster, made when first heard of."""
        part = self.parts.get(vc)
        if part is None:
            part = self.parts[vc] = VirtualCluster(vc, self.make_policy(vc), self.progress, self.cut)
            part.view.rules = self.rules
        return part

    def _take_in(self, event: Event, now_s: float) -> VirtualCluster:
        if isinstance(event, Submitted):
            return self._submitted(event.job, now_s)
        if isinstance(event, Ended):
            return self._ended(event.job, event.status, now_s)
        if isinstance(event, NodeUp):
            return self._node_up(event.node, now_s)
        if isinstance(event, FoundRunning):
            return self._found(event, now_s)
        if isinstance(event, Withdrawn):
            return self._withdrawn(event.job, event.status, now_s)
        if isinstance(event, Learned):
            part = self.part(event.job.vc)
            if event.job.number in part.view.pending or event.job.number in part.view.running:
                part.view.revised.append(event.job)
            return part
        if isinstance(event, GpusDown | GpusUp):
            part, _ = self.home[event.node]
            part.advance(now_s)
            part.view.inventory.serve(event.node, event.mask, isinstance(event, GpusUp))
            return part
        part, _ = self.home.pop(event.node)
        part.advance(now_s)
        part.view.inventory.remove(event.node)
        return part

    def _submitted(self, job: LiveJob, now_s: float) -> VirtualCluster:
        part = self.part(job.vc)
        part.advance(now_s)
        if job.number in part.view.running:  # it came and was started by the engine in one moment
            return part
        part.demand_gpus += job.gpus
        part.view.pending[job.number] = job
        part.view.arrived.append(job)
        for observer in self.observers:
            observer.submitted(job, part)
        return part

    def _ended(self, job: LiveJob, status: str, now_s: float) -> VirtualCluster:
        part = self.part(job.vc)
        part.advance(now_s)
        stop(part.view, job)
        if status == "node_fail":
            wait_s = self.requeueing.requeue_after_s(job, now_s)
            if wait_s is not None:
                part.stopped.append(Preempt(job))
                part.view.broken.append(job)
                heapq.heappush(self._requeues, (now_s + wait_s, job.number, job))
                return part
        part.demand_gpus -= job.gpus
        part.view.ended.append(job)
        for observer in self.observers:
            observer.ended(job, part, status)
        return part

    def _found(self, found: FoundRunning, now_s: float) -> VirtualCluster:
        """Book in a job that runs already, or that the engine has started by itself."""
        job, part = found.job, self.part(found.job.vc)
        view = part.view
        part.advance(now_s)
        if view.pending.pop(job.number, None) is None:
            part.demand_gpus += job.gpus
        view.arrived = [other for other in view.arrived if other is not job]
        job.placement, job.started_s = found.placement, now_s if found.since_s is None else found.since_s
        if found.partner is not None and found.partner.number in view.running:
            job.partner, found.partner.partner = found.partner, job
        else:
            view.inventory.claim(found.placement)
        view.running[job.number] = job
        for observer in self.observers:
            observer.submitted(job, part)
        return part

    def _withdrawn(self, job: LiveJob, status: str, now_s: float) -> VirtualCluster:
        """Book out a job that waits; policies that keep queues of their own drop it when its turn comes."""
        part = self.part(job.vc)
        part.advance(now_s)
        self._requeues = [entry for entry in self._requeues if entry[2] is not job]
        heapq.heapify(self._requeues)
        part.view.pending.pop(job.number, None)
        part.view.arrived = [other for other in part.view.arrived if other is not job]
        part.demand_gpus -= job.gpus
        part.view.ended.append(job)
        for observer in self.observers:
            observer.ended(job, part, status)
        return part

    def _node_up(self, node: NodeSpec, now_s: float = 0.0) -> VirtualCluster:
        part = self.part(node.vc)
        part.advance(now_s)
        part.view.inventory.add(node)
        for job in part.view.running.values():
            if job.placement is not None and (job.partner is None or job.partner.number > job.number):
                part.view.inventory.claim(job.placement, node.name)
        self.home[node.name] = (part, node)
        return part

    def _next_wake(self) -> float | None:
        wakes = self._wakes
        while wakes and self.parts[wakes[0][1]].wake_s != wakes[0][0]:
            heapq.heappop(wakes)
        wake_s = wakes[0][0] if wakes else None
        if self._requeues and (wake_s is None or self._requeues[0][0] < wake_s):
            return self._requeues[0][0]
        return wake_s

    def _due(self, now_s: float, touched: dict[str, VirtualCluster]) -> None:
        while self._requeues and self._requeues[0][0] <= now_s:
            _, _, job = heapq.heappop(self._requeues)
            part = self.part(job.vc)
            part.view.pending[job.number] = job
            part.view.arrived.append(job)
            touched[job.vc] = part
        while self._wakes and self._wakes[0][0] <= now_s:
            time_s, vc = heapq.heappop(self._wakes)
            part = self.parts[vc]
            if part.wake_s == time_s:
                touched[vc] = part

    def _decide(self, part: VirtualCluster, now_s: float) -> None:
        part.advance(now_s)
        view = part.view
        if self.watch is not None:
            self._evict(part, self.watch)
        plan = part.policy.decide(view)
        view.arrived.clear()
        view.ended.clear()
        view.broken.clear()
        if view.revised:
            view.revised.clear()
        if self.resize is not None:
            view.resized.clear()
            self.resize(plan, part.policy)
        self._carry_out(plan)
        acted = [*part.stopped, *plan.actions] if part.stopped else plan.actions
        for observer in self.observers:
            observer.decided(part, acted)
        part.stopped.clear()
        wake_s = plan.wake_s
        if self.watch is not None:
            self.watch.note(plan.actions, now_s)
            look_s = self.watch.next_s(view.vc)
            wake_s = look_s if wake_s is None else min(wake_s, look_s or wake_s)
        if self.rules is not None and (change_s := self.rules.next_s(now_s)) is not None:
            wake_s = change_s if wake_s is None else min(wake_s, change_s)
        part.wake_s = wake_s
        if wake_s is not None:
            heapq.heappush(self._wakes, (wake_s, view.vc))

    def _evict(self, part: VirtualCluster, watch: PackingWatch) -> None:
        view = part.view
        for job in watch.evict(view, self.speed):
            stop(view, job)
            job.packable = False
            self.cluster.preempt(job)
            part.stopped.append(Preempt(job))
            view.pending[job.number] = job
            view.arrived.append(job)

    def _carry_out(self, plan: Plan) -> None:
        cluster = self.cluster
        for action in plan.actions:
            if isinstance(action, Start):
                cluster.start(action.job, action.placement, action.partner)
            elif isinstance(action, Preempt):
                cluster.preempt(action.job)
            elif isinstance(action, Resize):
                cluster.resize(action.job, action.placement)
