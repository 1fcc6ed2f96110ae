"""Write the exact commands of recovery steps for the systems that run a job; no name gets in that is not a name."""

import re
import shlex
from dataclasses import dataclass

from schedmate.schemas import Diagnosis
from schedmate.tools.late_patterns import late

NAME = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]{0,251}[A-Za-z0-9])?")
ADDRESS = late(r"\d{1,3}(?:\.\d{1,3}){3}")
NUMBER = re.compile(r"\d{1,12}")


@dataclass(frozen=True, slots=True)
class Target:
    """Whom commands are for: a node or a pod by name, the job by number, and the systems that know them."""

    host: str
    pod: str
    job: str
    systems: frozenset[str]

    @property
    def node(self) -> str:
        """Give the name by which a scheduler may know the node; an address or a pod is none."""
        return "" if self.host == self.pod or ADDRESS.fullmatch(self.host) else self.host

    @property
    def node_of_pod(self) -> str:
        """Give the words that find the node which a pod ran on."""
        return f"\"$(kubectl get pod {self.pod} -o jsonpath='{{.spec.nodeName}}')\""


def target_of(diagnosis: Diagnosis) -> Target:
    """Take from a diagnosis what may stand in a command; what is no name is left out."""
    host, pod = name_or_none(diagnosis.root_host), name_or_none(diagnosis.root_pod)
    number = diagnosis.job_id or ""
    job = number if NUMBER.fullmatch(number) else "$SLURM_JOB_ID"
    return Target(host, pod, job, frozenset(diagnosis.systems))


def name_or_none(text: str | None) -> str:
    """Let through what is a host's or a pod's name and nothing else."""
    return text if text and NAME.fullmatch(text) else ""


def run_on(target: Target, command: str) -> dict[str, str]:
    """Run a check where the fault is, or on every node of the job where the log names none."""
    commands = {"shell": f"ssh {target.host} {command}" if target.host and not target.pod else command}
    if "slurm" in target.systems and not target.pod:
        every = f'"$(sacct -nXP -j {target.job} -o NodeList)"'
        commands["slurm"] = f"srun --exclusive --ntasks-per-node=1 -w {target.node or every} {command}"
    if "kubernetes" in target.systems and (target.pod or target.node):
        node = target.node_of_pod if target.pod else target.node
        commands["kubernetes"] = f"kubectl debug node/{node} -it --image=busybox -- chroot /host {command}"
    return commands


def isolate(target: Target, reason: str) -> dict[str, str]:
    """Take the node out of service."""
    commands = {}
    if "slurm" in target.systems and target.node:
        commands["slurm"] = f"scontrol update NodeName={target.node} State=DRAIN Reason={shlex.quote(reason)}"
    if "slurm" in target.systems and ADDRESS.fullmatch(target.host):
        node = f'"$(scontrol show node -o | grep -w NodeAddr={target.host} | grep -oP "^NodeName=\\K\\S+")"'
        commands["slurm"] = f"scontrol update NodeName={node} State=DRAIN Reason={shlex.quote(reason)}"
    if "kubernetes" in target.systems and (target.pod or target.node):
        commands["kubernetes"] = f"kubectl cordon {target.node_of_pod if target.pod else target.node}"
    if "ray" in target.systems and target.host and not target.pod:
        commands["ray"] = f"ssh {target.host} ray stop"
    return commands


def restart(target: Target, away: bool) -> dict[str, str]:
    """Start the job again, elsewhere if need be."""
    commands = {}
    if "slurm" in target.systems:
        exclude = f"scontrol update JobId={target.job} ExcNodeList={target.node} && " if away and target.node else ""
        commands["slurm"] = f"{exclude}scontrol requeue {target.job}"
    if "kubernetes" in target.systems and target.pod:
        commands["kubernetes"] = f"kubectl delete pod {target.pod}"
    return commands


def hold(target: Target) -> dict[str, str]:
    """Keep the job from being started again."""
    return {"slurm": f"scontrol requeuehold {target.job}"} if "slurm" in target.systems else {}
