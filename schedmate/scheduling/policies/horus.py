"""Horus, as we read its paper: co-locate while predicted utilisation adds up to 100 %.

What it predicts from a computation graph is here what a profiler would measure. A simulator that was published for it
weighs places otherwise and looks at a few jobs only; `HorusAsSimulated` does as that one.
"""

from collections.abc import Iterable
from itertools import islice

from schedmate.clusters import LiveJob
from schedmate.scheduling.placement.sharing import Partners, is_on
from schedmate.scheduling.queueing.shapes import Shape, ShapedQueue
from schedmate.scheduling.view import ClusterView, Plan

FULL = 100.0
GPU_MEMORY_MIB = 24_576.0

MEMORY_WEIGHT, OVER_WEIGHT = 1.3, 1.6
"""Weights of memory, and of utilisation beyond 100 %, in the cost of a place, as simulated."""
LOOK_AHEAD = 5
"""How many of those who wait are looked at, as simulated."""


class Horus:
    """In order of arrival; an idle GPU first, else the running job beside which it costs least, else wait."""

    name = "horus"
    lightest_is_best = True

    def __init__(
        self,
        sharing: bool = True,
        most_util: float = FULL,
        gpu_memory_mib: float = GPU_MEMORY_MIB,
        look_ahead: int | None = None,
    ) -> None:
        self.sharing = sharing
        self.most_util = most_util
        self.gpu_memory_mib = gpu_memory_mib
        self.look_ahead = look_ahead
        self.queue = ShapedQueue(sharing)
        self.failed: set[Shape] = set()
        """Shapes that found no place; that holds until there is room, or somebody light enough may get company."""
        self.misfits: set[tuple[float, str]] = set()
        """Sizes for which too little is free; that holds until something is."""
        self.offered: dict[float, float] = {}
        """By size the lightest of those who may get company since shapes were last looked at for it."""
        self.was: tuple[int, float] = (-1, -1)
        self.partners = Partners(gpu_memory_mib)
        self.is_new = True

    def decide(self, view: ClusterView) -> Plan:
        """Start whoever of those that are looked at finds a place, the earliest first, as long as one does."""
        plan = view.plan()
        self.take_in(view, plan)
        # Who was started may be a partner for one that was looked at before it, and others are looked at now.
        while self.queue.held and self.look(plan):
            pass
        self.was = len(view.running), view.inventory.busy_gpus
        return plan

    def look(self, plan: Plan) -> bool:
        """Look once at those who wait; tell whether any was placed."""
        if self.look_ahead is None:
            return self.queue.start_again(lambda job: self.tries(plan, job), self.failed, self.revived)
        placed = []
        for _, number, job in list(islice(self.queue.in_order(), self.look_ahead)):
            if self.queue.held[number][0] not in self.failed and self.tries(plan, job):
                placed.append(number)
                self.revived()
        for number in placed:
            self.queue.drop(number)
        return bool(placed)

    def take_in(self, view: ClusterView, plan: Plan) -> None:
        """Queue who came, and forget what failed where that may have changed."""
        self.keep_partners(view)
        for job in view.ended:
            self.queue.drop(job.number)
        self.forget_failures(view)
        if len(view.arrived) == 1 and not self.queue.held and self.place(plan, view.arrived[0]):
            return  # most come alone and meet no queue
        for job in view.arrived:
            self.queue.put(job, job.number)

    def forget_failures(self, view: ClusterView) -> None:
        """Forget what failed where that may have changed."""
        if view.rules is not None:
            self.failed.clear()
            self.misfits.clear()
        elif self.offered or view.ended or view.broken or self.was != (len(view.running), view.inventory.busy_gpus):
            self.revived()
            sizes = {(gpus, kind) for gpus, kind, *_ in self.failed}
            self.misfits = {size for size in sizes if not is_to_be_had(size, view)}
            self.failed = {shape for shape in self.failed if self.fails_still(shape)}

    def fails_still(self, shape: Shape) -> bool:
        """Tell whether a shape has no room because its size has none; where it depends on nodes, that is not known."""
        gpus, kind, _, avoid, reach = shape
        return (gpus, kind) in self.misfits and not avoid and reach is None

    def revived(self) -> list[Shape]:
        """Give, and forget as failed, the shapes that may go beside somebody who may get company now."""
        light = [shape for shape in self.failed if self.is_light(shape)] if self.offered else []
        self.failed.difference_update(light)
        self.offered.clear()
        return light

    def is_light(self, shape: Shape) -> bool:
        """Tell whether a shape leaves enough to the lightest that may get company now."""
        lightest, profile = self.offered.get(shape[0]), shape[2]
        return lightest is not None and profile is not None and lightest + profile.gpu_util <= self.most_util

    def offer(self, jobs: Iterable[LiveJob]) -> None:
        """Let others be put beside jobs, and note how light these are."""
        for job in jobs:
            self.partners.offer([job])
            if (entry := self.partners.entries.get(job.number)) is not None:
                self.offered[job.gpus] = min(entry[0], self.offered.get(job.gpus, entry[0]))

    def keep_partners(self, view: ClusterView) -> None:
        """Book who runs alone: those too whose partners have left."""
        if self.is_new:
            self.is_new = False
            self.offer(view.running.values())
        for job in (*view.ended, *view.broken, *view.arrived):
            if (other := self.partners.release(job, view)) is not None:
                self.offer([other])
        self.offer(job for job in view.revised if view.running.get(job.number) is job)

    def tries(self, plan: Plan, job: LiveJob) -> bool:
        """Place a job, or note that its shape finds no place."""
        if self.place(plan, job):
            return True
        self.failed.add(self.queue.held[job.number][0])
        return False

    def place(self, plan: Plan, job: LiveJob) -> bool:
        """Prefer GPUs of its own, which always cost least; else the partner that costs least."""
        if self.has_room(plan, job):
            if plan.view.running.get(job.number) is job:  # else it waits no more, or is set aside by a limit
                self.offer([job])
            return True
        if not self.sharing or not job.packable or job.profile is None:
            return False
        other = self.cheapest(job, plan.view)
        if other is None:
            return False
        plan.share(job, other)
        self.offer([job, other])
        return True

    def has_room(self, plan: Plan, job: LiveJob) -> bool:
        """Start a job on GPUs of its own, unless one of its size found none."""
        if (job.gpus, job.kind) in self.misfits:
            return plan.is_dealt_with(job)
        if plan.start(job):
            return True
        if not job.avoid and job.reach is None:  # else another of its size may have room
            self.misfits.add((job.gpus, job.kind))
        return False

    def cheapest(self, job: LiveJob, view: ClusterView) -> LiveJob | None:
        """Give the partner that costs least, the earliest among equals."""
        best: tuple[float, int, LiveJob] | None = None
        avoid, own = view.avoided(job), job.profile.gpu_util if job.profile is not None else 0.0
        row = self.partners.alone.get(job.gpus)
        for load, number, other in row.entries if row is not None else ():
            if load + own > self.most_util or (best is not None and self.lightest_is_best):
                break
            if view.running.get(number) is not other or other.placement is None:
                continue
            if job.kind not in ("", other.placement.kind) or is_on(other, avoid):
                continue
            cost = self.cost(job, other)
            if cost is not None and (best is None or (cost, number) < best[:2]):
                best = cost, number, other
        return None if best is None else best[2]

    def cost(self, job: LiveJob, other: LiveJob) -> float | None:
        """Sum the utilisations; None where the two do not go together."""
        if other.partner is not None or other.gpus != job.gpus or not other.packable:
            return None
        if other.profile is None or job.profile is None:
            return None
        if other.profile.gpu_memory_mib + job.profile.gpu_memory_mib > self.gpu_memory_mib:
            return None
        util = other.profile.gpu_util + job.profile.gpu_util
        return util if util <= self.most_util else None


def is_to_be_had(size: tuple[float, str], view: ClusterView) -> bool:
    """Tell whether so many GPUs of a kind could be had now."""
    placement = view.inventory.place(*size)
    if placement is not None:
        view.inventory.give(placement)
    return placement is not None


class HorusAsSimulated(Horus):
    """Weighs memory and the distance from full utilisation, which fills GPUs up, and looks at five jobs."""

    name = "horus-simulated"
    lightest_is_best = False

    def __init__(self, sharing: bool = True, most_util: float = FULL, gpu_memory_mib: float = GPU_MEMORY_MIB) -> None:
        super().__init__(sharing, most_util, gpu_memory_mib, LOOK_AHEAD)

    def cost(self, job: LiveJob, other: LiveJob) -> float | None:
        """Charge memory, utilisation short of or beyond full, and one for the job that runs there."""
        util = super().cost(job, other)
        if util is None or other.profile is None or job.profile is None:
            return None
        memory = (other.profile.gpu_memory_mib + job.profile.gpu_memory_mib) / self.gpu_memory_mib
        apart = (util - FULL) / 100
        return MEMORY_WEIGHT * memory + (apart * OVER_WEIGHT if apart > 0 else -apart) + 1
