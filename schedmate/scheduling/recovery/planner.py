"""Which steps follow a failure: a pure function of the diagnosis, of what happened before, and of the rules.

Hosts come from the log, so they are only ever compared: a step acts on a node that the job really ran on, or on none.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from schedmate.knowledge.own_limits import blames_machine
from schedmate.readers.failures.advice.plan import RecoveryPolicy, host_of
from schedmate.readers.failures.advice.plan import plan as plan_for
from schedmate.scheduling.recovery.owner_rules import RecoveryRules
from schedmate.schemas import Action, Diagnosis

CHECKS = frozenset({"health_check", "nccl_test"})
ON_NODES = frozenset({"isolate", "replace"})

IF_FOUND = "the job, if its fault is found"
"""Target of a restart that is only for those whom the tests could help."""


@dataclass(frozen=True, slots=True)
class PastRun:
    """How an earlier run of the job ended."""

    failure: str
    progress: float | None = None


def steps_for(
    diagnosis: Diagnosis,
    past: Sequence[PastRun],
    nodes: Sequence[str],
    rules: RecoveryRules,
    progress: float | None = None,
) -> tuple[Action, ...]:
    """List the steps in order; `past` holds the earlier failed runs, oldest first, `nodes` those of this run."""
    policy = RecoveryPolicy(rules.restarts, len(past), least_confidence=rules.least_confidence)
    steps = [placed(step, diagnosis, nodes) for step in plan_for(diagnosis, policy)]
    failure = diagnosis.failure_id or diagnosis.category
    times = without_progress(failure, past, progress)
    steps = escalated(steps, diagnosis, nodes, times)
    steps = with_isolation(if_found(steps, diagnosis, policy), diagnosis, nodes)
    if times > rules.same_root:
        why = f"{failure} for the {ordinal(times)} time without progress: another restart would meet it again"
        steps = [step for step in steps if step.kind not in ("restart", "hold")]
        steps.insert(len(steps) - 1, Action(kind="hold", target="the job", reason=why))
    return tuple(steps)


def escalated(steps: list[Action], diagnosis: Diagnosis, nodes: Sequence[str], times: int) -> list[Action]:
    """Search all nodes of a job that a fault of the machine ended again and again, whatever its log names."""
    kinds = [step.kind for step in steps]
    of_machine = blames_machine(diagnosis.category, diagnosis.failure_id)
    if times < 2 or not of_machine or len(nodes) < 2 or "nccl_test" in kinds:
        return steps
    reason = f"{diagnosis.failure_id} for the {ordinal(times)} time: look beyond what the log names"
    checks = sum(kind in CHECKS for kind in kinds)
    return [*steps[:checks], Action(kind="nccl_test", target=",".join(nodes), reason=reason), *steps[checks:]]


def if_found(steps: list[Action], diagnosis: Diagnosis, policy: RecoveryPolicy) -> list[Action]:
    """Restart after all what was too unsure, should the tests find who is at fault."""
    kinds = [step.kind for step in steps]
    if "nccl_test" not in kinds or "hold" not in kinds:
        return steps
    surer = plan_for(diagnosis, replace(policy, least_confidence=0.0))
    reason = "the tests have found what the log leaves open"
    added = [Action(kind="restart", target=IF_FOUND, reason=reason) for step in surer if step.kind == "restart"]
    place = kinds.index("hold")
    return [*steps[:place], *added, *steps[place:]]


def with_isolation(steps: list[Action], diagnosis: Diagnosis, nodes: Sequence[str]) -> list[Action]:
    """Let what is found, by the log or by tests, be taken out before the job starts anew; drop what has no target."""
    kinds = [step.kind for step in steps]
    finds = "nccl_test" in kinds
    target = suspect(diagnosis, nodes) if diagnosis.should_restart == "elsewhere" else ""
    if "restart" in kinds and "isolate" not in kinds and (target or finds):
        reason = f"{diagnosis.failure_id} on this node" if target else "whichever the tests find"
        added = [Action(kind="isolate", target=target, reason=reason)]
        added.append(Action(kind="replace", target=target, reason="the job needs as many nodes as before"))
        steps[kinds.index("restart") : kinds.index("restart")] = added
    return [step for step in steps if step.kind not in ON_NODES or step.target or finds]


def placed(step: Action, diagnosis: Diagnosis, nodes: Sequence[str]) -> Action:
    """Aim a step at nodes of this cluster; commands for other engines are left out."""
    if step.kind == "nccl_test" and diagnosis.subcategory == "network":
        target = ",".join(nodes)  # who is cut off works well alone
    elif step.kind in CHECKS:
        target = suspect(diagnosis, nodes) or ",".join(nodes)
    elif step.kind in ON_NODES:
        target = suspect(diagnosis, nodes)
    else:
        target = step.target
    return Action(kind=step.kind, target=target, reason=step.reason)


def suspect(diagnosis: Diagnosis, nodes: Sequence[str]) -> str:
    """Name the one node that must be meant: the host that the log names, or the only node of the run."""
    host = host_of(diagnosis).lower()
    named = [node for node in nodes if host and host in (node.lower(), f"{node.lower()}.{host.partition('.')[2]}")]
    if len(named) == 1:
        return named[0]
    return nodes[0] if len(nodes) == 1 and diagnosis.subcategory in {"gpu", "nvlink", "node"} else ""


def without_progress(failure: str, past: Sequence[PastRun], progress: float | None) -> int:
    """Count how often in a row, this time with it, the same failure came without getting any further."""
    times, after = 1, progress
    for one in reversed(past):
        if one.failure != failure or (after is not None and one.progress is not None and after > one.progress):
            break
        times, after = times + 1, one.progress
    return times


def ordinal(number: int) -> str:
    """Write 1 as 1st."""
    ends = {1: "st", 2: "nd", 3: "rd"}
    return f"{number}{'th' if 10 <= number % 100 <= 20 else ends.get(number % 10, 'th')}"
