"""Lucid: shortest predicted GPU time first, light jobs packed two to a GPU, without preemption."""

from bisect import insort
from collections import defaultdict
from collections.abc import Callable

from schedmate.clusters import LiveJob
from schedmate.scheduling.estimators import DurationEstimator
from schedmate.scheduling.lucid.forecasts import DemandForecast
from schedmate.scheduling.placement.sharing import is_on
from schedmate.scheduling.view import ClusterView, Plan

GPU_MEMORY_MIB = 24_576.0
CAPACITY = 2
LARGEST_PACKED = 8

LEAST_ARRIVALS = 2.0
"""Forecast of GPU jobs a bin up to which GPUs are not shared (dynamic strategy)."""
BIN_S = 600.0

Weight = tuple[int, float]
"""A job's sharing score and memory."""


def within_capacity(weight: int) -> bool:
    """Let pairs weigh what a GPU carries, as published."""
    return weight <= CAPACITY


class Lucid:
    """Indolent packing: a partner must be light enough, of the same size, and not much shorter."""

    name = "lucid"

    def __init__(
        self,
        estimator: DurationEstimator,
        forecast: DemandForecast | None = None,
        sharing: bool = True,
        sticky: bool = False,
        gpu_memory_mib: float = GPU_MEMORY_MIB,
        tick_s: float = 1.0,
        allows: Callable[[int], bool] | None = None,
    ) -> None:
        self.estimator = estimator
        self.forecast = forecast
        self.sharing = sharing
        self.sticky = sticky
        """Reproduce the published fault: a job whose earlier-placed partner has left is never packed again."""
        self.gpu_memory_mib = gpu_memory_mib
        self.tick_s = tick_s
        self.allows = allows
        """Which sums of sharing scores above the capacity are worth a try where there is no room; None: none are."""
        self.queue: list[tuple[float, int, LiveJob]] = []
        self.priority: dict[int, float] = {}
        self.starts = 0
        self.rank: dict[int, int] = {}
        self.pairs: dict[int, LiveJob] = {}
        self.alone: dict[float, list[tuple[int, LiveJob]]] = defaultdict(list)
        """Running jobs that may get a partner, by size, in the order of their starts."""
        self.fresh: dict[float, list[tuple[int, LiveJob]]] = defaultdict(list)
        """Those of them that came in since jobs were last looked at; who has looked at the others need not again."""
        self.seen: set[int] = set()
        self.was_sharing = False

    def decide(self, view: ClusterView) -> Plan:
        """Walk the queue by predicted GPU time: look for a partner first, then for free GPUs."""
        self.take_in(view)
        plan = view.plan()
        if not self.queue:
            return plan
        sharing = self.shares_now(view.now_s)
        if sharing and not self.was_sharing:
            self.seen.clear()
        self.was_sharing = sharing
        started = self.walk_sharing(plan) if sharing else self.walk_in_order(plan)
        if started:
            self.queue = [entry for entry in self.queue if entry[1] not in started]
        if self.queue:
            if started and sharing:
                # Who was started now may be the partner of one that was looked at before it.
                plan.wake_at(view.now_s + self.tick_s)
            if self.sharing and self.forecast is not None:
                plan.wake_at((view.now_s // BIN_S + 1) * BIN_S)
        return plan

    def take_in(self, view: ClusterView) -> None:
        """Queue who came, and give back their partners to who was left alone."""
        for job in view.ended:
            if job.number not in self.rank:  # it was withdrawn
                self.queue = [entry for entry in self.queue if entry[1] != job.number]
            self.forget(job)
            self.priority.pop(job.number, None)
        for job in view.arrived:
            self.forget(job)
            if job.number not in self.priority:
                self.priority[job.number] = self.estimator.duration_s(job) * job.gpus
            self.seen.discard(job.number)
            insort(self.queue, (self.priority[job.number], job.number, job))

    def forget(self, job: LiveJob) -> None:
        """Take a job that has left its GPUs out of the books."""
        rank = self.rank.pop(job.number, None)
        if rank is None:
            return
        partner = self.pairs.pop(job.number, None)
        if partner is None:
            crowd = self.alone[job.gpus]
            crowd[:] = [entry for entry in crowd if entry[1] is not job]
            return
        self.pairs.pop(partner.number, None)
        if partner.number in self.rank and not (self.sticky and rank < self.rank[partner.number]):
            self.open(partner)

    def open(self, job: LiveJob) -> None:
        """Offer a running job to those that look for a partner."""
        if job.gpus > LARGEST_PACKED or not job.packable or job.profile is None:
            return
        entry = (self.rank[job.number], job)
        insort(self.alone[job.gpus], entry)
        self.fresh[job.gpus].append(entry)

    def shares_now(self, now_s: float) -> bool:
        """Share only when enough jobs are about to come; without a forecast, always."""
        if not self.sharing:
            return False
        return self.forecast is None or not self.forecast.jobs_ahead(now_s) <= LEAST_ARRIVALS

    def walk_in_order(self, plan: Plan) -> set[int]:
        """Start from the head until one does not fit."""
        started: set[int] = set()
        for _, number, job in self.queue:
            if not plan.start(job):
                break
            started.add(number)
            if job.placement is not None:
                self.book(job)
        return started

    def walk_sharing(self, plan: Plan) -> set[int]:
        """Let each job look for a partner, then for a place; who finds neither is passed by."""
        started: set[int] = set()
        fresh, self.fresh = self.fresh, defaultdict(list)
        smallest_misfit: float = 1 << 60
        too_heavy: dict[float, list[Weight]] = defaultdict(list)
        for _, number, job in self.queue:
            if plan.is_dealt_with(job):
                started.add(number)
                continue
            new = number not in self.seen or bool(job.reach)
            avoid = plan.view.avoided(job)
            partner = None
            if job.gpus <= LARGEST_PACKED and job.packable and job.profile is not None:
                crowd = self.alone[job.gpus] if new else fresh[job.gpus] + self.fresh[job.gpus]
                partner = self.pick(job, crowd, avoid)
                self.seen.add(number)
            if partner is not None:
                plan.share(job, partner)
                self.pair(job, partner)
            elif job.gpus < smallest_misfit and plan.start(job):
                self.book(job)
            elif (partner := self.pick_heavier(job, too_heavy[job.gpus], avoid)) is not None:
                plan.share(job, partner)
                self.pair(job, partner)
            else:
                # Within a walk GPUs are only taken: what is as large as one that did not fit does not fit either.
                if not job.reach:  # else another may start where this one would reach into a reservation
                    smallest_misfit = min(smallest_misfit, job.gpus)
                continue
            started.add(number)
        return started

    def pick_heavier(self, job: LiveJob, too_heavy: list[Weight], avoid: frozenset[str]) -> LiveJob | None:
        """Look for a partner above the capacity, where such pairs are tried.

        Later in the queue partners must last longer: who is no lighter than one that found none finds none either.
        """
        profile = job.profile
        if self.allows is None or profile is None or job.gpus > LARGEST_PACKED or not job.packable:
            return None
        weight = profile.score, profile.gpu_memory_mib
        if any(score <= weight[0] and mib <= weight[1] for score, mib in too_heavy):
            return None
        partner = self.pick(job, self.alone[job.gpus], avoid, self.allows)
        if partner is None and not job.reach:
            too_heavy.append(weight)
        return partner

    def pick(
        self,
        job: LiveJob,
        crowd: list[tuple[int, LiveJob]],
        avoid: frozenset[str],
        allows: Callable[[int], bool] = within_capacity,
    ) -> LiveJob | None:
        """Give the first in starting order that is light enough and will not end much sooner."""
        profile = job.profile
        if profile is None:
            return None
        room_mib = self.gpu_memory_mib - profile.gpu_memory_mib
        least = self.priority[job.number] / 2
        best: tuple[int, LiveJob] | None = None
        for entry in crowd:
            other = entry[1]
            if other.number in self.pairs or other.number not in self.rank or other.profile is None:
                continue
            # A fault may have ended it, and nobody has noticed yet.
            if other.placement is None or is_on(other, avoid) or job.kind not in ("", other.placement.kind):
                continue
            if (
                other.profile.gpu_memory_mib < room_mib
                and allows(profile.score + other.profile.score)
                and self.priority[other.number] >= least
                and (best is None or entry[0] < best[0])
            ):
                best = entry
        return None if best is None else best[1]

    def book(self, job: LiveJob) -> None:
        """Note a start on GPUs of its own."""
        self.starts += 1
        self.rank[job.number] = self.starts
        self.seen.discard(job.number)
        self.open(job)

    def pair(self, job: LiveJob, partner: LiveJob) -> None:
        """Note a start beside a partner."""
        self.starts += 1
        self.rank[job.number] = self.starts
        self.seen.discard(job.number)
        self.pairs[job.number], self.pairs[partner.number] = partner, job
        crowd = self.alone[job.gpus]
        crowd[:] = [entry for entry in crowd if entry[1] is not partner]
