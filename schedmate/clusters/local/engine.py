"""This machine as `schedmate up` opens it."""

from pathlib import Path

from schedmate.clusters.engines import Wish
from schedmate.clusters.local.cluster import LocalCluster
from schedmate.clusters.local.systemd_scope import RunScope
from schedmate.clusters.runner.cgroup import shortcomings
from schedmate.history.live import LiveStore


def open_engine(store: LiveStore, wish: Wish) -> LocalCluster:
    """Open this machine, cut into the nodes that are named."""
    logs = Path(wish.words["logs"]) if "logs" in wish.words else None
    made = LocalCluster(wish.nodes, store, grace_s=wish.grace_s, examines=True, logs=logs)
    made.scope = RunScope(made.identity)
    made.odd += filter(None, [shortcomings(made.scope.folder)])
    made.most_log_bytes = int(wish.log_gib * 2**30)
    return made
