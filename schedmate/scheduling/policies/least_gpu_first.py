"""Lucid's profiler as a policy of its own: a few nodes where each small job runs for a short time first."""

from schedmate.clusters import LiveJob, NodeSpec
from schedmate.scheduling.lucid.forecasts import DemandForecast
from schedmate.scheduling.queueing.queues import Queue
from schedmate.scheduling.view import ClusterView, Plan

MANY, FEW = 10, 5
LOOK_UP_S, LOOK_DOWN_S = 10.0, 100.0
BINS = 5


class LeastGpuFirst:
    """Fewest GPUs first, head-of-line; with a forecast it borrows a node while many wait (time-aware scaling)."""

    name = "profiler"

    def __init__(
        self, extra: NodeSpec | None = None, forecast: DemandForecast | None = None, gpu_limit: int = 8
    ) -> None:
        self.queue = Queue(by_gpus)
        self.extra = extra
        self.forecast = forecast
        self.gpu_limit = gpu_limit
        self.borrowed = False

    def decide(self, view: ClusterView) -> Plan:
        """Start who fits, then see whether the extra node is wanted, or can go."""
        self.queue.extend(view.arrived)
        plan = view.plan()
        self.queue.start_in_order(plan.start)
        if self.extra is not None and self.forecast is not None:
            self.scale(view, plan, self.extra, self.forecast)
        return plan

    def scale(self, view: ClusterView, plan: Plan, extra: NodeSpec, forecast: DemandForecast) -> None:
        """Borrow on the tens of seconds, give back on the hundreds, as published."""
        now_s, waiting = view.now_s, len(self.queue)
        if not self.borrowed:
            if waiting > MANY and now_s % LOOK_UP_S == 0:
                plan.lend(extra, add=True)
                self.borrowed = True
                plan.wake_at(now_s + 1)
            elif waiting > MANY:
                plan.wake_at((now_s // LOOK_UP_S + 1) * LOOK_UP_S)
            return
        idle = view.inventory.is_idle(extra.name)
        quiet = now_s % LOOK_DOWN_S == 0 and waiting < FEW and idle
        # Beyond the forecast's end nobody knows of more to come.
        if quiet and not forecast.gpus_ahead(now_s) > self.gpu_limit * BINS:
            plan.lend(extra, add=False)
            self.borrowed = False
        else:
            plan.wake_at((now_s // LOOK_DOWN_S + 1) * LOOK_DOWN_S)


def by_gpus(job: LiveJob) -> float:
    """Order by size."""
    return job.gpus
