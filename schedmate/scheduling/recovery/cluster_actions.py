"""All that recovery steps can do to a cluster: marks on nodes, the breaker, spares, jobs."""

import time
from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from schedmate.clusters import Placement
from schedmate.clusters.managed import ISOLATED, SPARE, ManagedCluster, Mark
from schedmate.counts import how_many
from schedmate.history.live import LiveStore
from schedmate.history.live_rows import Parts
from schedmate.scheduling.recovery.owner_rules import Rules
from schedmate.scheduling.recovery.steps import Case

BREAKER = "breaker"
OPEN_BREAKER = "the circuit breaker is open"
T = TypeVar("T")
Devices = tuple[tuple[str, tuple[int, ...]], ...]


class LiveActions:
    """What the steps may do; what a step does to store and cluster is one transaction of the store."""

    def __init__(self, cluster: ManagedCluster, store: LiveStore, rules: Rules, say: Callable[[str], None]) -> None:
        self.cluster = cluster
        self.can = cluster.can
        self.store = store
        self.rules = rules
        self.tell = say

    def devices_of(self, nodes: Iterable[str]) -> Devices:
        """Give nodes' GPUs as their hosts number them."""
        slots = {state.spec.name: range(state.spec.gpus) for state in self.cluster.states()}
        return tuple((name, self.cluster.devices(name, slots[name])) for name in dict.fromkeys(nodes) if name in slots)

    def idle_of(self, parts: Parts, spares: Sequence[str]) -> Devices:
        """Give the GPUs that a run had, and those of the spares, less those that other runs have now."""
        slots: dict[str, Iterable[int]] = {state.spec.name: range(state.spec.gpus) for state in self.cluster.states()}
        had = {name: each for name, each in Placement("gpu", parts).indices().items() if name in slots}
        mine = {name: self.cluster.devices(name, each) for name, each in had.items()}
        mine |= {name: self.cluster.devices(name, slots[name]) for name in spares}
        taken = {name: set[int]() for name in mine}
        for run in self.cluster.running():
            for name, each in run.placement.indices().items():
                taken.get(name, set()).update(self.cluster.devices(name, each))
        return tuple((name, each) for name, each in mine.items() if each and not taken[name] & set(each))

    def addresses(self, nodes: Iterable[str]) -> tuple[tuple[str, str], ...]:
        """Say where nodes reach each other, of those for which that is not their name."""
        wanted = {*nodes}
        states = self.cluster.states()
        return tuple((one.spec.name, one.address) for one in states if one.spec.name in wanted and one.address)

    def isolated(self) -> dict[str, int]:
        """Give each isolated node and the action that isolated it."""
        return {node: mark.action for node, mark in self.marks().items() if mark.kind == ISOLATED}

    def marks(self) -> dict[str, Mark]:
        """Give our marks by their nodes."""
        return {state.spec.name: state.mark for state in self.cluster.states() if state.mark is not None}

    def others_hit(self, case: Case, node: str) -> Sequence[str]:
        """Name other users whose jobs died of the same known fault on a node within the breaker's window."""
        failure = case.diagnosis.failure_id
        since_s = time.time() - self.rules.recovery.window_s
        return self.store.users_hit(failure, node, case.user, since_s) if failure else ()

    def breaker(self, nodes: Sequence[str]) -> str:
        """Say why these nodes may not be isolated now."""
        rules, now_s = self.rules.recovery, time.time()
        for node in nodes:
            undone_s = [at_s for at_s, names in self.store.ends("isolate", "undone") if node in names]
            back_s = now_s - max(undone_s, default=0.0)
            if back_s < rules.cooldown_s:
                return f"a person brought {node} back {back_s:.0f} s ago"
        since_s = max(now_s - rules.window_s, float(self.store.fact(BREAKER) or 0))
        gone = {node for at_s, names in self.store.ends("isolate", "done") if at_s >= since_s for node in names}
        count = len(self.cluster.states())
        most = max(1, int(rules.isolate_share * count)) if rules.isolate_share else 0
        if len(gone | set(nodes)) <= most:
            return ""
        lately = f"{len(gone)} of {how_many(count, 'node')} were isolated lately, {most} may be"
        wanted = f"; {', '.join(nodes)} would be {len(nodes)} more" if len(nodes) > 1 else ""
        return f"{OPEN_BREAKER}: {lately}{wanted} (schedmate actions --reset-breaker)"

    def reset_breaker(self) -> str:
        """Count isolations from now on."""
        self.store.set_fact(BREAKER, f"{time.time()}")
        return "the circuit breaker is reset"

    def isolate(self, node: str, action: int, reason: str) -> None:
        """Mark a node and give it no more jobs."""
        self.cluster.mark(node, Mark(ISOLATED, action), reason)

    def restore(self, node: str, action: int) -> bool:
        """Take back the mark that this action made."""
        return self.cluster.unmark(node, Mark(ISOLATED, action))

    def spares(self) -> Sequence[str]:
        """List nodes that are kept in reserve, in their order."""
        return [node for node, mark in self.marks().items() if mark.kind == SPARE]

    def bring_in(self, node: str) -> None:
        """Let a spare take jobs."""
        self.cluster.unmark(node, Mark(SPARE))

    def state_of(self, job: int) -> str:
        """Tell a job's state."""
        return self.store.job(job).state

    def requeue(self, job: int, reason: str) -> None:
        """Put a job back into the queue."""
        self.cluster.requeue(job, reason)

    def hold(self, job: int, reason: str) -> None:
        """Keep a job from running until somebody releases it."""
        self.cluster.hold(job, reason)
