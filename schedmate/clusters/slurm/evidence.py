"""What Slurm knows of a run's end beside its log: its own words, the limit, the nodes that are not well."""

from collections.abc import Mapping, Sequence
from datetime import timedelta

from schedmate.clusters.slurm.dialects import NOTHING
from schedmate.clusters.slurm.records import NodeRecord

MOST_NODES = 8


def evidence(
    said: str, code: int | None, ran_s: float | None, limit: str, names: Sequence[str], known: Mapping[str, NodeRecord]
) -> tuple[str, ...]:
    """Say it, a line each; nothing is said of what is as it should be."""
    ended = "" if code is None else f", signal {-code}" if code < 0 else f", exit code {code}"
    lines = [f"Slurm says {said or 'FAILED'}{ended}"]
    if ran_s is not None:
        allowed = "" if limit in NOTHING else f" of {limit} that its limit allows"
        lines.append(f"it ran {timedelta(seconds=round(ran_s))}{allowed}{f', on {listed(names)}' if names else ''}")
    return (*lines, *(line_of(known[name]) for name in names if name in known and known[name].state != "up"))


def line_of(node: NodeRecord) -> str:
    """Say how a node is that takes no jobs."""
    return f"{node.name} is {node.words} now{f': {node.reason}' if node.reason else ''}"


def listed(names: Sequence[str]) -> str:
    """Name nodes, not all of very many."""
    more = len(names) - MOST_NODES
    return ", ".join(names[:MOST_NODES]) + (f" and {more} more" if more > 0 else "")
