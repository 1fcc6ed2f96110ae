"""What a job of this machine is to the loop, and what it is told of its place."""

from collections.abc import Iterable, Mapping

from schedmate.clusters import LiveJob, NodeSpec, Placement, Profile
from schedmate.history.live_rows import LiveRow


def live_job(row: LiveRow) -> LiveJob:
    """Make what the loop holds out of a row; jobs that want part of a slot may be packed."""
    job = LiveJob(row.id - 1, str(row.id), row.slots, row.submit_s, row.user, row.name, row.vc)
    job.kind = row.kind
    job.packable = row.packable
    job.preemptions, job.served_s = row.preemptions, row.served_s
    job.first_start_s = -1.0 if row.first_start_s is None else row.first_start_s
    if row.share < 1:
        score = 0 if row.share <= 0.25 else 1 if row.share <= 0.6 else 2
        job.profile = Profile("", "", 0, 0, 100 * row.share, 0.0, 0.0, score)
    return job


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
