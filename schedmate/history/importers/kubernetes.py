"""Kubernetes' Jobs, JobSets, training jobs (PyTorchJob and its like) and Pods, as `kubectl get -o json` tells them.

What belongs together is one job: Pods to their Job, Jobs to their JobSet, whichever comes first in the list.
"""

import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

from schedmate.history.importers.kubernetes_ends import Object, ended, moment
from schedmate.history.importers.kubernetes_parts import begun, together
from schedmate.history.rows import backwards
from schedmate.schemas import Job, PastJob
from schedmate.traces.formats.json_text import json_items
from schedmate.traces.rows import BadRow, misfit

HINT = "run: kubectl get jobs,pods -A -o json > FILE"

SERVICES = {"ReplicaSet", "DaemonSet", "StatefulSet", "Deployment", "ReplicationController", "Node", "RayCluster"}
"""What owns a Pod that runs for ever: no job."""
USER_LABELS = ("user", "username", "owner", "created-by", "submitted-by", "submitter", "creator")
REPLICAS = "ReplicaSpecs"

LEADERS = ("master", "launcher", "chief")
"""Roles whose command is the job's; the others do what they say."""
SLICES_OF_MIG = 7

QUEUES = ("kueue.x-k8s.io/queue-name", "scheduling.volcano.sh/queue-name")
"""Labels and annotations that name the queue an object waits in, where its own fields do not."""


def read(stream: TextIO, source: str) -> Iterator[PastJob | BadRow]:
    """Read one object a job; `line` counts objects, and those that are no jobs are passed over."""
    told: set[str] = set()
    parts: dict[str, list[PastJob]] = {}
    unbegun: dict[str, PastJob] = {}
    for place, item in enumerate(json_items(stream, "items", HINT, alone=True), 1):
        try:
            work = templates(item)
            if not work:
                continue
            uid, kind, owner = str(item["metadata"].get("uid")), item["kind"], owner_of(item)
            past = past_job(item, work, source)
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            yield BadRow(place, misfit(error))
            continue
        mine = parts.pop(uid, [])
        if kind != "Pod":
            told.add(uid)
        if owner and owner[0] in SERVICES:
            continue
        if owner and (owner[0].endswith("Job") or owner[0] == "JobSet"):
            if owner[1] not in told or owner[1] in unbegun:
                parts.setdefault(owner[1], []).append(past.model_copy(update={"job": under(past.job, owner)}))
        elif past.job.start_s is None and past.job.end_s is not None and kind != "Pod":
            unbegun[uid] = past
            parts[uid] = mine
        else:
            yield past
    for uid, past in unbegun.items():
        yield begun(past, parts.pop(uid, []))
    yield from map(together, parts.values())


def templates(item: Object) -> list[tuple[str, Object, int]]:
    """Give the Pods that an object runs at once: role, specification, how many; none where it is no job."""
    kind, spec = item["kind"], item.get("spec") or {}
    if kind == "Pod":
        return [("", spec, 1)]
    if kind == "Job" and "tasks" in spec:  # Volcano's
        return [(str(part.get("name") or ""), part["template"]["spec"], count(part)) for part in spec["tasks"]]
    if kind == "Job":
        return [("", spec["template"]["spec"], int(spec.get("parallelism") or 1))]
    if kind == "RayJob":
        return ray_groups(spec.get("rayClusterSpec") or {})
    if kind == "JobSet":
        return [
            (str(part.get("name") or ""), inner["template"]["spec"], count(part) * int(inner.get("parallelism") or 1))
            for part in spec.get("replicatedJobs") or []
            for inner in [part["template"]["spec"]]
        ]
    roles = next((value for key, value in spec.items() if key.endswith(REPLICAS)), None) or {}
    return (
        [(role, part["template"]["spec"], count(part)) for role, part in roles.items()] if kind.endswith("Job") else []
    )


def ray_groups(cluster: Object) -> list[tuple[str, Object, int]]:
    """Give the head and the groups of workers of a Ray cluster."""
    head = cluster.get("headGroupSpec")
    groups = [("head", head, 1)] if head else []
    groups += [(str(one.get("groupName") or ""), one, count(one)) for one in cluster.get("workerGroupSpecs") or []]
    return [(name, one["template"]["spec"], many) for name, one, many in groups]


def count(part: Object) -> int:
    """Give how many replicas a part has; one where it does not say."""
    return 1 if part.get("replicas") is None else int(part["replicas"])


def owner_of(item: Object) -> tuple[str, str, str] | None:
    """Give kind, uid and name of the object that an object belongs to."""
    for owner in item["metadata"].get("ownerReferences") or []:
        return str(owner.get("kind")), str(owner.get("uid")), str(owner.get("name") or "")
    return None


def under(job: Job, owner: tuple[str, str, str]) -> Job:
    """Give a part the id and the name of the whole."""
    name = owner[2] or owner[1]
    return job.model_copy(update={"job_id": f"{job.vc}/{name}.{owner[1][:8]}", "name": name})


def past_job(item: Object, work: list[tuple[str, Object, int]], source: str) -> PastJob:
    """Keep what Kubernetes tells; GPUs count over all Pods that run at once."""
    meta = item["metadata"]
    start_s, end_s, status, extra = ended(item)
    container = busiest([c for _, pod, _ in work for c in pod["containers"]])
    leading = [pod["containers"][0] for role, pod, _ in work if role.lower() in LEADERS]
    container = next((one for one in leading if one.get("command") or one.get("args")), container)
    words = [*(container.get("command") or []), *(container.get("args") or [])]
    folder = str(container.get("workingDir") or "")
    extra |= {"image": str(container["image"])} if container.get("image") else {}
    extra |= {"queue": queue} if (queue := queue_of(item)) else {}
    job = Job(
        # A name is used again when a Job is deleted and made anew.
        job_id=f"{meta.get('namespace', 'default')}/{meta['name']}.{str(meta.get('uid') or '')[:8]}".rstrip("."),
        user=user_of(meta),
        name=str(meta["name"]),
        command=str((item.get("spec") or {}).get("entrypoint") or shlex.join(str(word) for word in words)),
        workdir=Path(folder) if folder else None,
        vc=str(meta.get("namespace", "default")),
        gpus=sum(gpus_of(pod) * many for _, pod, many in work),
        nodes=sum(many for _, _, many in work),
        submit_s=moment(meta.get("creationTimestamp")),
        start_s=start_s,
        end_s=end_s,
        status=status,
        extra=extra,
    )
    return PastJob(job=job, source=source, notes=backwards(job))


def queue_of(item: Object) -> str:
    """Name the queue of Kueue or Volcano that an object is handed to."""
    spec, meta = item.get("spec") or {}, item["metadata"]
    marks = {**(meta.get("annotations") or {}), **(meta.get("labels") or {})}
    named = next((str(marks[name]) for name in QUEUES if marks.get(name)), "")
    return named or (str(spec.get("queue") or "") if "tasks" in spec else "")


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
