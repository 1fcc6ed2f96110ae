"""What a job of this machine is to the loop, and what it is told of its place."""

import json
import math
from collections.abc import Iterable, Mapping

from schedmate.clusters import LiveJob, NodeSpec, Placement, Profile
from schedmate.history.live_rows import LiveRow


def live_job(row: LiveRow) -> LiveJob:
    """Make what the loop holds out of a row."""
    job = LiveJob(row.id, row.job_id, row.slots, row.submit_s, row.user, row.name, row.vc)
    job.kind = row.kind
    job.most_gpus = row.most_slots
    job.packable = row.packable and not row.most_slots
    job.preemptions, job.served_s = row.preemptions, row.served_s
    job.first_start_s = -1.0 if row.first_start_s is None else row.first_start_s
    job.profile = profile_of(row)
    return job


def profile_of(row: LiveRow) -> Profile | None:
    """Say how much of its slots a job takes: by its owner's word, else as such jobs were measured; else nobody knows.

    Figures are rounded up, so that jobs that hardly differ are alike to a policy.
    """
    if row.share < 1:
        return Profile("", "", 0, 0, 100 * row.share, 0.0, 0.0, score_of(100 * row.share))
    told = json.loads(row.estimate) if row.estimate else {}
    util, memory_gib = told.get("gpu_util"), told.get("gpu_memory_gib")
    if util is None or memory_gib is None:
        return None
    load = min(100.0, math.ceil(util * 20) * 5.0)
    return Profile("", "", 0, 0, load, 0.0, max(1, math.ceil(memory_gib)) * 1024.0, score_of(load))


def score_of(load: float) -> int:
    """Judge by utilisation, as where no sharing score was measured."""
    return 0 if load < 28 else 1 if load < 69 else 2


def told(row: LiveRow, run: int, placement: Placement, nodes: Iterable[NodeSpec]) -> dict[str, str]:
    """Tell a job its place, its share and where it may go on from."""
    slots = placement.indices()
    words = {
        "SCHEDMATE_JOB_ID": str(row.id),
        "SCHEDMATE_RUN": str(run),
        "SCHEDMATE_NODES": ",".join(slots),
        "SCHEDMATE_PLACEMENT": ";".join(f"{node}:{','.join(map(str, each))}" for node, each in slots.items()),
        "SCHEDMATE_SHARE": f"{row.share:g}",
        "SCHEDMATE_CHECKPOINT": row.checkpoint,
    }
    if placement.kind != "cpu":
        words["CUDA_VISIBLE_DEVICES"] = ",".join(str(gpu) for gpu in devices(slots, nodes))
    return words


def devices(slots: Mapping[str, Iterable[int]], nodes: Iterable[NodeSpec]) -> list[int]:
    """Number this machine's GPUs through its nodes, in the order in which they were declared."""
    found, first = list[int](), 0
    for node in nodes:
        if node.kind != "cpu":
            found += [first + gpu for gpu in slots.get(node.name, ())]
            first += node.gpus
    return found
