"""What people ask of nodes: how they stand, to take one out for maintenance, and to let it take jobs again."""

import json

from schedmate.clusters.managed import DRAINED, ISOLATED, ManagedCluster, Mark, NodeState
from schedmate.errors import InputError
from schedmate.history.live import LiveStore
from schedmate.history.live_rows import Request
from schedmate.scheduling.live.messages import Message

BY_HAND = Mark(DRAINED)
"""A person's mark goes back to no action of the audit trail: the request itself says who made it."""


def told(cluster: ManagedCluster, store: LiveStore) -> list[Message]:
    """Give all nodes: what they have, how they stand, who keeps them from jobs, what runs there."""
    drains = store.asked("drain")
    there: dict[str, set[str]] = {}
    for run in cluster.running():
        for name, _ in run.placement.parts:
            there.setdefault(name, set()).add(run.job.job_id)
    rows: list[Message] = []
    for state in cluster.states():
        why, by = state.reason, state.by
        if state.mark == BY_HAND and state.spec.name in drains:
            asked = drains[state.spec.name]
            why, by = words_of(asked)[1], asked.actor
        rows.append(
            {
                "node": state.spec.name,
                "slots": state.spec.gpus,
                "kind": state.spec.kind,
                "state": state_of(state),
                "reason": why,
                "by": by,
                "action": state.mark.action or None if state.mark else None,
                "jobs": sorted(there.get(state.spec.name, ())),
            }
        )
    return rows


def state_of(node: NodeState) -> str:
    """Say in a word how a node stands: up, down, drained, isolated, spare, or marked by somebody else."""
    return node.mark.kind if node.state == "marked" and node.mark else node.state


def drain(cluster: ManagedCluster, request: Request) -> str:
    """Keep a node from new jobs, as an operator wants; what runs there goes on."""
    name, why = words_of(request)
    node = known(cluster, name)
    if not cluster.can.mark:
        raise InputError("this cluster lets nobody take nodes out")
    if node.state == "marked":
        raise InputError(f"{name} is {state_of(node)} already")
    cluster.mark(name, BY_HAND, f"drained by {request.actor}{f': {why}' if why else ''}")
    return f"{name} takes no new jobs; what runs there goes on"


def resume(cluster: ManagedCluster, request: Request) -> str:
    """Let a node take jobs again that a person took out; what recovery isolated is its action's to undo."""
    name, _ = words_of(request)
    node = known(cluster, name)
    if node.mark is not None and node.mark.kind == ISOLATED:
        raise InputError(f"{name} was isolated by action {node.mark.action}: schedmate undo {node.mark.action}")
    if node.mark != BY_HAND or not cluster.unmark(name, BY_HAND):
        raise InputError(f"{name} is {state_of(node)}: nobody drained it here")
    return f"{name} takes jobs again"


def words_of(request: Request) -> tuple[str, str]:
    """Take apart what was asked, which may be anything: the node's name, and why."""
    try:
        asked = json.loads(request.argument)
        name, why = asked["node"], asked.get("why", "")
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        name = why = None
    if not (isinstance(name, str) and isinstance(why, str)):
        raise InputError("that names no node")
    return name, why


def known(cluster: ManagedCluster, name: str) -> NodeState:
    """Find a node by its name."""
    states = {state.spec.name: state for state in cluster.states()}
    if name not in states:
        raise InputError(f"there is no node {name}: there are {', '.join(list(states)[:20])}")
    return states[name]
