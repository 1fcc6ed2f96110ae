"""Whose death only the kernel tells, for want of memory or by a fault: a process of the job, or one beside it."""

from collections.abc import Sequence
from dataclasses import replace

from schedmate.readers.failures.case import JobCase, Suspect
from schedmate.readers.failures.sightings.sighting import Sighting
from schedmate.readers.failures.survival.kernel_dumps import killed_in, runs_jobs
from schedmate.tools.late_patterns import late_re2

STRANGER_FACTOR = 0.25

DIED_OF_IT = late_re2(
    r"(?i)\bkill|\bSIGKILL\b|\bsignal:? 9\b|\bexit(?:ed|[ -]?code| status)?\b.{0,30}(?:-9|\b137)\b|terminated abruptly"
)
"""How launchers and libraries say that a process of theirs was killed."""
FAULTED = late_re2(
    r"^(?:kernel: )?(?:traps: )?[\w./:@-]{1,40}\[\d{1,10}\]:? (?:segfault at [0-9a-f]+ ip|general protection|trap )"
)
"""How a kernel tells of a process that touched what it may not."""
SAID_FAULT = late_re2(
    r"(?i)\bsegmentation fault|\bSIG(?:SEGV|BUS|ILL|FPE)\b|\bsignal:? \(?(?:4|7|8|11)\b|\bcore dumped"
    r"|\bexit(?:ed|[ -]?code| status)?\b.{0,30}(?:-11|\b139)\b"
)
"""How launchers, shells and libraries say that a process of theirs died so."""

FORKS = late_re2(r"\bcgroup: fork rejected by pids controller in /kubepods")
"""How a kernel says that a pod may have no more processes."""
NO_FORK = late_re2(
    r"(?i)can't start new thread|\bfork\b.{0,40}(?:unavailable|failed|cannot)|resource temporarily unavailable"
    r"|pthread_create|thread creation failed|BlockingIOError"
)
"""How a program says so."""


def with_strangers_aside(suspects: Sequence[Suspect], case: JobCase) -> list[Suspect]:
    """Let what may have become of any process count for less where nothing but the kernel says that it was the job's.

    The kernel's log is the machine's: it tells of whatever ran there.
    """
    return with_killed_aside(with_faults_aside(with_forks_aside(suspects), case))


def with_forks_aside(suspects: Sequence[Suspect]) -> list[Suspect]:
    """Let a pod's refused forks count for less of which nothing but the kernel speaks: it may be anybody's pod."""
    refused = {id(one) for one in suspects if FORKS.search(one.sighting.line.text)}
    if not refused or any(NO_FORK.search(one.sighting.line.text) for one in suspects if id(one) not in refused):
        return list(suspects)
    return [replace(one, score=one.score * STRANGER_FACTOR) if id(one) in refused else one for one in suspects]


def with_faults_aside(suspects: Sequence[Suspect], case: JobCase) -> list[Suspect]:
    """Let a process's fault count for less that nothing but the kernel speaks of, where a scheduler ended the job.

    Whoever started a process says by which signal it died, before anybody has to end the job. A fault behind the last
    step may be what ranks then waited for.
    """
    told = (one for one in suspects if FAULTED.search(one.sighting.line.text))
    faults = {id(one) for one in told if not is_behind_steps(one.sighting, case)}
    others = [one for one in suspects if id(one) not in faults]
    if not faults or any(SAID_FAULT.search(one.sighting.line.text) for one in others):
        return list(suspects)
    if not any(is_schedulers_end(one) for one in others) or any(states_its_end(one) for one in others):
        return list(suspects)
    return [replace(one, score=one.score * STRANGER_FACTOR) if id(one) in faults else one for one in suspects]


def is_behind_steps(item: Sighting, case: JobCase) -> bool:
    """Tell what happened when the last step was made, or later, by clocks that agree."""
    made = [mark.time_s for mark in case.own(item).marks if mark.time_s is not None]
    return bool(made) and item.line.clock == "epoch" and (item.line.time_s or 0.0) >= max(made)


def is_schedulers_end(one: Suspect) -> bool:
    """Tell what a scheduler says of a job, or a step of it, that it ended."""
    failure = one.sighting.failure
    return failure is not None and (failure.outside or failure.id == "scheduler.slurm_step_cancelled")


def states_its_end(one: Suspect) -> bool:
    """Tell a program's own exception that nothing got over, be it an effect."""
    raised = one.sighting.raised
    return raised is not None and raised.fatal and not one.survived


def with_killed_aside(suspects: Sequence[Suspect]) -> list[Suspect]:
    """Let a kill for want of memory count for less where a program ended by its own exception.

    Who was killed raises nothing, and whoever waits for him says that he was killed.
    """
    told = [(one, name) for one in suspects if (name := killed_in(one.sighting.line.text))]
    if not told:
        return list(suspects)
    kills = {id(one) for one, _ in told}
    others = [one for one in suspects if id(one) not in kills and "invoked oom-killer" not in one.sighting.line.text]
    if any(DIED_OF_IT.search(one.sighting.line.text) for one in others):
        return list(suspects)
    aside = {id(one) for one, name in told if not runs_jobs(name) and outdone(one, others)}
    return [replace(one, score=one.score * STRANGER_FACTOR) if id(one) in aside else one for one in suspects]


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
