"""Whom the kernel killed for want of memory: a process of the job, or one that only ran beside it."""

from collections.abc import Sequence
from dataclasses import replace

import re2

from schedmate.readers.failures.case import JobCase, Suspect
from schedmate.tools.late_patterns import late_re2

STRANGER_FACTOR = 0.25
KILLED = re2.compile(r"\bKill(?:ed)? process \d{1,10} \((?P<name>[^)]{1,40})\)|\btask=(?P<task>[^,]{1,40}),pid=\d")

RUNS_JOBS = late_re2(r"(?i)^(?:python|pt_|torch|ray|java|julia|mpi|orted|prted|srun|slurm|deepspeed|accelerate|train)")
"""How processes of jobs are called most often."""
DIED_OF_IT = late_re2(
    r"(?i)\bkill|\bSIGKILL\b|\bsignal:? 9\b|\bexit(?:ed|[ -]?code| status)?\b.{0,30}(?:-9|\b137)\b|terminated abruptly"
)
"""How launchers and libraries say that a process of theirs was killed."""


def with_strangers_aside(suspects: Sequence[Suspect], case: JobCase) -> list[Suspect]:
    """Let a kill count for less that nothing but the kernel speaks of, where a program ended by its own exception.

    The kernel's log is the machine's: it tells of whatever ran there. Who was killed raises nothing, and whoever waits
    for him says that he was killed.
    """
    told = [(one, found) for one in suspects if (found := KILLED.search(one.sighting.line.text))]
    if not told:
        return list(suspects)
    kills = {id(one) for one, _ in told}
    others = [one for one in suspects if id(one) not in kills and "invoked oom-killer" not in one.sighting.line.text]
    if any(DIED_OF_IT.search(one.sighting.line.text) for one in others):
        return list(suspects)
    aside = {id(one) for one, found in told if is_stranger(found["name"] or found["task"]) and outdone(one, others)}
    return [replace(one, score=one.score * STRANGER_FACTOR) if id(one) in aside else one for one in suspects]


def is_stranger(name: str) -> bool:
    """Tell a process that is not called as those of jobs are."""
    return not RUNS_JOBS.search(name)


def outdone(kill: Suspect, others: Sequence[Suspect]) -> bool:
    """Tell a kill behind which a program states itself what it died of."""
    return any(
        one.sighting.raised is not None
        and one.sighting.raised.fatal
        and not one.effect
        and not one.survived
        and one.sighting.source == kill.sighting.source
        and one.sighting.start > kill.sighting.start
        and one.score > 0
        for one in others
    )
