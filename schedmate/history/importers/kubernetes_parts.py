"""Put the parts of a job together where Kubernetes tells the parts: the Pods of a Job, the Jobs of a JobSet."""

from collections.abc import Sequence

from schedmate.schemas import JobStatus, PastJob

WORST: tuple[JobStatus, ...] = ("running", "pending", "node_fail", "timeout", "failed", "cancelled")
"""A whole has the first of these that one of its parts has, else what its parts have."""


def begun(whole: PastJob, parts: Sequence[PastJob]) -> PastJob:
    """Take the start from the parts, where the whole tells none."""
    starts = [part.job.start_s for part in parts if part.job.start_s is not None]
    return whole.model_copy(update={"job": whole.job.model_copy(update={"start_s": min(starts, default=None)})})


def together(parts: Sequence[PastJob]) -> PastJob:
    """Make one job of parts whose whole is not told; GPUs and nodes are those of the most that ran at once."""
    jobs = [part.job for part in parts]
    first = max(jobs, key=lambda job: job.gpus)
    statuses = {job.status for job in jobs}
    status: JobStatus = next((word for word in WORST if word in statuses), first.status)
    over = status not in {"running", "pending"}
    starts, ends = [job.start_s for job in jobs], [job.end_s for job in jobs]
    gpus, nodes = most_at_once(parts)
    told = {
        "gpus": gpus,
        "nodes": nodes,
        "status": status,
        "submit_s": min((job.submit_s for job in jobs if job.submit_s is not None), default=None),
        "start_s": min((start for start in starts if start is not None), default=None),
        "end_s": max((end for end in ends if end is not None), default=None) if over else None,
    }
    notes = tuple(dict.fromkeys(note for part in parts for note in part.notes))
    return PastJob(job=first.model_copy(update=told), source=parts[0].source, notes=notes)


def most_at_once(parts: Sequence[PastJob]) -> tuple[float, int]:
    """Count GPUs and nodes; a Pod that was tried again did not run beside its first try."""
    steps: list[tuple[float, float, int]] = []
    for part in parts:
        job = part.job
        begin = job.start_s if job.start_s is not None else job.submit_s or 0.0
        end = job.end_s if job.end_s is not None and job.end_s > begin else float("inf")
        steps += [(begin, job.gpus, job.nodes or 1), (end, -job.gpus, -(job.nodes or 1))]
    gpus = most_gpus = 0.0
    nodes = most_nodes = 0
    for _, more, others in sorted(steps, key=lambda step: (step[0], step[1])):
        gpus, nodes = gpus + more, nodes + others
        most_gpus, most_nodes = max(most_gpus, gpus), max(most_nodes, nodes)
    return most_gpus, most_nodes
