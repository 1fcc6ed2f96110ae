"""All that recovery steps can do to a cluster on this machine: marks on nodes, the breaker, spares, jobs."""

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeVar

from schedmate.clusters import Placement
from schedmate.clusters.local import LocalCluster
from schedmate.clusters.local_jobs import devices
from schedmate.history.live_rows import Parts
from schedmate.scheduling.recovery.rules import Rules
from schedmate.scheduling.recovery.steps import Case

ISOLATED, SPARE = "isolated", "spare"
BREAKER = "breaker"
T = TypeVar("T")
Devices = tuple[tuple[str, tuple[int, ...]], ...]


class Hands:
    """The ground of the steps; every mark is in the store before the cluster hears of it."""

    def __init__(self, cluster: LocalCluster, rules: Rules, say: Callable[[str], None]) -> None:
        self.cluster = cluster
        self.store = cluster.store
        self.rules = rules
        self.tell = say
        self.reserved: list[str] = []
        """Nodes that take no jobs for as long as a test runs on them; unmarked, so a kill frees them."""

    def at_once(self, work: Callable[[], T]) -> T:
        """Do something to the store and the cluster together; should the disk be full, once more from the beginning."""
        posted, down = [*self.cluster.posted], {*self.cluster.down}

        def attempt() -> T:
            self.cluster.posted[:], self.cluster.down = posted, {*down}
            return work()

        return self.store.write(attempt)

    def devices_of(self, nodes: Iterable[str]) -> Devices:
        """Give nodes' GPUs as this machine numbers them."""
        declared = self.cluster.declared
        slots = {name: range(declared[name].gpus) for name in nodes if name in declared}
        return tuple((name, self.numbered({name: each})) for name, each in slots.items())

    def idle_of(self, parts: Parts, spares: Sequence[str]) -> Devices:
        """Give the GPUs that a run had, and those of the spares, less those that other runs have now."""
        declared = self.cluster.declared
        had: list[tuple[str, Sequence[int]]] = [
            (name, each) for name, each in Placement("gpu", parts).indices().items() if name in declared
        ]
        had += [(name, range(declared[name].gpus)) for name in spares]
        taken = {device for run in self.cluster.runs.values() for device in self.numbered(run.placement.indices())}
        mine = ((name, self.numbered({name: each})) for name, each in had)
        return tuple((name, each) for name, each in mine if each and not taken & set(each))

    def numbered(self, slots: Mapping[str, Iterable[int]]) -> tuple[int, ...]:
        """Number slots as this machine does."""
        return tuple(devices(slots, self.cluster.declared.values()))

    def reserve(self, nodes: Iterable[str]) -> None:
        """Give nodes no new jobs while they are tested."""
        for node in nodes:
            if node in self.cluster.declared and node not in self.cluster.down:
                self.reserved.append(node)
                self.cluster.take_down(node, kill=False)

    def let_go(self, nodes: Iterable[str]) -> None:
        """Let tested nodes take jobs again; an isolation that follows takes them before anything starts there."""
        for node in nodes:
            if node in self.reserved:
                self.reserved.remove(node)
                if node not in self.store.marks():
                    self.cluster.bring_back(node)

    def isolated(self) -> dict[str, int]:
        """Give each isolated node and the action that isolated it."""
        return {node: action for node, (mark, action) in self.store.marks().items() if mark == ISOLATED}

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
        count = len(self.cluster.declared)
        most = max(1, int(rules.isolate_share * count)) if rules.isolate_share else 0
        if len(gone | set(nodes)) <= most:
            return ""
        lately = f"{len(gone)} of {count} nodes were isolated lately, {most} may be"
        wanted = f"; {', '.join(nodes)} would be {len(nodes)} more" if len(nodes) > 1 else ""
        return f"the circuit breaker is open: {lately}{wanted} (schedmate actions --reset-breaker)"

    def reset_breaker(self) -> str:
        """Count isolations from now on."""
        self.store.set_fact(BREAKER, f"{time.time()}")
        return "the circuit breaker is reset"

    def isolate(self, node: str, action: int) -> None:
        """Mark a node and give it no more jobs."""
        self.store.mark(node, ISOLATED, action, time.time())
        self.cluster.take_down(node, kill=False)

    def restore(self, node: str, action: int) -> bool:
        """Take back the mark that this action made."""
        if not self.store.unmark(node, action):
            return False
        self.cluster.bring_back(node)
        return True

    def spares(self) -> Sequence[str]:
        """List nodes that are kept in reserve, in their order."""
        marks = self.store.marks()
        return [node for node in self.cluster.declared if marks.get(node, ("", 0))[0] == SPARE]

    def bring_in(self, node: str) -> None:
        """Let a spare take jobs."""
        if self.store.unmark(node, 0):
            self.cluster.bring_back(node)

    def state_of(self, job: int) -> str:
        """Tell a job's state."""
        return self.store.job(job).state

    def requeue(self, job: int, reason: str) -> None:
        """Put a job back into the queue."""
        self.cluster.release(job, reason)

    def hold(self, job: int, reason: str) -> None:
        """Keep a job from running until somebody releases it."""
        self.cluster.hold(job, reason)
