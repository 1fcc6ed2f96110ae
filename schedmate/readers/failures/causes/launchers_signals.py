"""A process that its launcher ended, as mpirun does when another crashed, or srun with a step, died of no own fault."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from schedmate.readers.failures.case import JobCase, Suspect
from schedmate.readers.failures.causes.suspects import ROLE_FACTOR
from schedmate.readers.failures.sightings.sighting import Sighting
from schedmate.tools.late_patterns import late

STEP_ENDS = re.compile(r"^srun: (?:Terminating|Job step aborted|First task exited|Force Terminat)")
"""How srun says that it ends the step itself."""
WITH_ITS_STEP = frozenset({"scheduler.slurm_task_killed", "scheduler.slurm_step_cancelled"})
"""Entries of what srun and its daemons say of tasks and steps that were ended."""
CRASHED = frozenset({"distributed.mpi_signal_crash", "distributed.worker_aborted"})
"""Entries of what a launcher says of a process that crashed by itself."""
KILLED, OF_MPI = "distributed.mpi_signal_kill", "KILLED BY SIGNAL"
"""The entry of one that was killed, and how Hydra lists each of its processes: in the order of their ranks."""
TABLE_LINES = 5_000
"""So many lines a launcher's list of its processes may have."""
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
    crashed = [one.sighting for one in suspects if is_listed(one, CRASHED)]
    return [
        replace(one, score=one.score * ROLE_FACTOR["teardown"])
        if died_in(one, closed) or killed_with_its_step(one, aborted) or killed_with_another(one, crashed)
        else one
        for one in suspects
    ]


def killed_with_its_step(one: Suspect, aborted: Mapping[int, int]) -> bool:
    """Tell what srun and its daemons say of tasks and steps after it said that it ends the step itself."""
    item = one.sighting
    mine = item.failure is not None and item.failure.id in WITH_ITS_STEP
    return mine and item.start > aborted.get(item.source, item.start)


def killed_with_another(one: Suspect, crashed: Sequence[Sighting]) -> bool:
    """Tell a rank that Hydra lists as killed beside others that crashed: it kills all that are left."""
    item = one.sighting
    near = (other for other in crashed if other.source == item.source)
    return is_listed(one, {KILLED}) and any(abs(other.number - item.number) <= TABLE_LINES for other in near)


def is_listed(one: Suspect, kinds: Collection[str]) -> bool:
    """Tell a row of Hydra's list of how its processes ended, of one of some kinds."""
    failure = one.sighting.failure
    return failure is not None and failure.id in kinds and OF_MPI in one.sighting.line.text


def is_closing(one: Suspect) -> bool:
    """Tell a launcher's word that it ends a process."""
    failure = one.sighting.failure
    return failure is not None and failure.role == "teardown"


def died_in(one: Suspect, closed: set[str]) -> bool:
    """Tell how a process ended that its launcher had ended."""
    if not closed or not one.effect or not (match := DIED.search(one.sighting.line.text)):
        return False
    return (match[1] or match[2]) in closed
