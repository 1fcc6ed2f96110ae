"""A cluster that exists only as numbers: event by event, deterministic, with a clock that jumps.

It knows what no scheduler may know: how much work each job really is. Work is counted in seconds of running alone on
the reference accelerator; a rate says how fast it melts.
"""

import heapq
import math
from collections.abc import Collection, Iterator, Sequence

from schedmate.clusters import (
    Ended,
    Event,
    GpusDown,
    GpusUp,
    JobProgress,
    Learned,
    LiveJob,
    NodeDown,
    NodeSpec,
    NodeUp,
    Placement,
    Submitted,
)
from schedmate.clusters.simulation.gpu_faults import OUT, UP, GpuFaults, held_by
from schedmate.clusters.simulation.job_faults import Mishaps
from schedmate.clusters.simulation.measured_profiles import Measuring
from schedmate.clusters.simulation.node_faults import Breakage
from schedmate.clusters.simulation.physics import Physics
from schedmate.clusters.simulation.reservations import Reservation, Windows
from schedmate.clusters.simulation.running_job import Running
from schedmate.clusters.simulation.told_remaining import Telling


class SimulatedCluster:
    """Plays jobs out; `arrivals` must come sorted by submit time, then id."""

    def __init__(
        self,
        nodes: Sequence[NodeSpec],
        arrivals: Iterator[LiveJob],
        physics: Physics,
        breakage: Breakage | None = None,
        tick_s: float = 0.0,
        sticky_interference: bool = False,
        telling: Telling | None = None,
        measuring: Measuring | None = None,
        mishaps: Mishaps | None = None,
        reservations: Sequence[Reservation] = (),
        gpu_faults: GpuFaults | None = None,
    ) -> None:
        self._nodes = {node.name: node for node in nodes}
        self._arrivals = arrivals
        self._next = next(arrivals, None)
        self._physics = physics
        self._breakage = breakage
        self._tick_s = tick_s
        self._sticky = sticky_interference
        """Reproduce a fault of a published simulator: see `_leave`."""
        self._telling = telling
        self._measuring = measuring
        self._mishaps = mishaps
        self._windows = Windows(reservations, nodes)
        self._gpu_faults = gpu_faults
        self._faults = tuple(faults for faults in (breakage, gpu_faults) if faults is not None)
        self._now_s = 0.0
        self._work: dict[int, Running] = {}
        self._ends: list[tuple[float, int, int, LiveJob]] = []
        self._running: dict[int, LiveJob] = {}
        self._starts = 0
        self._away: dict[str, int] = {}
        """What keeps each node away: a fault, maintenance, or both."""

    def now_s(self) -> float:
        """Give the simulated time."""
        return self._now_s

    def nodes(self) -> Sequence[NodeSpec]:
        """List the nodes that are up now."""
        return list(self._nodes.values())

    def wait(self, until_s: float | None) -> list[Event] | None:
        """Jump to the next moment at which something happens."""
        moment = self._next_moment()
        if until_s is not None and until_s < moment:
            self._now_s = max(self._now_s, until_s)
            return []
        if moment == math.inf:
            return None
        self._now_s = moment
        events: list[Event] = []
        self._collect_ends(moment, events)
        if self._windows.next_s() <= moment:
            self._collect_windows(moment, events)
        if self._breakage is not None:
            self._collect_breaks(moment, events)
        if self._gpu_faults is not None:
            self._collect_bad_gpus(moment, self._gpu_faults, events)
        job = self._next
        while job is not None and job.submit_s <= moment:
            if self._measuring is not None:
                self._measuring.believe(job)
            events.append(Submitted(job))
            job = next(self._arrivals, None)
        self._next = job
        if self._measuring is not None:
            self._collect_looks(moment, self._measuring, events)
        return events

    def _next_moment(self) -> float:
        ends, work = self._ends, self._work
        while ends and ((state := work.get(ends[0][1])) is None or state.version != ends[0][2]):
            heapq.heappop(ends)
        moment = ends[0][0] if ends else math.inf
        if self._next is not None and self._next.submit_s < moment:
            moment = self._next.submit_s
        for faults in self._faults:
            moment = min(moment, faults.next_s(bool(self._running) or self._next is not None))
        if self._measuring is not None and (look_s := self._measuring.next_s()) < moment:
            moment = look_s
        moment = min(moment, self._windows.next_s())
        # A break that fell into an idle spell is overdue when work resumes; time does not run backwards for it.
        return max(moment, self._now_s)

    def _collect_ends(self, moment: float, events: list[Event]) -> None:
        ends = self._ends
        while ends and ends[0][0] <= moment:
            _, number, version, job = heapq.heappop(ends)
            state = self._work.get(number)
            if state is None or state.version != version:
                continue
            if self._mishaps is not None and self._mishaps.next_left(number) is not None:
                self._mishaps.strike(job, state.placement.parts[0][0] if state.placement else "")
                self._fail(job, events)
                continue
            leg = self._physics.next_leg(job, moment)
            if leg is not None:
                state.left, state.since_s = leg, moment
                self._set_rate(job, state)
                continue
            self._leave(job, state)
            del self._work[number]
            events.append(Ended(job, self._physics.status(job)))

    def _collect_looks(self, moment: float, measuring: Measuring, events: list[Event]) -> None:
        """Measure the runs that have been alone for long enough."""
        for job, run in measuring.due(moment):
            state = self._work.get(job.number)
            if state is not None and state.order == run and state.placement is not None and state.partner is None:
                measuring.measure(job)
                events.append(Learned(job))

    def _collect_breaks(self, moment: float, events: list[Event]) -> None:
        if self._breakage is None:
            return
        for node, is_up in self._breakage.until(moment):
            self._switch(node, is_up, events)

    def _collect_bad_gpus(self, moment: float, faults: GpuFaults, events: list[Event]) -> None:
        """Let GPUs go bad, be met, be taken out and come back, while their nodes stay up."""
        for job, run in faults.dying(moment):
            state = self._work.get(job.number)
            if state is not None and state.order == run and (bad := faults.bad_of(state.placement)):
                self._fail(job, events, in_vain=True)
                faults.meet(bad, moment)
        for node, gpu, became in faults.until(moment, self._nodes):
            if became == UP:
                events.append(GpusUp(node, gpu))
                continue
            met = held_by(self._running.values(), node, gpu)
            for job in met:
                self._fail(job, events, in_vain=became == OUT)
            if became == OUT:
                events.append(GpusDown(node, gpu))
            elif met:
                faults.meet([(node, gpu)], moment)

    def _fail(self, job: LiveJob, events: list[Event], in_vain: bool = False) -> None:
        """End a run by a fault; one in vain only started, and what it was to do is still to do."""
        state = self._work[job.number]
        self._stop(job, self._faults)
        if in_vain:
            state.left = state.begun
        events.append(Ended(job, "node_fail"))

    def _collect_windows(self, moment: float, events: list[Event]) -> None:
        """Begin and end reservations: who is still there though it may not be has to go."""
        for place, window, begins in self._windows.until(moment):
            if begins:
                self._clear(window.nodes, events, place)
            for node in self._windows.specs(window) if window.is_maintenance else ():
                self._switch(node, not begins, events)

    def _switch(self, node: NodeSpec, is_up: bool, events: list[Event]) -> None:
        """Take a node away, or bring it back once nothing keeps it away any more."""
        away = self._away.get(node.name, 0) + (-1 if is_up else 1)
        self._away[node.name] = away
        if is_up and not away:
            self._nodes[node.name] = node
            events.append(NodeUp(node))
        elif not is_up and away == 1:
            self._clear({node.name}, events)
            del self._nodes[node.name]
            events.append(NodeDown(node.name))
            if self._gpu_faults is not None:
                self._gpu_faults.mend(node.name, self._now_s)

    def _clear(self, nodes: Collection[str], events: list[Event], reservation: int | None = None) -> None:
        """Stop who runs on some nodes, but for those whose reservation it is."""
        for job in [*self._running.values()]:
            stays = reservation is not None and job.reach is not None and reservation in job.reach[1]
            if not stays and job.placement is not None and any(name in nodes for name, _ in job.placement.parts):
                self._fail(job, events)

    def _stop(self, job: LiveJob, faults: Sequence[Breakage | GpuFaults] = ()) -> None:
        """Take a job from its GPUs; it loses what it, or whoever brought its node down, says that it had not saved."""
        state = self._work[job.number]
        state.settle(self._now_s)
        done = max(0.0, state.begun - state.left)
        lost = max([self._physics.lost_work(job, done), *(one.lost_work(done) for one in faults)])
        state.left += lost + self._physics.restart_work(job)
        self._leave(job, state)

    def start(self, job: LiveJob, placement: Placement, partner: LiveJob | None = None) -> None:
        """Set a job going, and let its partner feel it."""
        number = job.number
        state = self._work.get(number)
        if state is None:
            state = self._work[number] = Running(self._physics.begin(job, placement, None, self._now_s))
        else:
            state.left = self._physics.begin(job, placement, state.left, self._now_s)
        state.begun = state.left
        state.since_s = self._now_s + self._physics.pause_s(job)
        state.placement, state.partner = placement, partner
        self._starts += 1
        state.order = self._starts
        self._running[number] = job
        self._set_rate(job, state)
        if self._gpu_faults is not None:
            self._gpu_faults.placed(job, placement, state.order, self._now_s)
        if partner is None:
            if self._measuring is not None:
                self._measuring.watch(job, state.order, self._now_s)
        else:
            other = self._work[partner.number]
            other.settle(self._now_s)
            other.partner = job
            self._set_rate(partner, other)

    def preempt(self, job: LiveJob) -> None:
        """Stop a job; it loses what it has not saved, and pays for the restart."""
        self._stop(job)

    def resize(self, job: LiveJob, placement: Placement) -> None:
        """Carry on elsewhere after the pause of a restart."""
        state = self._work[job.number]
        state.settle(self._now_s)
        state.left = self._physics.begin(job, placement, state.left, self._now_s)
        state.since_s = self._now_s + self._physics.pause_s(job)
        state.placement = placement
        self._set_rate(job, state)
        if self._gpu_faults is not None:
            self._gpu_faults.placed(job, placement, state.order, self._now_s)

    def speed(self, job: LiveJob) -> float | None:
        """Tell the rate beside a partner relative to the rate alone."""
        state = self._work.get(job.number)
        if state is None or state.placement is None:
            return None
        alone = self._physics.rate(job, state.placement, None)
        return state.rate / alone if alone else None

    def progress(self, job: LiveJob) -> JobProgress:
        """Tell what the job's log would, and when it last saved."""
        state = self._work.get(job.number)
        if state is None:
            return JobProgress()
        saved_s = None
        if state.placement is not None:
            state.settle(self._now_s)
            saved_s = self._physics.saved_s(job, state, self._now_s)
        if self._telling is None:
            return JobProgress(saved_s=saved_s)
        return self._telling.progress(job.number, state.left, saved_s)

    def _leave(self, job: LiveJob, state: Running) -> None:
        partner, state.partner, state.placement = state.partner, None, None
        state.version += 1
        del self._running[job.number]
        if partner is None:
            return
        other = self._work[partner.number]
        other.partner = None
        # As published, a lookup compares a job's id with the job: it finds the leaver itself when that one was placed
        # first, and the job that came second keeps the slowed rate for good.
        if not (self._sticky and state.order < other.order):
            other.settle(self._now_s)
            self._set_rate(partner, other)

    def _set_rate(self, job: LiveJob, state: Running) -> None:
        if state.placement is None:
            return
        state.rate = self._physics.rate(job, state.placement, state.partner)
        state.version += 1
        if state.rate <= 0:
            return
        left = state.left
        if self._mishaps is not None and (spared := self._mishaps.next_left(job.number)) is not None:
            left -= spared
        begin_s = state.since_s if state.since_s > self._now_s else self._now_s
        end_s = begin_s + (left if left > 0.0 else 0.0) / state.rate
        # Whole microseconds: what ends at a round must not end a rounding error after it.
        end_s = math.ceil(end_s / self._tick_s - 1e-9) * self._tick_s if self._tick_s else round(end_s, 6)
        heapq.heappush(self._ends, (end_s, job.number, state.version, job))
