"""SchedMate as a scheduler of its own (paper 4.3): shortest expected job first, with ageing; light jobs are packed."""

import heapq

from schedmate.clusters import LiveJob
from schedmate.scheduling.estimators import DurationEstimator
from schedmate.scheduling.view import Plan, View

AGEING = 0.1
FULL = 100.0


class SchedMate:
    """Order by expected duration less what the wait has earned; nobody overtakes a job that does not fit.

    A second of waiting counts as `ageing` seconds of duration. All waiting jobs age alike, so their order never changes
    by waiting, and the key of a job is fixed: a job of 10 h can be overtaken by new ones for 10 h / `ageing` at most.
    """

    name = "schedmate"

    def __init__(self, estimator: DurationEstimator, ageing: float = AGEING, sharing: bool = True) -> None:
        self.estimator = estimator
        self.ageing = ageing
        self.sharing = sharing
        self.keys: dict[int, float] = {}
        self.heap: list[tuple[float, int, LiveJob]] = []

    def decide(self, view: View) -> Plan:
        """Start from the head of the queue; who does not fit may share the slots of one that runs alone."""
        self.take_in(view)
        plan = view.plan()
        while self.heap:
            key, number, job = self.heap[0]
            waits = self.keys.get(number) == key and number in view.pending
            if waits and not plan.start(job) and not self.pack(plan, job):
                break
            heapq.heappop(self.heap)
        return plan

    def take_in(self, view: View) -> None:
        """Queue who came; who is expected to take longer or shorter than was thought moves."""
        for job in view.ended:
            self.keys.pop(job.number, None)
        for job in (*view.arrived, *view.revised):
            key = self.keys[job.number] = self.estimator.duration_s(job) + self.ageing * job.submit_s
            heapq.heappush(self.heap, (key, job.number, job))

    def pack(self, plan: Plan, job: LiveJob) -> bool:
        """Put a light job beside the one that leaves it most room."""
        if not self.sharing or not job.packable or job.profile is None:
            return False
        best: tuple[float, int, LiveJob] | None = None
        for other in plan.view.running.values():
            if other.partner is not None or other.profile is None or not other.packable or other.gpus != job.gpus:
                continue
            load = other.profile.gpu_util
            if load + job.profile.gpu_util <= FULL and (best is None or (load, other.number) < best[:2]):
                best = load, other.number, other
        if best is None:
            return False
        plan.share(job, best[2])
        return True
