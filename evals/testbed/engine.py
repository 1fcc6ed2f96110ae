"""Eight raylets with eight played GPUs each, and our Ray cluster on them; the last node may be the profiler's."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

from evals.testbed.workload import GPUS, NODES
from schedmate.clusters import NodeSpec
from schedmate.clusters.engines import ENGINES
from schedmate.clusters.managed import Wish
from schedmate.clusters.ray.cluster import RayCluster
from schedmate.errors import MissingExtra
from schedmate.history.live import LiveStore

NAME = "testbed"

PROFILER = "profiler"
"""The virtual cluster of the node on which Lucid looks at jobs first."""
WORKERS = 10
"""Processors that a raylet is said to have: Ray keeps as many idle workers ready, as it does on nodes of eight GPUs."""
NICENESS = {"RAY_worker_niceness": "0"}
"""Ray ranks its workers, and with them all jobs, behind everything else of a machine; here everything is on one."""
PATIENCE_S = 300.0

ENGINES[NAME] = __name__


class TestbedCluster(RayCluster):
    """Our Ray cluster, of which a node may be set apart."""

    apart = ""

    def found(self) -> list[NodeSpec]:
        """Give the node that is set apart a virtual cluster of its own."""
        return [spec._replace(vc=PROFILER) if spec.name == self.apart else spec for spec in super().found()]


def open_engine(store: LiveStore, wish: Wish) -> TestbedCluster:
    """Open it at an address, with or without a node set apart."""
    TestbedCluster.apart = wish.words.get("apart", "")
    return TestbedCluster(wish.words["address"], store, wish.grace_s, examines=True)


def names() -> list[str]:
    """Name the nodes."""
    return [f"node{number + 1}" for number in range(NODES)]


@contextmanager
def raylets() -> Iterator[str]:
    """Start Ray; give its address."""
    try:
        from ray.cluster_utils import Cluster
    except ImportError as error:
        raise MissingExtra("the physical experiment", "ray") from error
    os.environ.update(NICENESS)
    head = {"num_cpus": 1, "num_gpus": 0, "node_name": "head", "include_dashboard": False}
    cluster = Cluster(initialize_head=True, head_node_args=head)
    try:
        for name in names():
            cluster.add_node(num_cpus=WORKERS, num_gpus=GPUS, node_name=name, wait=False)
        cluster.wait_for_nodes(timeout=PATIENCE_S)
        yield cluster.address
    finally:
        cluster.shutdown()
