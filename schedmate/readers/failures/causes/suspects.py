"""Weigh each line by the part it plays, how loud it speaks, and whether the job outlived it."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from schedmate.readers.failures.causes.differing_collectives import with_differing_collectives
from schedmate.readers.failures.causes.early_leavers import with_early_leavers
from schedmate.readers.failures.causes.reasons import with_native_words, with_reasons
from schedmate.readers.failures.causes.stalls import stalled_since
from schedmate.readers.failures.causes.suspect import Suspect
from schedmate.readers.failures.lines.exceptions import is_caught_inside
from schedmate.readers.failures.lines.steps import is_progress
from schedmate.readers.failures.reading import FailureReading
from schedmate.readers.failures.sightings.launcher_reports import by_its_code
from schedmate.readers.failures.sightings.loudness import HANDLED, is_end, is_hardware, tone_of, warns
from schedmate.readers.failures.sightings.scan import reads_like_error
from schedmate.readers.failures.sightings.sighting import Sighting
from schedmate.readers.failures.sightings.unknown_lines import only_carried, unknown
from schedmate.readers.failures.survival.dying_helpers import without_dying_helpers
from schedmate.readers.failures.survival.late_output import died_of_it, in_buffer_reach, printed_in_time
from schedmate.readers.failures.survival.old_news import outlived_before, with_habits, words_of_line
from schedmate.readers.failures.survival.other_trials import without_ends_of_trials
from schedmate.readers.failures.survival.outcomes import (
    Fact,
    ended_its_process,
    ended_the_job,
    fate_of,
    is_notice,
    may_be_late,
    was_stopped,
    with_headings,
    with_repeats,
    with_what_ended_it,
    without_what_was_caught,
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

ROLE_FACTOR = {"root": 1.0, "cascade": 0.45, "teardown": 0.2, "health": 0.0}
SURVIVED_FACTOR = 0.15

AT_THE_END_S = 120.0
"""What peers say of each other so soon before an end they say because of it."""
IN_A_TABLE = re.compile(r"^(?:\d{1,4}[smhd][\dsmh]{0,4} +)?(?:Warning|Normal) +[A-Z]\w+ +")
"""A row of the events that `kubectl` prints: it was asked for later, so its place in the log tells no time."""
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

DIED = re.compile(r"(?i)\bexit ?code\b.{0,40}\bpid: ?(\d{1,9})|received by PID (\d{1,9})")
"""How torchrun says which process ended how."""


def weigh_all(sightings: Sequence[Sighting], readings: Sequence[FailureReading]) -> tuple[list[Suspect], float | None]:
    """Weigh all sightings of a job's logs together; also say since when its ranks waited in vain, if known."""
    told = (by_its_code(item) for item in sightings if not is_health(item))
    known = [only_carried(item) if is_named(item) else unknown(item) for item in told if not is_mere_progress(item)]
    stalled_s = stalled_since(known)
    known = without_dying_helpers(with_early_leavers(with_differing_collectives(known, readings), readings), readings)
    readings = [replace(reading, marks=printed_in_time(reading)) for reading in readings]
    waited = [stalled_s] if stalled_s is not None else []
    stamps = [[*stamps_of(sightings, reading.source), *waited] for reading in readings]
    facts = [Fact(item, *fate_of(item, readings, stamps[item.source])) for item in known]
    facts = with_headings(without_ends_of_trials(without_what_was_caught(with_repeats(facts)), readings))
    facts = with_habits(facts)
    facts = with_what_ended_it(facts, readings, ended_badly(facts))
    badly, old = ended_badly(facts), outlived_before(facts)
    suspects = [
        in_its_place(weigh(fact.item, fact.past, stalled_s, badly), fact, readings[fact.item.source], badly)
        for fact in facts
    ]
    suspects = [said_once_more(one) if words_of_line(one.sighting) in old else one for one in suspects]
    suspects = with_reasons(with_native_words(with_helpers_aside(without_what_launchers_ended(suspects), readings)))
    ends = [one for one in suspects if is_end(one.sighting) and (not one.survived or one.maybe)]
    first: dict[int, Sighting] = {}
    for item in sorted((end.sighting for end in ends if not end.survived), key=start_of):
        first.setdefault(item.source, item)
    lit = [in_the_light_of(one, first.get(one.sighting.source), readings) for one in suspects] if ends else suspects
    return lit, stalled_s


def said_once_more(one: Suspect) -> Suspect:
    """Let what is said once more, as often before, count for less: it says nothing new."""
    if one.effect or one.sighting.raised or is_end(one.sighting):
        return one
    return replace(one, maybe=False) if one.survived else replace(one, score=one.score * SAID_BEFORE_FACTOR)


def ended_badly(facts: Sequence[Fact]) -> bool:
    """Tell a job of which something stands that it did not get over, and that does not say itself that it was."""
    weighty = (fact.item for fact in facts if fact.alive and fact.item.failure and fact.item.failure.weight)
    return any(tone_of(item) > HANDLED for item in weighty)


def without_what_launchers_ended(suspects: Sequence[Suspect]) -> list[Suspect]:
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


def with_helpers_aside(suspects: Sequence[Suspect], readings: Sequence[FailureReading]) -> list[Suspect]:
    """Let what a shell did not find, or a scheduler refused, count for less where the program ran all the same."""
    first = {reading.source: min(mark.start for mark in reading.marks) for reading in readings if reading.marks}
    last = {reading.source: max(mark.start for mark in reading.marks) for reading in readings if reading.marks}
    sightings = [one.sighting for one in suspects]
    ends, ran, over = programs_ends(sightings), last_of_ranks(sightings), given_up(sightings)
    warned = last_warnings(sightings, readings)
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


def stamps_of(sightings: Iterable[Sighting], source: int) -> Iterator[float]:
    """Give the times of what was sighted in one log."""
    for item in sightings:
        if item.source == source and item.line.clock == "epoch" and item.line.time_s is not None:
            yield item.line.time_s


def in_its_place(one: Suspect, fact: Fact, own: FailureReading, badly: bool) -> Suspect:
    """Note where a line stands; in a dump nothing tells it from older trouble but its clock."""
    if fact.dumped:
        factor = DUMPED_FACTOR * (BACK_FACTOR if fact.back else 1.0)
        return replace(one, dumped=True, maybe=fact.back and not fact.outlived, score=one.score * factor)
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


def is_mere_progress(item: Sighting) -> bool:
    """Tell a step that a collector calls an error, as it came by the stream of errors."""
    return item.failure is None and is_progress(item.line.text) and not reads_like_error(item.line.text)


def is_named(item: Sighting) -> bool:
    """Tell a line that an entry knows, or an exception with its stack, from what can only be read by its words."""
    return item.failure is not None and (item.raised is not None or not item.failure.wording)


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


def in_the_light_of(one: Suspect, first: Sighting | None, readings: Sequence[FailureReading]) -> Suspect:
    """See what an end from outside explains: lines that one produces, and whatever was printed after the `first`."""
    failure = one.sighting.failure
    if failure is None or is_end(one.sighting):
        return one
    own = readings[one.sighting.source].part_of(one.sighting.start)
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


def start_of(item: Sighting) -> int:
    """Order by place."""
    return item.start


def happened_before(item: Sighting, end: Sighting) -> bool:
    """Tell what was printed late by clocks that agree."""
    if item.line.clock != end.line.clock or item.line.time_s is None or end.line.time_s is None:
        return False
    return item.line.time_s < end.line.time_s - 1.0
