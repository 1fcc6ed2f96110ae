"""Nodes that a failed job's restart keeps away from: those that its steps meant to take out, or found at fault.

A node that was proven faulty is taken out. One that is only suspected goes on working for others, and the job that may
have met its fault starts elsewhere.
"""

from collections.abc import Sequence

from schedmate.history.live import LiveStore
from schedmate.history.live_rows import ActionRow


def suspects(steps: Sequence[ActionRow]) -> list[str]:
    """Name the nodes that speak against a restart there; what a check has cleared is none of them."""
    last = max((step.run for step in steps), default=0)
    mine = [step for step in steps if step.run == last]
    cleared = {node for step in mine for node in step.cleared}
    named = [step.target for step in mine if step.kind == "isolate" and step.target not in cleared]
    return [*dict.fromkeys(node for node in (*named, *(node for step in mine for node in step.nodes)) if node)]


def avoided(store: LiveStore, number: int) -> frozenset[str]:
    """Give the nodes that a job is to keep away from, by what was done about its last failure."""
    return frozenset(suspects(store.actions(job=number)))
