"""A virtual cluster that lends a node to the profiler for a while."""

from schedmate.clusters import NodeSpec
from schedmate.scheduling.policies import Policy
from schedmate.scheduling.view import ClusterView, Plan


class Lending:
    """Lets another policy decide, then hands an idle node over, or takes it back, at the times that are given."""

    def __init__(self, inner: Policy, lends: tuple[tuple[float, bool], ...], patient: bool) -> None:
        self.name = inner.name
        self.inner = inner
        self.lends = list(reversed(lends))
        self.patient = patient
        """Wait for a node to be idle; the published simulator just goes without."""
        self.gone: list[NodeSpec] = []
        self.owed = 0

    def decide(self, view: ClusterView) -> Plan:
        """Decide first: a node that is given back serves from the next decision on."""
        plan = self.inner.decide(view)
        while self.lends and self.lends[-1][0] <= view.now_s:
            _, borrowed = self.lends.pop()
            if borrowed:
                self.owed += 1
            elif self.gone:
                plan.lend(self.gone.pop(), add=True)
                plan.wake_at(view.now_s + 1)
            else:
                self.owed = 0
        while self.owed and (name := view.inventory.idle_node()) is not None:
            self.owed -= 1
            node = view.inventory.spec(name)
            plan.lend(node, add=False)
            self.gone.append(node)
        if not self.patient:
            self.owed = 0
        if self.lends:
            plan.wake_at(self.lends[-1][0])
        return plan
