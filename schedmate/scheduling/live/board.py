"""The loop's own view for those who look on: its policy's order of who waits, and its nodes."""

from collections.abc import Callable, Mapping
from itertools import islice

from schedmate.clusters import LiveJob
from schedmate.scheduling.live.messages import Board, Message, QueueBoard
from schedmate.scheduling.live.standing import Expected, Ordered, described
from schedmate.scheduling.virtual_cluster import VirtualCluster

SHOWN = 200
"""Of those who wait in a virtual cluster; the rest is counted."""


def board(
    parts: Mapping[str, VirtualCluster],
    expected: Expected,
    knows: Callable[[LiveJob], bool],
    nodes: list[Message],
    mode: str,
) -> Board:
    """Put the board together; where a policy has no order, those who wait stand as they came."""
    return {"mode": mode, "nodes": nodes, "queues": [queue(part, expected, knows) for part in parts.values()]}


def queue(part: VirtualCluster, expected: Expected, knows: Callable[[LiveJob], bool]) -> QueueBoard:
    """Tell of one virtual cluster: who is first, and what each is expected to take."""
    view, policy = part.view, part.policy
    ordered = isinstance(policy, Ordered)
    order = policy.waiting() if isinstance(policy, Ordered) else view.pending.values()
    return {
        "vc": view.vc,
        "policy": policy.name,
        "ordered": ordered,
        "waiting": len(view.pending),
        "first": [described(job, view.now_s, expected, knows) for job in islice(order, SHOWN)],
    }
