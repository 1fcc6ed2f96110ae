"""One virtual cluster as the loop keeps it: its policy, what the policy sees, and how busy it has been."""

from collections.abc import Callable

from schedmate.clusters import JobProgress, LiveJob
from schedmate.scheduling.placement.cut_gpus import BY_TIME, Cut
from schedmate.scheduling.placement.inventory import Inventory
from schedmate.scheduling.policies import Policy
from schedmate.scheduling.view import Action, ClusterView


class VirtualCluster:
    """One virtual cluster: its policy, its view, and the areas under its curves of demand and use."""

    __slots__ = ("busy_gpu_s", "demand_gpus", "demand_s", "policy", "since_s", "stopped", "view", "wake_s")

    def __init__(
        self,
        vc: str,
        policy: Policy,
        progress: Callable[[LiveJob], JobProgress] = lambda job: JobProgress(),
        cut: Cut = BY_TIME,
    ) -> None:
        self.view = ClusterView(vc, Inventory(cut=cut), progress)
        self.policy = policy
        self.wake_s: float | None = None
        self.stopped: list[Action] = []
        """What was stopped since the last decision by others than the policy: a broken node, the packing watch."""
        self.since_s = 0.0
        self.busy_gpu_s = 0.0
        self.demand_gpus: float = 0
        self.demand_s = 0.0
        """Integral over time of the GPUs that were wanted, relative to those there are, at least 1."""

    def advance(self, now_s: float) -> None:
        """Add to the areas up to now."""
        span_s = now_s - self.since_s
        if not span_s and self.view.now_s == now_s:
            return
        if span_s > 0:
            inventory = self.view.inventory
            total = inventory.total_gpus
            self.busy_gpu_s += inventory.busy_gpus * span_s
            self.demand_s += span_s * self.demand_gpus / total if self.demand_gpus > total > 0 else span_s
        self.since_s = now_s
        self.view.now_s = now_s
