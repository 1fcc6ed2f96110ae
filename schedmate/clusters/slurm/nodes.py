"""Slurm's nodes: their states, our marks as drain reasons, reservations for checks, and what starts a check there."""

import json
import math
import os
import pwd
from collections.abc import Iterable, Sequence
from contextlib import suppress

from schedmate.clusters.base import NodeDown, NodeSpec, NodeUp
from schedmate.clusters.managed import ISOLATED, NODES, Mark, NodeState, Refused
from schedmate.clusters.slurm.books import Books
from schedmate.clusters.slurm.records import NodeRecord, read_nodes
from schedmate.errors import SchedMateError

OURS = "schedmate"
MOST_REASON = 200

RESERVATIONS = "slurm reservations"
"""Fact of the store that names those that we made: the next loop ends them if this one could not."""
SLACK_MIN = 5
"""A reservation is to outlast its check, which begins some time after it: Slurm starts nothing that would not fit."""
START_S = 120
"""How long a check waits for its node."""


class SlurmNodes:
    """Keeps what was last said of nodes in the books."""

    def __init__(self, books: Books) -> None:
        self.books = books
        self.commands = books.commands
        self.store = books.store
        self.up: set[str] = set()
        self.reserved: dict[str, str] = {}
        """Our reservation of each node that has one."""
        self.count = 0
        self.minutes: dict[str, int] = {}
        """How long a check may take, by the reservation that it is in."""

    def take_nodes(self, found: Sequence[NodeRecord], tell: bool = True) -> None:
        """Tell of nodes that take jobs no more, or again."""
        self.books.known = {node.name: node for node in found}
        up = {node.name for node in found if node.state == "up"} - self.reserved.keys()
        for node in found if tell else ():
            if (node.name in up) != (node.name in self.up):
                self.books.post(NodeUp(spec_of(node)) if node.name in up else NodeDown(node.name))
        for name in self.up - self.books.known.keys() if tell else ():
            self.books.post(NodeDown(name))
        self.up = up

    def look_at_nodes(self) -> None:
        """Ask for the nodes now."""
        self.take_nodes(read_nodes(self.commands))

    def nodes(self) -> Sequence[NodeSpec]:
        """List the nodes that take jobs."""
        return [spec_of(node) for name, node in self.books.known.items() if name in self.up]

    def states(self) -> Sequence[NodeState]:
        """List all nodes."""
        marks = self.store.marks()
        return [self.state_of(node, marks) for node in self.books.known.values()]

    def state_of(self, node: NodeRecord, marks: dict[str, tuple[str, int]]) -> NodeState:
        """Say how a node is; a mark is ours while its reason reads as we wrote it."""
        mark = None
        if node.name in marks and node.state == "marked" and node.reason == self.store.fact(fact_of(node.name)):
            mark = Mark(*marks[node.name])
        by = OURS if mark is not None else node.by
        return NodeState(spec_of(node), node.state, node.reason or node.words, by, mark, node.address)

    def mark(self, node: str, mark: Mark, reason: str = "") -> None:
        """Drain a node, unless it is drained already, by us or by somebody else."""
        self.look_at_nodes()
        known = self.books.known.get(node)
        if known is None:
            raise Refused(f"Slurm has no node {node}", "sinfo -N lists them")
        if known.state == "marked":
            return
        sign = f"{OURS}:{mark.action if mark.kind == ISOLATED else mark.kind}"
        words = " ".join(f"{sign} {reason}".split())[:MOST_REASON]

        def work() -> None:
            self.store.unmark(node, self.store.marks().get(node, ("", 0))[1])  # of a drain that somebody else ended
            self.store.mark(node, mark.kind, mark.action, 0.0)
            self.store.set_fact(fact_of(node), words)
            self.commands.run("scontrol", "update", f"NodeName={node}", "State=DRAIN", f"Reason={words}")

        self.store.write(work)
        self.look_at_nodes()

    def unmark(self, node: str, mark: Mark) -> bool:
        """Resume a node that bears our very mark, as we left it."""
        self.look_at_nodes()
        known = self.books.known.get(node)
        if known is None or self.state_of(known, self.store.marks()).mark != mark:
            return False

        def work() -> None:
            self.store.unmark(node, mark.action)
            self.commands.run("scontrol", "update", f"NodeName={node}", "State=RESUME")

        self.store.write(work)
        self.look_at_nodes()
        return True

    def reserve(self, nodes: Iterable[str], limit_s: float) -> None:
        """Make a reservation that only we may use; what runs there goes on."""
        wanted = [name for name in nodes if name in self.books.known and name not in self.reserved]
        wanted = [name for name in wanted if self.books.known[name].state == "up"]
        if not wanted:
            return
        minutes = max(1, math.ceil(limit_s / 60))
        self.count += 1
        name = f"{OURS}_{os.getpid()}_{self.count}"
        self.commands.run(
            "scontrol", "create", "reservation", f"ReservationName={name}", "StartTime=now",
            f"Duration={2 * minutes + SLACK_MIN}", f"Nodes={','.join(sorted(wanted))}",
            f"Users={pwd.getpwuid(os.geteuid()).pw_name}", "Flags=IGNORE_JOBS",
        )  # fmt: skip
        self.reserved |= dict.fromkeys(wanted, name)
        self.minutes[name] = minutes
        self.keep_reservations()
        self.take_nodes([*self.books.known.values()])

    def let_go(self, nodes: Iterable[str]) -> None:
        """End the reservations of these nodes, for all nodes that are in them."""
        names = {self.reserved[node] for node in nodes if node in self.reserved}
        self.reserved = {node: name for node, name in self.reserved.items() if name not in names}
        for name in names:
            self.end_reservation(name)
        self.keep_reservations()
        self.take_nodes([*self.books.known.values()])

    def end_reservation(self, name: str) -> None:
        """End a reservation; one that Slurm does not end now ends by itself."""
        with suppress(SchedMateError):
            self.commands.run("scontrol", "delete", f"ReservationName={name}")

    def keep_reservations(self) -> None:
        """Write down which there are."""
        self.store.set_fact(RESERVATIONS, json.dumps(sorted({*self.reserved.values()})))

    def end_old_reservations(self) -> None:
        """End what a loop that was killed has left."""
        for name in json.loads(self.store.fact(RESERVATIONS) or "[]"):
            self.end_reservation(name)
        if self.store.fact(RESERVATIONS):
            self.keep_reservations()

    def devices(self, node: str, slots: Iterable[int]) -> tuple[int, ...]:
        """Number them as their host does; none for processors."""
        known = self.books.known.get(node)
        return tuple(slots) if known is not None and known.gpus else ()

    def launcher(self, nodes: Sequence[str]) -> tuple[str, ...]:
        """Start a check as a job in our reservation, so that Slurm knows; on idle nodes it gets their GPUs."""
        names = {self.reserved[node] for node in nodes if node in self.reserved}
        left_out = [node for node in nodes if node not in self.reserved]
        if left_out or len(names) > 1:
            raise Refused(
                f"nothing can be started on {', '.join(left_out or nodes)}, which took no reservation of ours"
            )
        idle = [
            self.books.known[node].gpus
            for node in nodes
            if self.books.known[node].used == 0 and self.books.known[node].gpus
        ]
        gpus = [f"--gpus-per-node={min(idle)}"] if len(idle) == len(nodes) else []
        reservation = min(names)
        return (
            "srun", "--quiet", f"--reservation={reservation}", f"--nodelist={NODES}", "--ntasks-per-node=1",
            "--mem=512M", "--overcommit", f"--time={self.minutes[reservation]}", f"--immediate={START_S}",
            "--job-name=schedmate-check", *gpus,
        )  # fmt: skip


def spec_of(node: NodeRecord) -> NodeSpec:
    """Describe a node as the loop wants it; one without GPUs counts its processors."""
    return NodeSpec(node.name, node.gpus) if node.gpus else NodeSpec(node.name, node.cpus, "cpu")


def fact_of(node: str) -> str:
    """Name the store's fact that keeps the reason which we gave."""
    return f"slurm drain {node}"
