"""Horus, as we read its paper: co-locate while predicted utilisation adds up to 100 %.

What it predicts from a computation graph is here what a profiler would measure. A simulator that was published for it
weighs places otherwise and looks at a few jobs only; `HorusAsSimulated` does as that one.
"""

from bisect import insort

from schedmate.clusters import LiveJob
from schedmate.scheduling.sharing import is_on
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
        self.queue: list[tuple[int, LiveJob]] = []

    def decide(self, view: ClusterView) -> Plan:
        """Start whoever of those that are looked at finds a place, the earliest first, as long as one does."""
        for job in view.arrived:
            insort(self.queue, (job.number, job))
        if view.ended:
            gone = {job.number for job in view.ended}
            self.queue = [entry for entry in self.queue if entry[0] not in gone]
        plan = view.plan()
        fresh = True
        while fresh:
            window = self.queue if self.look_ahead is None else self.queue[: self.look_ahead]
            placed = {number for number, job in window if self.place(plan, job)}
            self.queue = [entry for entry in self.queue if entry[0] not in placed]
            # Who was started may be a partner for one that was looked at before it, and others are looked at now.
            fresh = bool(placed and self.queue)
        return plan

    def place(self, plan: Plan, job: LiveJob) -> bool:
        """Prefer GPUs of its own, which always cost least; else the partner that costs least."""
        if plan.start(job):
            return True
        if not self.sharing or not job.packable or job.profile is None:
            return False
        best: tuple[float, int, LiveJob] | None = None
        avoid = plan.view.avoided(job)
        for other in plan.view.running.values():
            cost = self.cost(job, other)
            if cost is not None and not is_on(other, avoid) and (best is None or (cost, other.number) < best[:2]):
                best = cost, other.number, other
        if best is None:
            return False
        plan.share(job, best[2])
        return True

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


class HorusAsSimulated(Horus):
    """Weighs memory and the distance from full utilisation, which fills GPUs up, and looks at five jobs."""

    name = "horus-simulated"

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
