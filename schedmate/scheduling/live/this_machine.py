"""This machine as a loop runs jobs on it: its slots, cut into nodes, and what its GPUs hold."""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from schedmate.clusters import NodeSpec
from schedmate.counts import how_many
from schedmate.errors import InputError
from schedmate.tools.gpus import Gpus

WITH_SPARES = ("ray", "slurm")
"""Engines of whose nodes some can be kept in reserve."""
MOST_DECLARED = 1024


def declare(cluster: str, slots: str, nodes: int, played: bool, spares: int, acts: bool) -> list[NodeSpec]:
    """Name this machine's nodes, which share its GPUs, or its processors; none where an engine has nodes of its own."""
    if cluster != "local":
        if slots or nodes > 1 or played or (spares and cluster not in WITH_SPARES):
            raise InputError(
                f"--slots, --nodes, --played and --spares describe this machine, not {cluster}", "leave them out"
            )
        if spares and cluster == "slurm" and not acts:
            raise InputError("--spares drains nodes of Slurm", "give --mode act with it")
        return []
    if spares >= nodes:
        raise InputError(
            f"{how_many(spares, 'spare')} of {how_many(nodes, 'node')} would leave none to run on",
            "declare more --nodes",
        )
    kind, each = slots_asked(slots, nodes, played) if slots else slots_found(nodes)
    return [NodeSpec(f"node{number}" if nodes > 1 else "local", each, kind) for number in range(1, nodes + 1)]


def slots_found(nodes: int) -> tuple[str, int]:
    """Share the GPUs among the nodes, or where there are none, the processors."""
    gpus = gpus_there()
    kind, found = ("gpu", gpus) if gpus else ("cpu", processors_there())
    return kind, max(1, found // nodes)


def slots_asked(slots: str, nodes: int, played: bool) -> tuple[str, int]:
    """Read how many each node is to have; more than there are can only be played."""
    kind, _, count = slots.partition("=")
    if kind not in {"gpu", "cpu"} or not count.isdecimal() or not 1 <= int(count) <= MOST_DECLARED:
        raise InputError(f"--slots '{slots}' is not of the form KIND=N", "as in: --slots gpu=8, or --slots cpu=4")
    wanted = int(count) * nodes
    if not played and wanted > (there := gpus_there() if kind == "gpu" else processors_there()):
        of = f" on each of {nodes} nodes" if nodes > 1 else ""
        raise InputError(
            f"--slots {slots}{of} needs {how_many(wanted, 'slot')}: this machine has {there}",
            "--slots counts those of one node; to try things out with more than there are, add --played",
        )
    return kind, int(count)


def processors_there() -> int:
    """Count the processors that we may use."""
    return len(os.sched_getaffinity(0))


def gpus_there() -> int:
    """Count the GPUs that the driver tells of."""
    with driver() as gpus:
        return len(gpus.handles)


def smallest_gpu_mib(nodes: Sequence[NodeSpec]) -> float:
    """Give what the smallest GPU has; 0 where no driver tells, or the slots are no GPUs of this machine."""
    if not nodes or nodes[0].kind != "gpu":
        return 0.0
    with driver() as gpus:
        return min((one.memory_total_gib or 0.0 for one in gpus.sample() or ()), default=0.0) * 1024


@contextmanager
def driver() -> Iterator[Gpus]:
    """Open the driver for a question."""
    gpus = Gpus()
    try:
        yield gpus
    finally:
        gpus.close()
