"""Kubernetes' Jobs and Pods, as `kubectl get jobs,pods -o json` tells them; a Job's own Pods are part of it."""

import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TextIO

from schedmate.history.importers.statuses import status_of
from schedmate.schemas import Job, JobStatus, PastJob
from schedmate.traces.formats.json_text import json_items
from schedmate.traces.formats.table import moment_s
from schedmate.traces.rows import BadRow

HINT = "run: kubectl get jobs,pods -A -o json > FILE"
SERVICES = {"ReplicaSet", "DaemonSet", "StatefulSet", "Deployment", "ReplicationController", "Node"}
"""What owns a Pod that runs for ever: no job."""
USER_LABELS = ("user", "username", "owner", "created-by", "submitted-by", "submitter", "creator")
SLICES_OF_MIG = 7
Object = dict[str, Any]


def read(stream: TextIO, source: str) -> Iterator[PastJob | BadRow]:
    """Read one object a job; `line` counts objects, and those that are no jobs are passed over."""
    jobs: set[str] = set()
    for place, item in enumerate(json_items(stream, "items", HINT, alone=True), 1):
        try:
            kind = item["kind"]
            if kind == "Job":
                jobs.add(str(item["metadata"].get("uid")))
                yield past_job(item, item["spec"]["template"]["spec"], *job_end(item), source)
            elif kind == "Pod" and not belongs(item, jobs):
                yield past_job(item, item["spec"], *pod_end(item), source)
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            yield BadRow(place, f"{type(error).__name__}: {error}")


def belongs(pod: Object, jobs: set[str]) -> bool:
    """Tell whether a Pod is part of a Job that was listed before it, or of a service."""
    owners = pod["metadata"].get("ownerReferences") or []
    return any(owner.get("kind") in SERVICES or str(owner.get("uid")) in jobs for owner in owners)


def past_job(
    item: Object, pod: Object, start_s: float | None, end_s: float | None, status: JobStatus, why: str, source: str
) -> PastJob:
    """Keep what Kubernetes tells; GPUs count over all Pods that run at once."""
    meta = item["metadata"]
    container = busiest(pod["containers"])
    count = int(item["spec"].get("parallelism") or 1) if item["kind"] == "Job" else 1
    words = [*(container.get("command") or []), *(container.get("args") or [])]
    folder = str(container.get("workingDir") or "")
    extra = {"image": str(container["image"])} if container.get("image") else {}
    extra |= {"state": why} if why else {}
    job = Job(
        # A name is used again when a Job is deleted and made anew.
        job_id=f"{meta.get('namespace', 'default')}/{meta['name']}.{str(meta.get('uid') or '')[:8]}".rstrip("."),
        user=user_of(meta),
        name=str(meta["name"]),
        command=shlex.join(str(word) for word in words),
        workdir=Path(folder) if folder else None,
        vc=str(meta.get("namespace", "default")),
        gpus=gpus_of(pod) * count,
        nodes=count,
        submit_s=moment(meta.get("creationTimestamp")),
        start_s=start_s,
        end_s=end_s,
        status=status,
        extra=extra,
    )
    odd = start_s is not None and end_s is not None and end_s < start_s
    return PastJob(job=job, source=source, notes=("ended before it started",) if odd else ())


def job_end(job: Object) -> tuple[float | None, float | None, JobStatus, str]:
    """Read a Job's start, end and status from its conditions."""
    status = job.get("status") or {}
    start_s = moment(status.get("startTime"))
    for condition in status.get("conditions") or []:
        if str(condition.get("status")) != "True":
            continue
        if condition.get("type") == "Complete":
            return start_s, moment(status.get("completionTime") or condition.get("lastTransitionTime")), "completed", ""
        if condition.get("type") == "Failed":
            why = str(condition.get("reason") or "")
            found = status_of(why)
            ended: JobStatus = "timeout" if found == "timeout" else "failed"
            return start_s, moment(condition.get("lastTransitionTime")), ended, why
        if condition.get("type") == "Suspended":
            return None, None, "pending", ""
    return (start_s, None, "running", "") if status.get("active") else (None, None, "pending", "")


def pod_end(pod: Object) -> tuple[float | None, float | None, JobStatus, str]:
    """Read a Pod's start, end and status from its containers, which tell more than its phase."""
    status = pod.get("status") or {}
    ends = [
        state["terminated"]
        for c in status.get("containerStatuses") or []
        if "terminated" in (state := c.get("state") or {})
    ]
    starts = [moment(end.get("startedAt")) for end in ends]
    running = [(c.get("state") or {}).get("running") for c in status.get("containerStatuses") or []]
    starts += [moment(state.get("startedAt")) for state in running if state]
    start_s = min((s for s in starts if s is not None), default=moment(status.get("startTime")))
    phase = status_of(str(status.get("phase") or ""))
    if phase not in {"completed", "failed"}:
        return start_s if phase == "running" else None, None, phase, ""
    end_s = max((e for end in ends if (e := moment(end.get("finishedAt"))) is not None), default=None)
    why = str(status.get("reason") or "")
    if not why:
        why = next((str(end["reason"]) for end in ends if end.get("exitCode") and end.get("reason")), "")
    found = status_of(why)
    told: JobStatus = found if phase == "failed" and found in {"timeout", "node_fail"} else phase
    return start_s, end_s, told, "" if why in {"Completed", "Error"} else why


def busiest(containers: list[Object]) -> Object:
    """Choose the container that does the work: the one with most GPUs, else the first."""
    return max(containers, key=container_gpus)


def gpus_of(pod: Object) -> float:
    """Count the GPUs of all containers."""
    return sum(container_gpus(container) for container in pod["containers"])


def container_gpus(container: Object) -> float:
    """Count GPUs of any maker; a slice of a partitioned one counts as its share."""
    resources = container.get("resources") or {}
    asked = {**(resources.get("requests") or {}), **(resources.get("limits") or {})}
    total = 0.0
    for name, count in asked.items():
        if name.endswith(("/gpu", "/gpu.shared")):
            total += float(count)
        elif "/mig-" in name:
            slices = name.partition("/mig-")[2].partition("g")[0]
            total += float(count) * (int(slices) if slices.isdecimal() else 1) / SLICES_OF_MIG
    return total


def user_of(meta: Object) -> str:
    """Find who it belongs to in labels and annotations, whatever their prefix."""
    for marks in (meta.get("labels") or {}, meta.get("annotations") or {}):
        by_name = {str(key).rpartition("/")[2].lower().replace("_", "-"): value for key, value in marks.items()}
        for name in USER_LABELS:
            if by_name.get(name):
                return str(by_name[name])
    return ""


def moment(stamp: object) -> float | None:
    """Read a time stamp that may be missing."""
    return moment_s(str(stamp), "time") if stamp else None
