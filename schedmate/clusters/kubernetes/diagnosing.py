"""A pod's death, of its own log and of what Kubernetes tells: both are read, each quote says which it is from."""

import tempfile
from collections.abc import Callable
from pathlib import Path

from schedmate.clusters.kubernetes.api import KubernetesApi
from schedmate.clusters.kubernetes.pods import Container, Pod, look_up
from schedmate.counts import how_many
from schedmate.knowledge.own_limits import blames_machine
from schedmate.schemas import Diagnosis, Evidence

MOST_LOG = 512 << 20
TAIL_LINES = 2_000_000
STATUS = "status"

KEPT = ("Reason:", "Waiting:", "Disrupted:", "Message:", "NodeNotReady", "Unschedulable:", "Terminated")
"""Lines of the status that stand among the evidence."""
MOST_LINES = 8

Read = Callable[[str, str], Diagnosis]
"""Diagnose a file, told how the job ended."""


def diagnose_pod(api: KubernetesApi, name: str, read: Read) -> Diagnosis:
    """Read the log of the container that failed; where it has none or tells nothing, what Kubernetes says decides."""
    pod = look_up(api, name)
    with tempfile.TemporaryDirectory(prefix="schedmate-pod-") as folder:
        log, status = Path(folder, "log"), Path(folder, STATUS)
        status.write_text("\n".join(pod.told) + "\n", "utf-8")
        main = pod.main
        has_log = main is not None and fetch(api, pod, main, log)
        if has_log and main is not None:
            found = named(read(str(log), pod.word), str(log), where(pod, main))
            if found.category != "none":
                return finished(found, pod, main)
        told = named(read(str(status), pod.word), str(status), f"{pod.name} {STATUS}")
    why = () if has_log else ("it has no log: this is what Kubernetes says of it",)
    return finished(told.model_copy(update={"notes": (*told.notes, *why)}), pod, None)


def fetch(api: KubernetesApi, pod: Pod, main: Container, log: Path) -> bool:
    """Fetch a container's log; one that is gone is none."""
    namespace, _, name = pod.name.partition("/")
    previous = {"previous": "true"} if main.previous else {}
    path = f"/api/v1/namespaces/{namespace}/pods/{name}/log"
    there = api.log(path, log, MOST_LOG, container=main.name, tailLines=TAIL_LINES, **previous)
    return there and log.stat().st_size > 0


def where(pod: Pod, main: Container) -> str:
    """Name a log as one would ask for it."""
    return f"{pod.name}/{main.name}" + (" (previous)" if main.previous else "")


def named(found: Diagnosis, path: str, name: str) -> Diagnosis:
    """Let an answer speak of the pod, not of the file that its log was fetched into."""
    evidence = tuple(one.model_copy(update={"path": name}) if one.path == path else one for one in found.evidence)
    return found.model_copy(
        update={
            "log": name,
            "logs": (name,),
            "root_path": name if found.root_path == path else found.root_path,
            "evidence": evidence,
        }
    )


def finished(found: Diagnosis, pod: Pod, main: Container | None) -> Diagnosis:
    """Add what Kubernetes tells, beside the log's own lines; the node is faulty where the failure is a node's."""
    quotes: list[Evidence] = []
    if main is not None:
        for line, text in enumerate(pod.told, 1):
            if any(word in text for word in KEPT) and len(quotes) < MOST_LINES:
                quotes.append(Evidence(path=f"{pod.name} {STATUS}", line=line, quote=text, note="Kubernetes"))
    restarts = max((one.restarts for one in pod.containers), default=0)
    notes = [*pod.notes, *([f"its containers were started again {how_many(restarts, 'time')}"] if restarts else [])]
    update = {
        "root_pod": found.root_pod or pod.name,
        "systems": tuple(dict.fromkeys((*found.systems, "kubernetes"))),
        "evidence": (*found.evidence, *quotes),
        "notes": (*found.notes, *notes),
    }
    of_node = blames_machine(found.category, found.failure_id) and found.subcategory == "node"
    if pod.node and of_node and not found.faulty_components:
        update |= {"faulty_components": (pod.node,), "root_host": found.root_host or pod.node}
    return found.model_copy(update=update)
