"""Tell what a shell missed, or Slurm refused, before a program that ran all the same and failed of something else."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice

import re2

from schedmate.readers.failures.reading import FailureReading
from schedmate.readers.failures.sightings.sighting import Sighting
from schedmate.readers.failures.survival.killed_commands import tells_of_program
from schedmate.readers.failures.survival.outcomes import was_stopped

SHELL_MISSES = "python.no_such_file_shell"
SET_UP = frozenset({"script.modulefile", "script.conda_activate"})
REFUSED_STEP = "scheduler.slurm_submit_invalid"

SIGNALLED = frozenset(
    (
        *("python.killed", "python.terminated", "python.aborted", "python.segfault", "python.bus_error"),
        *("launchers.program_signalled", "limits.slurm_memory"),
    )
)
"""Entries by which a shell, a launcher or a scheduler tells that a signal ended a program: it had been at work."""
NEEDS = re2.compile(
    r"^(?:ModuleNotFoundError|ImportError)\b|shared (?:object|librar)|undefined symbol|GLIBC|[Nn]o CUDA"
    r"|\bCUDA (?:driver|is not)|not compiled with|command not found|No such file or directory"
)
"""What a program lacks where its modules or its environment were not loaded."""
BEHIND_LINES = 400
PYTHON_WARNS = re2.compile(r"\.pyx?:\d{1,6}: \w{0,40}Warning: ")

GAVE_UP = re2.compile(r"\bfailed \(exitcode: |\bChildFailedError\b|\bexits with return code = |:sigkill_handler\]")
"""How launchers of a training say that it ended badly."""


def programs_ends(items: Iterable[Sighting]) -> dict[int, int]:
    """Give for each log where the last program left with an exception that no set-up explains, or was ended."""
    ends: dict[int, int] = {}
    for item in items:
        raised = item.raised
        left = raised and raised.leaves and not raised.follows and not NEEDS.search(item.line.text)
        if left or was_stopped(item) or is_signalled(item):
            ends[item.source] = max(item.start, ends.get(item.source, 0))
    return ends


def is_signalled(item: Sighting) -> bool:
    """Tell that a signal ended the program, not a helper that the script had put at its side."""
    return item.failure is not None and item.failure.id in SIGNALLED and tells_of_program(item.line.text)


def given_up(items: Iterable[Sighting]) -> dict[int, int]:
    """Give for each log where a launcher of a training first said that it ended badly."""
    said: dict[int, int] = {}
    for item in items:
        if item.failure is not None and item.failure.role == "cascade" and GAVE_UP.search(item.line.text):
            said[item.source] = min(item.start, said.get(item.source, item.start))
    return said


def is_passed(item: Sighting, ends: Mapping[int, int], first_steps: Mapping[int, int], over: Mapping[int, int]) -> bool:
    """Tell a miss of a shell that ended no training: one began or went on after it, or had ended before."""
    kind = item.failure.id if item.failure else ""
    if kind == SHELL_MISSES and (item.source in first_steps or item.start > over.get(item.source, item.start)):
        return True
    return kind in {*SET_UP, SHELL_MISSES} and item.start < ends.get(item.source, 0)


def last_warnings(items: Sequence[Sighting], readings: Sequence[FailureReading]) -> dict[int, int]:
    """Give for each log in which a part of the environment was missed where a step was made behind it, or Python warned
    of something: a program was loaded, and ran.
    """
    missed = {item.source: item.start for item in items if item.failure is not None and item.failure.id in SET_UP}
    warned: dict[int, int] = {}
    for own in readings:
        if own.source in missed:
            behind = islice(own.log.lines(missed[own.source], own.attempt.end), BEHIND_LINES)
            places = (raw.start for raw in behind if PYTHON_WARNS.search(own.cleaner.take(raw).text))
            steps = (mark.start for mark in own.marks if mark.start > missed[own.source])
            warned[own.source] = next(places, 0) or min(steps, default=0)
    return warned


def last_wants(items: Iterable[Sighting]) -> dict[int, int]:
    """Give for each log where a program last lacked what a set-up brings."""
    wants: dict[int, int] = {}
    for item in items:
        if item.raised is not None and NEEDS.search(item.line.text):
            wants[item.source] = max(item.start, wants.get(item.source, 0))
    return wants


def was_done_without(
    item: Sighting, warned: Mapping[int, int], wants: Mapping[int, int], last_steps: Mapping[int, int]
) -> bool:
    """Tell what a shell missed, behind which a program made steps, or ran and lacked nothing of its environment."""
    kind = item.failure.id if item.failure is not None else ""
    if kind == SHELL_MISSES:
        return item.start < last_steps.get(item.source, 0)
    return kind in SET_UP and wants.get(item.source, -1) < item.start < warned.get(item.source, 0)


def explains(item: Sighting, later: Sighting) -> bool:
    """Tell what a shell did not load, and what a program then lacked: a shell goes on after it, the program cannot."""
    missed = item.failure is not None and item.failure.id in SET_UP
    follows = later.source == item.source and later.start > item.start
    return missed and follows and later.raised is not None and bool(NEEDS.search(later.line.text))


def last_of_ranks(items: Iterable[Sighting]) -> dict[int, int]:
    """Give for each log where a rank last said anything worth weighing."""
    said: dict[int, int] = {}
    for item in items:
        if item.line.rank is not None:
            said[item.source] = max(item.start, said.get(item.source, 0))
    return said


def is_refused_in_vain(item: Sighting, ran: Mapping[int, int]) -> bool:
    """Tell a step that Slurm refused, behind which ranks ran: another launcher had started them."""
    kind = item.failure.id if item.failure else ""
    return kind == REFUSED_STEP and item.line.rank is None and item.start < ran.get(item.source, 0)
