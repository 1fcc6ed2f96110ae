"""Nodes of this machine: names for shares of its GPUs or CPUs, with the marks that the store holds."""

import time
from collections.abc import Iterable, Sequence

from schedmate.clusters import Event, NodeDown, NodeSpec, NodeUp
from schedmate.clusters.job_rows import devices
from schedmate.clusters.managed import EngineRun, Mark, NodeState
from schedmate.history.live import LiveStore


class LocalNodes:
    """Which nodes take jobs, and who keeps the others from it."""

    def __init__(self, nodes: Sequence[NodeSpec], store: LiveStore) -> None:
        self.declared = {node.name: node for node in nodes}
        self.store = store
        self.broken: set[str] = set()
        self.reserved: set[str] = set()
        """Whoever ends this process frees them."""
        self.down = {name for name in store.marks() if name in self.declared}
        """Nodes of which the loop has heard that they take no jobs."""

    def post(self, event: Event) -> None:
        """Let the loop hear of something."""
        raise NotImplementedError

    def nodes(self) -> Sequence[NodeSpec]:
        """List the nodes that take jobs."""
        return [node for name, node in self.declared.items() if name not in self.down]

    def states(self) -> Sequence[NodeState]:
        """List all nodes."""
        marks = {node: Mark(*mark) for node, mark in self.store.marks().items()}
        return [
            NodeState(spec, "marked", f"action {marks[name].action}", "schedmate", marks[name])
            if name in marks
            else NodeState(spec, "down" if name in self.broken else "up")
            for name, spec in self.declared.items()
        ]

    def mark(self, node: str, mark: Mark, reason: str = "") -> None:
        """Keep a node from new jobs."""
        self.store.mark(node, mark.kind, mark.action, time.time())
        self.store.when_written(self.review)

    def unmark(self, node: str, mark: Mark) -> bool:
        """Take back this very mark."""
        if self.store.marks().get(node) != mark or not self.store.unmark(node, mark.action):
            return False
        self.store.when_written(self.review)
        return True

    def reserve(self, nodes: Iterable[str], limit_s: float) -> None:
        """Give nodes no new jobs."""
        self.reserved |= {*nodes}
        self.store.when_written(self.review)

    def let_go(self, nodes: Iterable[str]) -> None:
        """Let them take jobs again."""
        self.reserved -= {*nodes}
        self.store.when_written(self.review)

    def devices(self, node: str, slots: Iterable[int]) -> tuple[int, ...]:
        """Number this machine's GPUs through its nodes."""
        return tuple(devices({node: slots}, self.declared.values()))

    def devices_of(self, run: EngineRun) -> tuple[int, ...]:
        """Number the GPUs that a run has."""
        return tuple(devices(run.placement.indices(), self.declared.values()))

    def launcher(self, nodes: Sequence[str]) -> tuple[str, ...]:
        """Need none: all nodes are here."""
        return ()

    def review(self) -> None:
        """Tell the loop of nodes that take jobs no more, or again."""
        down = (self.broken | self.reserved | self.store.marks().keys()) & self.declared.keys()
        for name, spec in self.declared.items():
            if (name in down) != (name in self.down):
                self.post(NodeDown(name) if name in down else NodeUp(spec))
        self.down = down
