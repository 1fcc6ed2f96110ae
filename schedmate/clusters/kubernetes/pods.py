"""Why a pod ended or does not start, by what Kubernetes itself tells: states, conditions, events, its node."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from schedmate.clusters.kubernetes.api import KubernetesApi, Object
from schedmate.clusters.managed import Refused, Unreachable
from schedmate.errors import InputError
from schedmate.history.importers.kubernetes import busiest

DISRUPTIONS = {
    "PreemptionByScheduler": "Preempted",
    "EvictionByEvictionAPI": "Preempted",
    "DeletionByTaintManager": "NodeLost",
    "DeletionByPodGC": "NodeLost",
}
"""What the condition DisruptionTarget says, in the words that ends are read by; the kubelet's tell the pod's reason."""
QUEUE_EVICTED = "WorkloadEvicted"
"""How the reasons begin of Kueue's condition TerminationTarget, where it takes a pod's place."""
PODS = {
    "Evicted": "Evicted", "NodeLost": "NodeLost", "Shutdown": "NodeLost", "NodeShutdown": "NodeLost",
    "Terminated": "NodeLost", "Preempting": "Preempted", "Preempted": "Preempted",
    "DeadlineExceeded": "DeadlineExceeded",
}  # fmt: skip
"""Reasons of a pod; `Terminated` is the kubelet's word on a node that shuts down."""
NOT_STARTED = {
    "ErrImagePull", "ImagePullBackOff", "InvalidImageName", "ErrImageNeverPull", "CreateContainerConfigError",
    "CreateContainerError", "RunContainerError",
}  # fmt: skip
"""What a container waits for that never had a log."""
STARTED = {"CreateContainerConfigError", "InvalidImageName", "RunContainerError"}
"""Those of them that are ends by themselves."""
UNWELL = {"False", "Unknown"}
MOST_EVENTS = 60
EVENT_CHARS = 500


@dataclass(frozen=True)
class Container:
    """One container's end: whether its log is the present one or that before its restart."""

    name: str
    previous: bool
    reason: str
    code: int | None
    restarts: int
    finished: str


@dataclass
class Pod:
    """A pod as it was looked up."""

    name: str
    node: str
    word: str
    """How it ended, as `diagnose --exited` takes it; empty where only its log can tell."""
    told: list[str] = field(default_factory=list)
    """Lines that Kubernetes' own fields fill, for quotes."""
    containers: list[Container] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def main(self) -> Container | None:
        """Choose the container whose log is read: the first that failed, else the first."""
        bad = [one for one in self.containers if one.code]
        return min(bad, key=lambda one: one.finished or "~", default=None) or next(iter(self.containers), None)


def look_up(api: KubernetesApi, name: str) -> Pod:
    """Ask for a pod, its events and its node."""
    namespace, slash, pod_name = name.rpartition("/")
    if not slash or not pod_name or "/" in namespace or not namespace:
        raise InputError(f"'{name}' names no pod", "as in: schedmate diagnose --pod NAMESPACE/NAME")
    for part in (namespace, pod_name):
        if not all(letter.isalnum() or letter in "-." for letter in part):
            raise InputError(f"'{part}' is no name in Kubernetes", "lower-case letters, digits, - and .")
    item = api.get(f"/api/v1/namespaces/{namespace}/pods/{pod_name}")
    uid = str((item.get("metadata") or {}).get("uid") or "")
    notes: list[str] = []
    events = list(asked(notes, "its events", lambda: events_of(api, namespace, pod_name, uid)))
    node_name = str((item.get("spec") or {}).get("nodeName") or "")
    nodes = (
        list(asked(notes, f"node {node_name}", lambda: [api.get(f"/api/v1/nodes/{node_name}")])) if node_name else []
    )
    return read_pod(item, events, nodes[0] if nodes else None, notes)


def asked(notes: list[str], what: str, question: Callable[[], Iterable[Object]]) -> Iterable[Object]:
    """Ask for what helps and is not needed; say where it may not be read."""
    try:
        return list(question())
    except (Refused, Unreachable) as error:
        notes.append(f"{what} could not be read: {error.message}")
        return []


def events_of(api: KubernetesApi, namespace: str, name: str, uid: str) -> Iterator[Object]:
    """Give a pod's latest events, oldest first."""
    fields = f"involvedObject.name={name}" + (f",involvedObject.uid={uid}" if uid else "")
    found = list(api.items(f"/api/v1/namespaces/{namespace}/events", fieldSelector=fields))
    yield from sorted(found, key=stamp)[-MOST_EVENTS:]


def stamp(event: Object) -> str:
    """Give when an event was seen last."""
    return str(event.get("lastTimestamp") or event.get("eventTime") or event.get("firstTimestamp") or "")


def read_pod(item: Object, events: list[Object], node: Object | None, notes: list[str]) -> Pod:
    """Tell a pod's end apart: its containers, its own reason, its conditions, its node."""
    meta, spec, status = item.get("metadata") or {}, item.get("spec") or {}, item.get("status") or {}
    name = f"{meta.get('namespace', 'default')}/{meta.get('name')}"
    pod = Pod(name, str(spec.get("nodeName") or ""), "", notes=notes)
    pod.told += [f"Name: {name}", f"Node: {pod.node or 'none'}", f"Status: {status.get('phase')}"]
    order = [busiest(spec["containers"])["name"]] if spec.get("containers") else []
    states = [*(status.get("initContainerStatuses") or []), *(status.get("containerStatuses") or [])]
    for one in sorted(states, key=lambda state: state.get("name") not in order):
        container(pod, one)
    reason = str(status.get("reason") or "")
    if reason:
        pod.told.append(f"Reason: {reason}")
    if status.get("message"):
        pod.told.append(f"Message: {one_line(status['message'])}")
    disrupted = conditions(pod, status)
    unwell = lost(pod, node)
    for event in events:
        words = f"{event.get('type', '')} {event.get('reason', '')} {one_line(event.get('message'))}"
        pod.told.append(words[:EVENT_CHARS])
    killed = any(one.reason == "OOMKilled" for one in pod.containers if one is pod.main)
    pod.word = PODS.get(reason) or disrupted or ("OOMKilled" if killed else "") or pod.word
    if unwell and not pod.word and not any(one.code for one in pod.containers):
        pod.word = "NodeLost"
    if not pod.word and (main := pod.main) and main.code is not None:
        pod.word = str(main.code)
    return pod


def container(pod: Pod, state: Object) -> None:
    """Read how one container ended: now, or before it was started again; or why it does not start."""
    now, before = state.get("state") or {}, (state.get("lastState") or {}).get("terminated")
    ended, name = now.get("terminated"), str(state.get("name"))
    waiting = str((now.get("waiting") or {}).get("reason") or "")
    if waiting:
        pod.told.append(f"Container {name}: Waiting: {waiting}: {one_line((now.get('waiting') or {}).get('message'))}")
        if waiting in NOT_STARTED and waiting in STARTED:
            pod.word = pod.word or waiting
    told = ended or before
    if told is None:
        if waiting not in NOT_STARTED:
            pod.containers.append(Container(name, False, "", None, int(state.get("restartCount") or 0), ""))
        return
    code = int(told.get("exitCode") or 0)
    reason = str(told.get("reason") or "")
    which = "Terminated" if ended else "Last State: Terminated"
    pod.told.append(f"Container {name}: {which}, Reason: {reason}, Exit Code: {code}")
    if told.get("message"):
        pod.told.append(f"Container {name}: Message: {one_line(told['message'])}")
    pod.containers.append(
        Container(
            name, ended is None, reason, code, int(state.get("restartCount") or 0), str(told.get("finishedAt") or "")
        )
    )


def conditions(pod: Pod, status: Object) -> str:
    """Read the pod's conditions: where it was disrupted or found no node."""
    word = ""
    for one in status.get("conditions") or []:
        kind, reason, message = one.get("type"), str(one.get("reason") or ""), one_line(one.get("message"))
        if kind == "DisruptionTarget" and one.get("status") == "True":
            pod.told.append(f"Disrupted: {reason}: {message}")
            word = DISRUPTIONS.get(reason, word)
        elif kind == "TerminationTarget" and one.get("status") == "True":
            pod.told.append(f"Kueue: {reason}: {message}")
            word = "Preempted" if reason.startswith(QUEUE_EVICTED) else word
        elif kind == "PodScheduled" and one.get("status") == "False":
            pod.told.append(f"{reason}: {message}")
    return word


def lost(pod: Pod, node: Object | None) -> bool:
    """Tell whether the pod's node is unwell, and what it lacks."""
    unwell = False
    for one in ((node or {}).get("status") or {}).get("conditions") or []:
        kind, now = str(one.get("type")), str(one.get("status"))
        words = f"{one.get('reason', '')}: {one_line(one.get('message'))}"
        if kind == "Ready" and now in UNWELL:
            unwell = True
            pod.told.append(f"Node {pod.node} status is now: NodeNotReady: {words}")
        elif kind != "Ready" and now == "True":
            pod.told.append(f"Node {pod.node}: {kind}: {words}")
    return unwell


def one_line(text: object) -> str:
    """Write a message on one line."""
    return " ".join(str(text or "").split())
