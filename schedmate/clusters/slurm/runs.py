"""A run of a Slurm job as the loop sees it, and which GPUs it has."""

import os
import re
from collections.abc import Iterable, Mapping, Sequence

from schedmate.clusters.jobs import LiveJob, Placement
from schedmate.clusters.slurm.log_names import may_read
from schedmate.clusters.slurm.records import JobRecord, NodeRecord, numbers
from schedmate.tools.host_list import hosts

DETAIL = re.compile(r"^\s+Nodes=(\S+) CPU_IDs=\S+ Mem=\S+ GRES=(\S*)", re.MULTILINE)
INDEX = re.compile(r"gpu(?::[^:,()]+)?:\d+\(IDX:([0-9,-]+)\)")


class SlurmRun:
    """Its log is told only once it is there, and is the user's own where we could read others' too."""

    def __init__(self, job: LiveJob, run: int, placement: Placement, log: str, began_s: float | None = None) -> None:
        self.job = job
        self.run = run
        self.placement = placement
        self.partner: int | None = None
        self.path = log
        self.began_s = began_s
        self.uid = -1
        self.raw = ""
        self.is_told = False
        """Whether the loop has heard of it as FoundRunning; else it was started by us."""
        self.is_guess = False
        """Whether Slurm has not yet said which GPUs of its nodes are this job's."""
        self.is_own = False

    @property
    def log(self) -> str:
        """Name the log; empty while there is none that may be read."""
        if not self.is_own:
            self.is_own = self.path != "" and may_read(self.path, self.uid, os.geteuid())
        return self.path if self.is_own else ""


def guess(record: JobRecord, nodes: Mapping[str, NodeRecord], others: Iterable[Placement]) -> tuple[Placement, bool]:
    """Say which GPUs a job has: those in use on its nodes that no other job holds; and whether that is a guess.

    Who has as many as its nodes have has them all, whatever sinfo says: it may tell of late what is in use.
    """
    if not record.gpus:
        return Placement("gpu", tuple((name, 0) for name in record.nodes)), False
    there = {name: nodes[name].gpus for name in record.nodes if name in nodes}
    if sum(there.values()) == record.gpus and len(there) == len(record.nodes):
        return Placement("gpu", tuple((name, (1 << count) - 1) for name, count in there.items())), False
    taken: dict[str, int] = dict.fromkeys(record.nodes, 0)
    for other in others:
        for name, mask in other.parts:
            if name in taken:
                taken[name] |= mask
    parts = []
    for name in record.nodes:
        used = nodes[name].used if name in nodes else None
        parts.append((name, 0 if used is None else (used & ~taken[name]) or used))
    found = Placement("gpu", tuple(parts))
    return found, found.gpus != record.gpus


def placement_of(text: str, names: Sequence[str]) -> Placement | None:
    """Read `scontrol show job --detail`: Nodes=gpu[1-2] CPU_IDs=0 Mem=4000 GRES=gpu:h100:2(IDX:0-1)."""
    masks: dict[str, int] = {}
    for where, gres in DETAIL.findall(text):
        mask = sum(1 << place for found in INDEX.findall(gres) for place in numbers(found))
        masks |= {name: masks.get(name, 0) | mask for name in hosts(where)}
    return Placement("gpu", tuple((name, masks[name]) for name in names)) if {*names} <= masks.keys() else None
