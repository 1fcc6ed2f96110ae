"""What is said where a policy lets jobs wait for ever."""

from collections.abc import Iterable

from schedmate.clusters import LiveJob
from schedmate.counts import how_many
from schedmate.errors import SchedMateError
from schedmate.scheduling.virtual_cluster import VirtualCluster


class Stalled(SchedMateError):
    """Say that a policy lets jobs wait for ever, and which."""


def stalled(parts: Iterable[VirtualCluster], what: str) -> Stalled:
    """Tell of the virtual cluster where most wait, and of the first in its queue."""
    part = max(parts, key=lambda part: len(part.view.pending))
    view = part.view
    first = min(view.pending.values(), key=lambda job: job.number, default=None)
    running = f"{len(view.running)} running" if view.running else "nothing running"
    where = f" of virtual cluster {view.vc}" if view.vc else ""
    return Stalled(
        f"policy {part.policy.name} {what}: queue of {len(view.pending)}{where}, {running}, "
        f"{view.inventory.free_gpus} of {how_many(view.inventory.total_gpus, 'GPU')} free at {view.now_s:.0f} s",
        "nobody waits" if first is None else wish(first),
    )


def wish(job: LiveJob) -> str:
    """Tell what the first in the queue wants."""
    kind = f" of kind {job.kind}" if job.kind else ""
    return f"first in the queue is job {job.job_id}, which wants {how_many(job.gpus, 'GPU')}{kind}"
