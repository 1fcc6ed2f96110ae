"""A policy for an engine that schedules by itself: it starts nothing, and says in which order jobs should start."""

from collections.abc import Sequence
from typing import Protocol

from schedmate.clusters import LiveJob
from schedmate.scheduling.placement.inventory import Inventory
from schedmate.scheduling.policies import Policy
from schedmate.scheduling.view import ClusterView, Plan


class Orders(Protocol):
    """Whoever starts jobs."""

    def order(self, jobs: Sequence[LiveJob]) -> None: ...


class OrderOnly:
    """Lets a policy look at those that wait, with no GPU to give, and passes its order on when it has changed."""

    def __init__(self, policy: Policy, engine: Orders, takes_orders: bool) -> None:
        self.policy = policy
        self.engine = engine
        self.takes_orders = takes_orders
        self.name = policy.name
        self.told: list[int] = []

    def decide(self, view: ClusterView) -> Plan:
        """Start nothing."""
        shadow = ClusterView(view.vc, Inventory())
        shadow.now_s, shadow.pending = view.now_s, view.pending
        shadow.arrived, shadow.ended, shadow.revised = [*view.arrived], [*view.ended], [*view.revised]
        wake_s = self.policy.decide(shadow).wake_s
        order = self.waiting()
        numbers = [job.number for job in order]
        if self.takes_orders and numbers != self.told:
            self.told = numbers
            self.engine.order(order)
        plan = view.plan()
        plan.wake_s = wake_s
        return plan

    def waiting(self) -> Sequence[LiveJob]:
        """Give those that wait, in the policy's order."""
        found: Sequence[LiveJob] = getattr(self.policy, "waiting", list)()
        return found
