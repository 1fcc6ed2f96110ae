"""Recovery of a dead pod: the same plan, life and guard rails as everywhere, with hands for nodes and pods.

What recovery has done is written on the nodes themselves, so that whoever recovers the next pod, on whatever machine,
knows of it: the breaker counts these marks, and a node that a person uncordoned is left alone.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import replace

from schedmate.clusters.managed import Can, Refused
from schedmate.clusters.pod_site import PodFacts, PodSite, SiteNode
from schedmate.counts import how_many
from schedmate.errors import InputError
from schedmate.history.live_rows import ActionRow
from schedmate.scheduling.recovery.hold import Hold
from schedmate.scheduling.recovery.isolate import Isolate
from schedmate.scheduling.recovery.nccl_test import NcclTest
from schedmate.scheduling.recovery.notify import Notify
from schedmate.scheduling.recovery.owner_rules import Rules
from schedmate.scheduling.recovery.restart import Restart
from schedmate.scheduling.recovery.steps import Case, ClusterActions, Finding, SlowStep, Step

STATES = {"dead": "examined", "gone": "pending", "running": "running"}
"""How a pod is, in the words that jobs have."""
LOOK = "schedmate diagnose --pod {job}; kubectl describe pod, in its namespace"


class PodActions:
    """What steps may do about one failure of one pod."""

    can = Can(place=False, share=False, mark=True, here=False)

    def __init__(self, site: PodSite, rules: Rules, pod: PodFacts, failure: str, say: Callable[[str], None]) -> None:
        self.site = site
        self.rules = rules
        self.pod = pod
        self.failure = failure
        """What tells this failure from all others; part of each mark."""
        self.tell = say

    def sign(self, action: int) -> str:
        """Name a deed."""
        return f"{self.failure}.{action}"

    def isolated(self) -> dict[str, int]:
        """Give each cordoned node with our action; 0: it is another's deed."""
        return {node.name: self.action_of(node.sign) for node in self.site.nodes() if node.cordoned}

    def action_of(self, sign: str) -> int:
        """Read which of this failure's actions a mark is of."""
        failure, _, action = sign.rpartition(".")
        return int(action) if failure == self.failure and action.isdecimal() else 0

    def others_hit(self, case: Case, node: str) -> Sequence[str]:
        """Nothing is known here of other users' jobs."""
        return ()

    def breaker(self, nodes: Sequence[str]) -> str:
        """Say why these nodes may not be cordoned now."""
        rules, now_s = self.rules.recovery, time.time()
        known = self.site.nodes()
        for node in known:
            back_s = now_s - node.back_s
            if node.name in nodes and (back_s < rules.cooldown_s or node.was_brought_back):
                when = f" {back_s:.0f} s ago" if node.back_s else ""
                return f"a person brought {node.name} back{when}"
        gone = {node.name for node in known if is_lately(node, now_s - rules.window_s)}
        most = max(1, int(rules.isolate_share * len(known))) if rules.isolate_share else 0
        if len(gone | set(nodes)) <= most:
            return ""
        lately = f"{len(gone)} of {how_many(len(known), 'node')} were cordoned lately, {most} may be"
        return f"the circuit breaker is open: {lately}"

    def isolate(self, node: str, action: int, reason: str) -> None:
        """Cordon it."""
        self.site.cordon(node, self.sign(action), reason, time.time())

    def restore(self, node: str, action: int) -> bool:
        """Uncordon it, where it was this action that cordoned it."""
        return self.site.uncordon(node, self.sign(action), time.time())

    def spares(self) -> Sequence[str]:
        """None: the cluster's own scheduler looks for room."""
        return ()

    def bring_in(self, node: str) -> None:
        """There are no spares."""
        raise Refused("a cluster of pods has no spares", "its scheduler looks for room by itself")

    def state_of(self, job: int) -> str:
        """Tell how the pod is."""
        return STATES[self.site.state_of(self.pod.name, self.pod.uid)]

    def requeue(self, job: int, reason: str) -> None:
        """Delete the pod, so that its controller starts another."""
        self.site.delete(self.pod.name, self.pod.uid)

    def hold(self, job: int, reason: str) -> None:
        """Never asked: see `LeavePod`."""
        raise Refused("a pod cannot be held", "suspend its job")


def is_lately(node: SiteNode, since_s: float) -> bool:
    """Tell whether we cordoned a node within the window, also where somebody has uncordoned it since."""
    return bool(node.sign) and node.at_s >= since_s


class Cordon(Isolate):
    """Running pods stay, as with `kubectl cordon`."""

    def describe(self, row: ActionRow, case: Case) -> str:
        """Say which node, and why."""
        return f"cordon {', '.join(self.targets(row, case)) or 'the node that the check finds'}: {row.reason}"


class DeletePod(Restart):
    """A deleted pod comes back as another, where its controller still wants one."""

    def __init__(self, kind: str, pod: PodFacts) -> None:
        self.kind = kind
        self.pod = pod

    def describe(self, row: ActionRow, case: Case) -> str:
        """Say who would start another."""
        return f"delete pod {self.pod.name}, so that {self.pod.owner or 'its controller'} starts another"

    def preflight(self, row: ActionRow, case: Case, cluster: ClusterActions) -> str:
        """Only a pod that is dead, and that somebody would start again."""
        return super().preflight(row, case, cluster) or self.pod.bereft

    def run(self, row: ActionRow, case: Case, cluster: ClusterActions) -> str:
        """Delete it."""
        cluster.requeue(case.job, row.reason)
        return f"pod {self.pod.name} is deleted"

    def undo(self, row: ActionRow, case: Case, cluster: ClusterActions) -> str:
        """Refuse."""
        raise InputError("a deleted pod does not come back", "its controller has started another")


class LookAtNode(SlowStep):
    """What Kubernetes says of a node no pod can write: it may speak against the node, and never for its GPUs."""

    kind = "health_check"

    def __init__(self, site: PodSite) -> None:
        self.site = site

    def describe(self, row: ActionRow, case: Case) -> str:
        """Say at what."""
        return f"look at the conditions of {row.target}"

    def run(self, row: ActionRow, case: Case, rules: Rules) -> str:
        """Look."""
        wanted = row.target.split(",")
        wrong = {node.name: node.faults for node in self.site.nodes() if node.name in wanted and node.faults}
        if not wrong:
            return f"Kubernetes says nothing against {row.target}; what its GPUs say was not asked"
        return Finding("; ".join(f"{name}: {', '.join(faults)}" for name, faults in wrong.items()), tuple(wrong))


class NoRing(NcclTest):
    """Nothing is started on nodes of Kubernetes."""

    def preflight(self, row: ActionRow, case: Case, cluster: ClusterActions) -> str:
        """Refuse."""
        return "no test is started on nodes of Kubernetes"


class LeavePod(Hold):
    """What becomes of a pod that a restart does not help is its controller's to say."""

    def preflight(self, row: ActionRow, case: Case, cluster: ClusterActions) -> str:
        """Refuse."""
        return "another pod would meet the same: nothing is done, its controller goes on as it is set up to"


class TellOfPod(Notify):
    """The words say what helps with pods."""

    def run(self, row: ActionRow, case: Case, rules: Rules) -> str:
        """Send it."""
        answer = f"schedmate kubernetes approve {case.job_id} ACTION, or reject"
        return super().run(row, replace(case, answered_with=answer, shown_with=LOOK.format(job=case.job_id)), rules)


def steps_of(site: PodSite, pod: PodFacts) -> dict[str, Step]:
    """Give the kinds of step that are done differently with pods."""
    deletes = DeletePod("restart", pod), DeletePod("requeue", pod)
    steps: tuple[Step, ...] = (Cordon(), *deletes, LeavePod(), LookAtNode(site), NoRing(), TellOfPod())
    return {step.kind: step for step in steps}
