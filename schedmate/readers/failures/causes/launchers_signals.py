"""A process that its launcher ended, or a task that srun ended with its step, died of no fault of its own."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from schedmate.readers.failures.case import JobCase, Suspect
from schedmate.readers.failures.causes.suspects import ROLE_FACTOR
from schedmate.tools.late_patterns import late

STEP_ENDS = re.compile(r"^srun: (?:Terminating|Job step aborted|First task exited|Force Terminat)")
"""How srun says that it ends the step itself."""
WITH_ITS_STEP = frozenset({"scheduler.slurm_task_killed", "scheduler.slurm_step_cancelled"})
"""Entries of what srun and its daemons say of tasks and steps that were ended."""
DIED = late(r"(?i)\bexit ?code\b.{0,40}\bpid: ?(\d{1,9})|received by PID (\d{1,9})")
"""How torchrun says which process ended how."""


def without_what_launchers_ended(suspects: Sequence[Suspect], case: JobCase) -> list[Suspect]:
    """Let the signal of which a process died mean nothing where its launcher says that it sent it."""
    told = (one.sighting.named.get("pid", "") for one in suspects if is_closing(one))
    closed = {pid for pid in told if pid}
    aborted: dict[int, int] = {}
    for one in suspects:
        if STEP_ENDS.search(one.sighting.line.text):
            aborted.setdefault(one.sighting.source, one.sighting.start)
    return [
        replace(one, score=one.score * ROLE_FACTOR["teardown"])
        if died_in(one, closed) or killed_with_its_step(one, aborted)
        else one
        for one in suspects
    ]


def killed_with_its_step(one: Suspect, aborted: Mapping[int, int]) -> bool:
    """Tell what srun and its daemons say of tasks and steps after it said that it ends the step itself."""
    item = one.sighting
    mine = item.failure is not None and item.failure.id in WITH_ITS_STEP
    return mine and item.start > aborted.get(item.source, item.start)


def is_closing(one: Suspect) -> bool:
    """Tell a launcher's word that it ends a process."""
    failure = one.sighting.failure
    return failure is not None and failure.role == "teardown"


def died_in(one: Suspect, closed: set[str]) -> bool:
    """Tell how a process ended that its launcher had ended."""
    if not closed or not one.effect or not (match := DIED.search(one.sighting.line.text)):
        return False
    return (match[1] or match[2]) in closed
