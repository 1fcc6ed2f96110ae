"""Decide what to do about a failure: a pure function of the diagnosis and the policy, never of the log's own words."""

import re
import shlex
from dataclasses import dataclass

from schedmate.schemas import Action, Diagnosis

HOST = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]{0,251}[A-Za-z0-9])?")


@dataclass(frozen=True, slots=True)
class Policy:
    """What may be done without asking, and how often."""

    restarts_allowed: int = 3
    restarts_done: int = 0
    may_isolate: bool = True
    least_confidence: float = 0.5


def plan(diagnosis: Diagnosis, policy: Policy | None = None) -> tuple[Action, ...]:
    """List the steps in the order in which they are to be done."""
    policy = policy or Policy()
    if diagnosis.category == "none":
        return (Action(kind="none", reason="the job was well"),)
    if diagnosis.category == "infrastructure":
        return (*checks(diagnosis), *isolation(diagnosis, policy), restart(diagnosis, policy), notify(diagnosis))
    if diagnosis.failure_id and "out_of_memory" in diagnosis.failure_id:
        why = "the same batch would run out of memory again"
        return (Action(kind="smaller_batch", reason=why), hold(diagnosis), notify(diagnosis))
    if diagnosis.should_restart == "yes":
        return (restart(diagnosis, policy), notify(diagnosis))
    return (hold(diagnosis), notify(diagnosis))


def host_of(diagnosis: Diagnosis) -> str:
    """Name the host to act on; a name from a log that is no host name is never put into a command."""
    host = diagnosis.root_host or ""
    return host if HOST.fullmatch(host) else ""


def checks(diagnosis: Diagnosis) -> tuple[Action, ...]:
    """Find or confirm the faulty part before anything is taken out of service."""
    host = host_of(diagnosis)
    on = f"srun --overlap -w {shlex.quote(host)} " if host else "srun --overlap --ntasks-per-node=1 "
    where = host or "every node of the job"
    commands = {
        "gpu": "dcgmi diag -r 2",
        "nvlink": "nvidia-smi nvlink -e",
        "network": "ibstat",
        "node": "dmesg -T --level=emerg,alert,crit,err",
    }
    if diagnosis.subcategory not in commands:
        return ()
    shell = commands[diagnosis.subcategory]
    check = Action(
        kind="health_check",
        target=where,
        reason="confirm the fault before the node is taken out" if host else "the log names no host: find it",
        commands={"shell": shell, "slurm": on + shell},
    )
    if diagnosis.subcategory in {"network", "nvlink"} or (diagnosis.subcategory == "gpu" and not host):
        command = "all_reduce_perf -b 8M -e 1G -f 2 -g 8"
        test = Action(
            kind="nccl_test",
            target=where,
            reason="halve the nodes until the slow or failing one is left",
            commands={"shell": command, "slurm": f"srun --mpi=pmix --ntasks-per-node=1 {command}"},
        )
        return check, test
    return (check,)


def isolation(diagnosis: Diagnosis, policy: Policy) -> tuple[Action, ...]:
    """Take the named host out of service and ask for another."""
    host = host_of(diagnosis)
    if not host or diagnosis.should_restart != "elsewhere" or not policy.may_isolate:
        return ()
    name, why = shlex.quote(host), shlex.quote(f"schedmate {diagnosis.failure_id}")
    commands = {
        "slurm": f"scontrol update NodeName={name} State=DRAIN Reason={why}",
        "kubernetes": f"kubectl cordon {name}",
        "ray": f"ssh {name} ray stop",
    }
    return (
        Action(kind="isolate", target=host, reason=f"{diagnosis.failure_id} on this host", commands=commands),
        Action(kind="replace", target=host, reason="the job needs as many nodes as before"),
    )


def restart(diagnosis: Diagnosis, policy: Policy) -> Action:
    """Restart from the last checkpoint while the policy allows it and the diagnosis is sure enough."""
    if diagnosis.should_restart == "no":
        return hold(diagnosis)
    if policy.restarts_done >= policy.restarts_allowed:
        return Action(kind="hold", reason=f"restarted {policy.restarts_done} times already")
    if diagnosis.confidence < policy.least_confidence:
        return Action(kind="hold", reason="the diagnosis is too unsure to restart on")
    host = host_of(diagnosis)
    away = f" away from {host}" if host and diagnosis.should_restart == "elsewhere" else ""
    exclude = f"scontrol update JobId=$SLURM_JOB_ID ExcNodeList={shlex.quote(host)} && " if away else ""
    return Action(
        kind="restart",
        target="the job",
        reason=f"nothing in the code has to change: restart from the last checkpoint{away}",
        commands={"slurm": f"{exclude}scontrol requeue $SLURM_JOB_ID", "kubernetes": "kubectl delete pod $POD"},
    )


def hold(diagnosis: Diagnosis) -> Action:
    """Keep the job from running into the same fault."""
    return Action(
        kind="hold",
        target="the job",
        reason="a restart would meet the same fault",
        commands={"slurm": "scontrol requeuehold $SLURM_JOB_ID"},
    )


def notify(diagnosis: Diagnosis) -> Action:
    """Tell the right person."""
    operators = diagnosis.category == "infrastructure"
    return Action(kind="notify", target="operators" if operators else "owner", reason=diagnosis.failure_id or "")
