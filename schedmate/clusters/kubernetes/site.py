"""Acts on nodes and pods for recovery: cordons, takes that back, deletes one pod; marks are annotations of the node.

Every change names the version or the uid that was read, so that what somebody else does meanwhile is never undone.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime

from schedmate.clusters.kubernetes.api import Absent, Changed, KubernetesApi, Object
from schedmate.clusters.kubernetes.listing import KINDS
from schedmate.clusters.kubernetes.pod_logs import NAME
from schedmate.clusters.kubernetes.pods import UNWELL, one_line
from schedmate.clusters.managed import Refused
from schedmate.clusters.pod_site import PodFacts, PodState, SiteNode
from schedmate.errors import InputError

SIGN, AT, WHY, BACK = (
    "schedmate/cordoned-by",
    "schedmate/cordoned-at",
    "schedmate/cordoned-because",
    "schedmate/back-at",
)
"""Our annotations of a node."""
MOST_REASON, MOST_TURNS = 200, 5

GOOD = ("Ready", "Healthy")
"""How the names of conditions end that should be true."""
BAD = re.compile(r"Error|Fault|Deadlock|Readonly|Corrupt|Frequent|Unavailable|Unhealthy|Missing|Lost|Inactive|Flapping")
"""What is in the names of conditions that should not be, as the node-problem-detector's; pressure comes from pods."""
OVER = frozenset({"Complete", "Failed", "Succeeded", "Finished", "Completed"})
"""Conditions of a job after which its controller starts nothing any more."""
DEAD = frozenset({"Failed", "Succeeded"})
FAILING = frozenset({"CrashLoopBackOff", "ImagePullBackOff", "ErrImagePull"})


class KubernetesSite:
    """Behind `pod_site.PodSite`, with the caller's own rights."""

    def __init__(self, api: KubernetesApi) -> None:
        self.api = api

    def look_up(self, name: str) -> PodFacts:
        """Ask for a pod, and for whoever starts another in its place."""
        item = self.api.get(path_of(name))
        meta, spec = item.get("metadata") or {}, item.get("spec") or {}
        statuses = (item.get("status") or {}).get("containerStatuses") or []
        owner = next((one for one in meta.get("ownerReferences") or [] if one.get("controller")), None)
        main: Object = next(iter(spec.get("containers") or []), {})
        return PodFacts(
            name,
            str(meta.get("uid") or ""),
            str(spec.get("nodeName") or ""),
            sum(int(one.get("restartCount") or 0) for one in statuses),
            self.how_it_is(item),
            f"{owner.get('kind')} {owner.get('name')}" if owner else "",
            self.why_bereft(name.partition("/")[0], owner),
            tuple(str(word) for word in [*(main.get("command") or ()), *(main.get("args") or ())]),
        )

    def why_bereft(self, namespace: str, owner: Object | None) -> str:
        """Say why nobody would start another pod: it has no controller, or that has ended."""
        if owner is None:
            return "it has no controller: nobody would start it again"
        group, kind, name = str(owner.get("apiVersion")).partition("/")[0], owner.get("kind"), str(owner.get("name"))
        plural = next((plural for known, plural, known_kind in KINDS if (known, known_kind) == (group, kind)), "")
        if not plural or not NAME.fullmatch(name):
            return ""
        try:
            job = self.api.get(f"/apis/{owner['apiVersion']}/namespaces/{namespace}/{plural}/{name}")
        except Absent:
            return f"its {kind} {name} is gone: nobody would start it again"
        conditions = (job.get("status") or {}).get("conditions") or []
        over = [str(one.get("type")) for one in conditions if one.get("status") == "True" and one.get("type") in OVER]
        return f"its {kind} {name} is over ({over[0]}): nobody would start it again" if over else ""

    def state_of(self, name: str, uid: str) -> PodState:
        """Look at the pod of that uid."""
        try:
            item = self.api.get(path_of(name))
        except Absent:
            return "gone"
        return self.how_it_is(item) if (item.get("metadata") or {}).get("uid") == uid else "gone"

    def how_it_is(self, item: Object) -> PodState:
        """Tell a pod that has ended, cannot start, or whose node is lost from one that runs."""
        meta, status = item.get("metadata") or {}, item.get("status") or {}
        if meta.get("deletionTimestamp"):
            return "gone"
        waiting = {
            str(((one.get("state") or {}).get("waiting") or {}).get("reason"))
            for one in status.get("containerStatuses") or []
        }
        if status.get("phase") in DEAD or waiting & FAILING:
            return "dead"
        node = str((item.get("spec") or {}).get("nodeName") or "")
        return "dead" if node and self.is_lost(node) else "running"

    def is_lost(self, node: str) -> bool:
        """Tell whether a node is gone or does not answer; whoever may not look at nodes sees none that is lost."""
        try:
            item = self.api.get(path_of_node(node))
        except Absent:
            return True
        except Refused:
            return False
        return any(one.get("type") == "Ready" and one.get("status") in UNWELL for one in conditions_of(item))

    def nodes(self) -> Sequence[SiteNode]:
        """List all nodes with our marks."""
        return [read_node(item) for item in self.api.items("/api/v1/nodes")]

    def cordon(self, node: str, sign: str, reason: str, now_s: float) -> None:
        """Set `unschedulable` and our annotations in one change."""
        marks = {SIGN: sign, AT: stamp(now_s), WHY: " ".join(reason.split())[:MOST_REASON]}
        self.change(node, lambda found: not found.cordoned, marks, True)

    def uncordon(self, node: str, sign: str, now_s: float) -> bool:
        """Take back our own mark, and leave a note that a person did."""
        marks = {SIGN: None, AT: None, WHY: None, BACK: stamp(now_s)}
        return self.change(node, lambda found: found.cordoned and found.sign == sign, marks, None)

    def change(
        self, name: str, may: Callable[[SiteNode], bool], marks: Mapping[str, str | None], cordoned: bool | None
    ) -> bool:
        """Change a node as it was read; where anybody, its kubelet mostly, has changed it since, look again."""
        path = path_of_node(name)
        for turn in range(MOST_TURNS):
            item = self.api.get(path)
            if not may(read_node(item)):
                return False
            meta = {"annotations": marks, "resourceVersion": str((item.get("metadata") or {}).get("resourceVersion"))}
            try:
                self.api.patch(path, {"metadata": meta, "spec": {"unschedulable": cordoned}})
                return True
            except Changed:
                if turn + 1 == MOST_TURNS:
                    raise
        return False

    def delete(self, name: str, uid: str) -> None:
        """Delete with the uid for a condition; a pod on a lost node stays until that node answers."""
        if self.state_of(name, uid) == "gone":
            return
        try:
            self.api.delete(path_of(name), {"kind": "DeleteOptions", "apiVersion": "v1", "preconditions": {"uid": uid}})
        except Absent:
            return


def path_of(name: str) -> str:
    """Give where a pod is asked for."""
    namespace, slash, pod = name.partition("/")
    if not slash or not all(NAME.fullmatch(part) for part in (namespace, pod)):
        raise InputError(f"'{name}' names no pod", "as in: schedmate kubernetes recover NAMESPACE/NAME")
    return f"/api/v1/namespaces/{namespace}/pods/{pod}"


def path_of_node(name: str) -> str:
    """Give where a node is asked for."""
    if not NAME.fullmatch(name):
        raise Refused(f"'{name}' is no node's name", "kubectl get nodes lists them")
    return f"/api/v1/nodes/{name}"


def read_node(item: Object) -> SiteNode:
    """Read whether it is cordoned, by whom, and what the cluster says is wrong with it."""
    meta = item.get("metadata") or {}
    marks = meta.get("annotations") or {}
    faults = []
    for one in conditions_of(item):
        kind, now = str(one.get("type")), str(one.get("status"))
        if now in UNWELL if kind.endswith(GOOD) else now == "True" and BAD.search(kind):
            faults.append(f"{kind} is {now}: {one_line(one.get('message') or one.get('reason'))[:MOST_REASON]}")
    cordoned = bool((item.get("spec") or {}).get("unschedulable"))
    sign = str(marks.get(SIGN) or "")
    return SiteNode(
        str(meta.get("name")), cordoned, sign, moment(marks.get(AT)), moment(marks.get(BACK)), tuple(faults)
    )


def conditions_of(item: Object) -> list[Object]:
    """List an object's conditions."""
    return list((item.get("status") or {}).get("conditions") or [])


def stamp(at_s: float) -> str:
    """Write a time as Kubernetes does."""
    return f"{datetime.fromtimestamp(at_s, UTC):%Y-%m-%dT%H:%M:%SZ}"


def moment(text: object) -> float:
    """Read a time; 0 where there is none."""
    try:
        return datetime.fromisoformat(str(text).replace("Z", "+00:00")).timestamp()
    except ValueError:
        return 0.0
