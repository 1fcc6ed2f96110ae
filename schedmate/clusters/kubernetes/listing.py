"""List what Kubernetes knows of jobs, whoever's operator runs them, as one file that the history reads."""

import json
from collections.abc import Callable
from typing import IO

from schedmate.clusters.kubernetes.api import Absent, KubernetesApi
from schedmate.clusters.managed import Refused

KINDS = (
    # group, plural, kind
    ("batch", "jobs", "Job"),
    ("jobset.x-k8s.io", "jobsets", "JobSet"),
    ("kubeflow.org", "pytorchjobs", "PyTorchJob"),
    ("kubeflow.org", "tfjobs", "TFJob"),
    ("kubeflow.org", "mpijobs", "MPIJob"),
    ("kubeflow.org", "jaxjobs", "JAXJob"),
    ("kubeflow.org", "paddlejobs", "PaddleJob"),
    ("kubeflow.org", "xgboostjobs", "XGBoostJob"),
    ("ray.io", "rayjobs", "RayJob"),
    ("batch.volcano.sh", "jobs", "Job"),
)
PODS = ("/api/v1", "pods", "Pod")


def write_objects(
    api: KubernetesApi, namespace: str, file: IO[str], advance: Callable[[int, int], None]
) -> tuple[str, ...]:
    """Write jobs of every kind that the cluster has, and pods; give what could not be read."""
    notes: list[str] = []
    within = f"/namespaces/{namespace}" if namespace else ""
    file.write('{"apiVersion": "v1", "kind": "List", "items": [')
    count = 0
    for root, plural, kind in (*served(api), PODS):
        try:
            for item in api.items(f"{root}{within}/{plural}"):
                item |= {"kind": kind, "apiVersion": root.removeprefix("/apis/").removeprefix("/api/")}
                file.write((",\n" if count else "") + json.dumps(item))
                count += 1
                advance(count, 0)
        except Absent:
            continue
        except Refused as error:
            if kind == "Pod" and not count:
                raise
            notes.append(f"{plural} of {root} could not be read: {error.message}")
    file.write("]}")
    file.flush()
    return tuple(notes)


def served(api: KubernetesApi) -> list[tuple[str, str, str]]:
    """Give the kinds of jobs whose groups the server has, each in the version that it prefers."""
    groups = {
        str(group.get("name")): str((group.get("preferredVersion") or {}).get("groupVersion") or "")
        for group in api.get("/apis").get("groups") or []
    }
    return [(f"/apis/{groups[group]}", plural, kind) for group, plural, kind in KINDS if groups.get(group)]
