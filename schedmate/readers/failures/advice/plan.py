"""Decide what to do about a failure: a pure function of the diagnosis and the policy.

Of the log's own words only a clean path gets into a command (`checks.full_folder`).
"""

from dataclasses import dataclass, replace

from schedmate.counts import how_many
from schedmate.knowledge.own_limits import blames_machine
from schedmate.readers.failures.advice import cluster_commands as commands
from schedmate.readers.failures.advice.check_commands import CHECK, NCCL_TEST, check_for, shared_disk
from schedmate.readers.failures.answer.how_ended import is_asked_to_end, is_by_hand, is_proven_well, reached_limit
from schedmate.readers.failures.sightings.catalogue_search import MACHINES
from schedmate.readers.failures.sightings.plain_words import WORDS
from schedmate.schemas import Action, Diagnosis


@dataclass(frozen=True, slots=True)
class RecoveryPolicy:
    """What may be done without asking, and how often."""

    restarts_allowed: int = 3
    restarts_done: int = 0
    may_isolate: bool = True
    least_confidence: float = 0.5


def plan(diagnosis: Diagnosis, policy: RecoveryPolicy | None = None) -> tuple[Action, ...]:
    """List the steps in the order in which they are to be done."""
    policy = policy or RecoveryPolicy()
    if diagnosis.category == "none":
        well = is_proven_well(diagnosis)
        open_end = "no line of the log states a failure, and none proves that the job ended well"
        return (Action(kind="none", reason="the job was well" if well else open_end),)
    if is_by_hand(diagnosis):
        return (notify(diagnosis),)
    if diagnosis.running_again_line is not None:
        return (*machines_part(diagnosis, policy), notify(diagnosis))
    if blames_machine(diagnosis.category, diagnosis.failure_id):
        told = (notify(diagnosis), notify(diagnosis, "owner")) if is_of_memory(diagnosis) else (notify(diagnosis),)
        return (*checks(diagnosis), *isolation(diagnosis, policy), restart(diagnosis, policy), *told)
    if diagnosis.failure_id and "out_of_memory" in diagnosis.failure_id:
        why = "the same batch would run out of memory again"
        return (Action(kind="smaller_batch", reason=why), hold(diagnosis), notify(diagnosis))
    if diagnosis.should_restart == "yes":
        return (restart(diagnosis, policy), notify(diagnosis))
    return (hold(diagnosis), notify(diagnosis))


def machines_part(diagnosis: Diagnosis, policy: RecoveryPolicy) -> tuple[Action, ...]:
    """Take care of the faulty machine alone: the job runs again, and is left to it."""
    if not blames_machine(diagnosis.category, diagnosis.failure_id):
        return ()
    return (*checks(diagnosis), *(step for step in isolation(diagnosis, policy) if step.kind == "isolate"))


def host_of(diagnosis: Diagnosis) -> str:
    """Name the host to act on; what is no host name gets into no command."""
    return commands.name_or_none(diagnosis.root_host)


def checks(diagnosis: Diagnosis) -> tuple[Action, ...]:
    """Find or confirm the faulty part before anything is taken out of service."""
    if diagnosis.subcategory not in CHECK:
        return ()
    target = commands.target_of(diagnosis)
    where = target.host or "every node of the job"
    check = Action(
        kind="health_check",
        target=where,
        reason="confirm the fault before the node is taken out" if target.host else "the log names no host: find it",
        commands=commands.run_on(target, check_for(diagnosis)),
    )
    if diagnosis.subcategory in {"network", "nvlink"} or (diagnosis.subcategory == "gpu" and not target.host):
        test = Action(
            kind="nccl_test",
            target=where,
            reason="halve the nodes until the slow or failing one is left",
            commands={"shell": NCCL_TEST} | commands.run_on(replace(target, host="", pod=""), NCCL_TEST),
        )
        return check, test
    return (check,)


def isolation(diagnosis: Diagnosis, policy: RecoveryPolicy) -> tuple[Action, ...]:
    """Take the named host out of service and ask for another."""
    target = commands.target_of(diagnosis)
    if not target.host or diagnosis.should_restart != "elsewhere" or not policy.may_isolate:
        return ()
    if rests_on_words(diagnosis):
        return ()
    proposed = commands.isolate(target, f"schedmate {diagnosis.failure_id}")
    reason = f"{diagnosis.failure_id} on this {'pod' if target.pod == target.host else 'host'}"
    return (
        Action(kind="isolate", target=target.host, reason=reason, commands=proposed),
        Action(kind="replace", target=target.host, reason="the job needs as many nodes as before"),
    )


def restart(diagnosis: Diagnosis, policy: RecoveryPolicy) -> Action:
    """Restart from the last checkpoint while the policy allows it and the diagnosis is sure enough."""
    if diagnosis.should_restart == "no":
        return hold(diagnosis)
    if policy.restarts_done >= policy.restarts_allowed:
        return Action(kind="hold", reason=f"restarted {how_many(policy.restarts_done, 'time')} already")
    if diagnosis.confidence < policy.least_confidence:
        return Action(kind="hold", reason="the diagnosis is too unsure to restart on")
    target = commands.target_of(diagnosis)
    away = bool(target.host) and diagnosis.should_restart == "elsewhere" and not rests_on_words(diagnosis)
    shared = shared_disk(diagnosis)
    return Action(
        kind="restart",
        target="the job",
        reason="nothing in the code has to change: restart from the last checkpoint"
        + (f" away from {target.host}" if away else "")
        + (f", if {shared} is the node's own; on shared storage make room first" if shared else ""),
        commands=commands.restart(target, away),
    )


def hold(diagnosis: Diagnosis) -> Action:
    """Keep the job from running into the same fault, or from coming back unasked."""
    same = "limit" if reached_limit(diagnosis) else "fault"
    asked = is_asked_to_end(diagnosis)
    return Action(
        kind="hold",
        target="the job",
        reason="ask who ended it before it starts again" if asked else f"a restart would meet the same {same}",
        commands={} if asked else commands.hold(commands.target_of(diagnosis)),
    )


def rests_on_words(diagnosis: Diagnosis) -> bool:
    """Tell an answer that only knows of which part a daemon speaks: a check may confirm it, nothing is taken out."""
    return (diagnosis.failure_id or "").startswith((MACHINES, WORDS))


def is_of_memory(diagnosis: Diagnosis) -> bool:
    """Tell a node that ran short of main memory: the job itself may have used it, so its owner is told, too."""
    return diagnosis.failure_id in {"node.kernel_oom", "node.oom_daemon", "node.ray_memory", "spark.container_killed"}


def notify(diagnosis: Diagnosis, whom: str = "") -> Action:
    """Tell the right person."""
    right = "operators" if blames_machine(diagnosis.category, diagnosis.failure_id) else "owner"
    return Action(kind="notify", target=whom or right, reason=diagnosis.failure_id or "")
