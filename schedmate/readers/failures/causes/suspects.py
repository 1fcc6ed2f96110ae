"""Weigh each line by the part it plays, how loud it speaks, and whether the job outlived it."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from schedmate.readers.failures.case import Fact, JobCase, Suspect
from schedmate.readers.failures.causes.asked_for_later import IN_A_TABLE
from schedmate.readers.failures.lines.exceptions import is_caught_inside
from schedmate.readers.failures.reading import FailureReading
from schedmate.readers.failures.sightings.loudness import is_end, is_hardware, tone_of, warns
from schedmate.readers.failures.sightings.sighting import Sighting
from schedmate.readers.failures.survival.late_output import died_of_it, in_buffer_reach
from schedmate.readers.failures.survival.old_news import outlived_before, words_of_line
from schedmate.readers.failures.survival.outcomes import (
    ended_badly,
    ended_its_process,
    ended_the_job,
    is_notice,
    may_be_late,
    was_stopped,
)
from schedmate.readers.failures.survival.shell_setup import (
    given_up,
    is_passed,
    is_refused_in_vain,
    last_of_ranks,
    last_wants,
    last_warnings,
    programs_ends,
    was_done_without,
)
from schedmate.tools.late_patterns import late

ROLE_FACTOR = {"root": 1.0, "cascade": 0.45, "teardown": 0.2, "health": 0.0}
SURVIVED_FACTOR = 0.15

AT_THE_END_S = 120.0
"""What peers say of each other so soon before an end they say because of it."""
SURVIVED_HARDWARE_FACTOR = 0.3
"""A fact about the machine that the job outlived explains a bad end only where nothing else does."""
DUMPED_FACTOR, LATE_FACTOR = 0.85, 0.7
"""What stands in a dump, and what ended a process though steps, perhaps held back, were printed after it."""
BACK_FACTOR = 0.5
"""What a dump says of a part that it also says was back at once."""
ENDED_FACTOR = 0.4
"""A time limit or a hand from outside ends what has long hung: any cause before it is the better answer."""
WARNED_FACTOR = 0.5
"""A program that merely warned had gone on when somebody ended it."""
AT_THE_STALL_S, AT_THE_STALL_FACTOR = 90.0, 1.2
HELPER_FACTOR = 0.25

SAID_BEFORE_FACTOR = 0.5
"""What a line counts that says nothing new."""
STEP_ENDS = re.compile(r"^srun: (?:Terminating|Job step aborted|First task exited|Force Terminat)")
WITH_ITS_STEP = frozenset({"scheduler.slurm_task_killed", "scheduler.slurm_step_cancelled"})

DIED = late(r"(?i)\bexit ?code\b.{0,40}\bpid: ?(\d{1,9})|received by PID (\d{1,9})")
"""How torchrun says which process ended how."""


def with_dumps_back(suspects: Sequence[Suspect], case: JobCase) -> list[Suspect]:
    """Let what stands in a dump count less: nothing tells it from older trouble but its clock."""
    return [looking_back(one, fact) if fact.dumped else one for one, fact in zip(suspects, case.facts, strict=True)]


def looking_back(one: Suspect, fact: Fact) -> Suspect:
    """Note that a line looks back, and whether the part was back at once."""
    factor = DUMPED_FACTOR * (BACK_FACTOR if fact.back else 1.0)
    return replace(one, dumped=True, maybe=fact.back and not fact.outlived, score=one.score * factor)


def with_late_words(suspects: Sequence[Suspect], case: JobCase) -> list[Suspect]:
    """Let what may have ended the job count though steps stand behind it: they may have lain in buffers."""
    badly = ended_badly(case.facts)
    return [
        one if fact.dumped else printed_late(one, fact, case.own(fact.item), badly)
        for one, fact in zip(suspects, case.facts, strict=True)
    ]


def with_old_news(suspects: Sequence[Suspect], case: JobCase) -> list[Suspect]:
    """Let what is said once more, as often before, count for less: it says nothing new."""
    old = outlived_before(case.facts)
    return [said_once_more(one) if words_of_line(one.sighting) in old else one for one in suspects]


def said_once_more(one: Suspect) -> Suspect:
    """Lower what nobody raised and what is no end."""
    if one.effect or one.sighting.raised or is_end(one.sighting):
        return one
    return replace(one, maybe=False) if one.survived else replace(one, score=one.score * SAID_BEFORE_FACTOR)


def in_light_of_ends(suspects: Sequence[Suspect], case: JobCase) -> list[Suspect]:
    """Let ends from outside explain what they explain."""
    ends = [one for one in suspects if is_end(one.sighting) and (not one.survived or one.maybe)]
    if not ends:
        return list(suspects)
    first: dict[int, Sighting] = {}
    for item in sorted((end.sighting for end in ends if not end.survived), key=lambda item: item.place):
        first.setdefault(item.source, item)
    return [in_the_light_of(one, first.get(one.sighting.source), case) for one in suspects]


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


def with_helpers_aside(suspects: Sequence[Suspect], case: JobCase) -> list[Suspect]:
    """Let what a shell did not find, or a scheduler refused, count for less where the program ran all the same."""
    first = {reading.source: min(mark.start for mark in reading.marks) for reading in case.readings if reading.marks}
    last = {reading.source: max(mark.start for mark in reading.marks) for reading in case.readings if reading.marks}
    sightings = [one.sighting for one in suspects]
    ends, ran, over = programs_ends(sightings), last_of_ranks(sightings), given_up(sightings)
    warned = last_warnings(sightings, case.readings)
    wants = last_wants(sightings)
    return [
        replace(one, score=one.score * SURVIVED_FACTOR, survived=True)
        if was_done_without(one.sighting, warned, wants, last)
        else replace(one, score=one.score * HELPER_FACTOR, survived=True)
        if is_passed(one.sighting, ends, first, over) or is_refused_in_vain(one.sighting, ran)
        else one
        for one in suspects
    ]


def is_closing(one: Suspect) -> bool:
    """Tell a launcher's word that it ends a process."""
    failure = one.sighting.failure
    return failure is not None and failure.role == "teardown"


def died_in(one: Suspect, closed: set[str]) -> bool:
    """Tell how a process ended that its launcher had ended."""
    if not closed or not one.effect or not (match := DIED.search(one.sighting.line.text)):
        return False
    return (match[1] or match[2]) in closed


def printed_late(one: Suspect, fact: Fact, own: FailureReading, badly: bool) -> Suspect:
    """Tell what may have ended the job all the same, or ended it for all that is known."""
    if fact.past and was_stopped(fact.item) and in_buffer_reach(fact.item, own):
        return replace(one, survived=False, score=one.score / SURVIVED_FACTOR)
    if fact.back:
        return replace(one, maybe=not fact.outlived)
    if not fact.past or not (may_be_late(fact.item, own) or is_notice(fact.item, own)):
        return one
    if (ended_its_process(fact.item) or died_of_it(fact.item, own)) and ended_the_job(fact.item, own, badly):
        return replace(one, survived=False, score=one.score / SURVIVED_FACTOR * LATE_FACTOR)
    return replace(one, maybe=True)


def is_health(item: Sighting) -> bool:
    """Tell a proof of health from what may be a cause."""
    return item.failure is not None and item.failure.role == "health"


def weigh(item: Sighting, survived: bool, stalled_s: float | None = None, ended_badly: bool = True) -> Suspect:
    """Score one sighting by its role, its entry's weight, its tone and whether the job outlived it."""
    assert item.failure
    score = item.failure.weight * ROLE_FACTOR[item.failure.role] * tone_of(item)
    if survived:
        score *= SURVIVED_HARDWARE_FACTOR if ended_badly and is_hardware(item) else SURVIVED_FACTOR
    if is_end(item):
        score *= ENDED_FACTOR
    time_s = item.line.time_s
    if stalled_s is not None and time_s is not None and abs(time_s - stalled_s) <= AT_THE_STALL_S:
        score = min(1.0, score * AT_THE_STALL_FACTOR)
    return Suspect(item, score, survived, item.failure.role != "root")


def in_the_light_of(one: Suspect, first: Sighting | None, case: JobCase) -> Suspect:
    """See what an end from outside explains: lines that one produces, and whatever was printed after the `first`."""
    failure = one.sighting.failure
    if failure is None or is_end(one.sighting):
        return one
    own = case.own(one.sighting).part_of(one.sighting.start)
    together = first is not None and own.holds(first.start)
    lost = "peer" in failure.after and first is not None and not long_before(one.sighting, first, together)
    if "termination" in failure.after or lost:
        one = replace(one, effect=True)
    if warns(one.sighting) and not is_hardware(one.sighting):
        one = replace(one, score=one.score * WARNED_FACTOR)
    raised = one.sighting.raised
    if raised and is_caught_inside(raised):
        return replace(one, score=one.score * SURVIVED_FACTOR)
    if first and together and one.sighting.start > first.start and not happened_before(one.sighting, first):
        one = replace(one, score=one.score * SURVIVED_FACTOR)
    return one


def long_before(item: Sighting, end: Sighting, together: bool) -> bool:
    """Tell trouble with a peer that was there before somebody ended the job: by clocks that agree, else by its place.

    A table of events that was asked for later has no place, nor have two files that were joined.
    """
    if item.line.clock == end.line.clock and item.line.time_s is not None and end.line.time_s is not None:
        return end.line.time_s - item.line.time_s > AT_THE_END_S
    return together and item.start < end.start and not IN_A_TABLE.search(end.line.text)


def happened_before(item: Sighting, end: Sighting) -> bool:
    """Tell what was printed late by clocks that agree."""
    if item.line.clock != end.line.clock or item.line.time_s is None or end.line.time_s is None:
        return False
    return item.line.time_s < end.line.time_s - 1.0
