"""Horus, as we read its paper (its code is not public): co-locate while predicted utilisation adds up to 100 %."""

from schedmate.clusters import LiveJob
from schedmate.scheduling.view import Plan, View

FULL = 100.0
GPU_MEMORY_MIB = 24_576.0


class Horus:
    """In order of arrival; an idle GPU first, else the running job whose GPUs stay least loaded, else wait."""

    name = "horus"

    def __init__(
        self, sharing: bool = True, most_util: float = FULL, gpu_memory_mib: float = GPU_MEMORY_MIB, tick_s: float = 1.0
    ) -> None:
        self.sharing = sharing
        self.most_util = most_util
        self.gpu_memory_mib = gpu_memory_mib
        self.tick_s = tick_s
        self.queue: dict[int, LiveJob] = {}

    def decide(self, view: View) -> Plan:
        """Walk the queue; who finds neither idle GPUs nor a partner lets others pass."""
        for job in view.arrived:
            self.queue[job.number] = job
        for job in view.ended:
            self.queue.pop(job.number, None)
        plan = view.plan()
        placed = [number for number, job in sorted(self.queue.items()) if self.place(plan, job)]
        for number in placed:
            del self.queue[number]
        if placed and self.queue and self.sharing:
            plan.wake_at(view.now_s + self.tick_s)
        return plan

    def place(self, plan: Plan, job: LiveJob) -> bool:
        """Prefer GPUs of its own; else the partner with the least summed utilisation."""
        if plan.start(job):
            return True
        if not self.sharing or not job.packable or job.profile is None:
            return False
        best: tuple[float, int, LiveJob] | None = None
        for other in plan.view.running.values():
            util = self.load(job, other)
            if util is not None and (best is None or (util, other.number) < best[:2]):
                best = util, other.number, other
        if best is None:
            return False
        plan.share(job, best[2])
        return True

    def load(self, job: LiveJob, other: LiveJob) -> float | None:
        """Sum the utilisations; None where the two do not go together."""
        if other.partner is not None or other.gpus != job.gpus or not other.packable:
            return None
        if other.profile is None or job.profile is None:
            return None
        if other.profile.gpu_memory_mib + job.profile.gpu_memory_mib > self.gpu_memory_mib:
            return None
        util = other.profile.gpu_util + job.profile.gpu_util
        return util if util <= self.most_util else None
